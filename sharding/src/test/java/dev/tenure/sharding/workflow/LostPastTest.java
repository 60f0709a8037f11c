package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.lease.Leases.Holding;
import dev.tenure.persistence.shard.ShardOf;
import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The database comes back without the end of its past, as a standby that was behind. */
class LostPastTest {
  private static final String ID = "order";

  private static void send(TestNode node, String name) {
    assertThat(
            TestNode.await(
                node.workflows()
                    .signal(
                        WorkflowId.of(ID),
                        name,
                        TestNode.json("given with " + name),
                        Optional.of(name + "-1"))))
        .isInstanceOf(SignalResult.Accepted.class);
  }

  private static void awaitWaiting(TestNode node, int commits) {
    Await.until(
        "it waits after " + commits + " commits",
        TestNode.SOON,
        () -> node.describe(ID).status() == Status.WAITING && node.commits(ID) >= commits);
  }

  private static long epoch(TestNode node) {
    int shard = ShardOf.workflow(ID, TestDatabase.IDENTITY.shards());
    return node.storage.leases().holdings().stream()
        .filter(holding -> holding.shard() == shard)
        .mapToLong(Holding::epoch)
        .findFirst()
        .orElse(0);
  }

  @Test
  void theNodeReportsWhatIsMissingAndItsWorkflowsGoOnFromWhatStands() {
    AtomicInteger paid = new AtomicInteger();
    try (TestDatabase database = TestDatabase.migrated();
        TestNode node =
            TestNode.start(database, new TestNode.Plan().with(Coded.class, Coded::new))) {
      Coded.begin(
          node,
          ID,
          ctx -> {
            ctx.awaitSignal("go", String.class);
            ctx.step("pay", paid::incrementAndGet);
            return ctx.awaitSignal("end", String.class);
          });
      awaitWaiting(node, 1);
      int standing = node.commits(ID);
      send(node, "go");
      Await.until("it has paid", TestNode.SOON, () -> paid.get() == 1);
      awaitWaiting(node, standing + 1);
      long epoch = epoch(node);

      database.execute("DELETE FROM signal_response");
      database.execute("DELETE FROM event_journal WHERE sequence_number > " + standing);
      // Its owner is in memory, and goes on from what it remembers.
      send(node, "end");

      Await.until("the loss is reported", TestNode.SOON, () -> !node.runtime.losses().isEmpty());
      assertThat(node.runtime.losses())
          .singleElement()
          .satisfies(
              report ->
                  assertThat(report.text())
                      .contains("order: version " + (standing + 1))
                      .contains("workflow|order: signal go, go-1"));
      Await.until("the shard is claimed anew", TestNode.SOON, () -> epoch(node) > epoch);
      // Its sender repeats it under its id: nothing of it is known any more.
      send(node, "go");
      Await.until("it pays again", TestNode.SOON, () -> paid.get() == 2);
      assertThat(node.result(ID)).contains("given with end");
    }
  }
}
