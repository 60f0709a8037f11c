package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.shard.ShardOf;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A workflow can always be ended, whatever state it is in. */
class TerminateAnythingTest {
  /** Far more than any code should have open at once. */
  private static final int OPEN = 5_000;

  private TestDatabase database;

  @BeforeEach
  void open() {
    database = TestDatabase.migrated();
  }

  @AfterEach
  void close() {
    database.close();
  }

  private TestNode node() {
    return TestNode.start(database, new TestNode.Plan().with(Coded.class, Coded::new));
  }

  private static void hold(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void terminate(TestNode node, String id) {
    assertThat(TestNode.await(node.workflows().terminate(WorkflowId.of(id), "enough"))).isTrue();
    assertThat(node.end(id).status()).isEqualTo(Status.TERMINATED);
    assertThat(TestNode.await(node.workflows().incident(WorkflowId.of(id)))).isEmpty();
  }

  @Test
  void oneThatTakesItsNodesDownStandsStillWithoutItsCodeAndCanBeEnded() {
    AtomicInteger begun = new AtomicInteger();
    AtomicInteger runs = new AtomicInteger();
    CountDownLatch held = new CountDownLatch(1);
    try (TestNode first = node()) {
      Coded.begin(
          first,
          "poison",
          ctx -> {
            begun.incrementAndGet();
            return ctx.step(
                "work",
                () -> {
                  runs.incrementAndGet();
                  hold(held);
                  return 1;
                });
          });
      Await.until("it works", TestNode.SOON, () -> runs.get() == 1);
    }
    // As it is after a search: two nodes were lost while it was tried alone.
    database.execute(
        "INSERT INTO recovery (workflow_id, shard, epoch, losses, alone, company)"
            + " VALUES ('poison', %d, 0, 4, 2, 1)"
                .formatted(ShardOf.workflow("poison", TestDatabase.IDENTITY.shards())));
    try (TestNode second = node()) {
      Await.until(
          "it stands still",
          TestNode.SOON,
          () -> second.describe("poison").status() == Status.INCIDENT);
      var row = TestNode.await(second.workflows().incident(WorkflowId.of("poison"))).orElseThrow();
      assertThat(row.kind()).isEqualTo("poison");
      assertThat(runs).as("its code is not run").hasValue(1);
      terminate(second, "poison");
      assertThat(runs).hasValue(1);
      assertThatThrownBy(
              () ->
                  TestNode.await(
                      second
                          .workflows()
                          .query(WorkflowId.of("poison"), "stage", TestNode.json(null))))
          .hasCauseInstanceOf(WorkflowError.NotNow.class)
          .hasMessageContaining("takes nodes down");
      assertThat(begun).as("a query does not run its code either").hasValue(1);
    }
    held.countDown();
  }

  @Test
  void oneWithThousandsOfOpenOperationsCanBeEnded() {
    try (TestNode node = node()) {
      Coded.begin(
          node,
          "huge",
          ctx -> {
            for (int i = 0; i < OPEN; i++) ctx.timer("timer-" + i, Duration.ofDays(30));
            return ctx.awaitSignal("never", String.class);
          });
      assertThat(node.describe("huge").operations()).isEqualTo(OPEN + 1);
      terminate(node, "huge");
    }
  }
}
