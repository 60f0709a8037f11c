package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.tenure.persistence.shard.ShardOf;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.persistence.visibility.WorkflowFilter;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Owners come and go: what they held is found by the next one, and goes on where it stood. */
class OwnershipTest {

  private TestDatabase database;

  @BeforeEach
  void open() {
    database = TestDatabase.migrated();
  }

  @AfterEach
  void close() {
    database.close();
  }

  private TestNode node(TestNode.Plan plan) {
    return TestNode.start(database, plan);
  }

  private static TestNode.Plan plan() {
    return new TestNode.Plan().with(Coded.class, Coded::new);
  }

  @Test
  void whatSleepsOrWorksGoesOnWithTheNextNodeThoughNobodyAsks() {
    AtomicInteger runs = new AtomicInteger();
    CountDownLatch held = new CountDownLatch(1);
    try (TestNode first = node(plan())) {
      Coded.begin(
          first,
          "sleeper",
          ctx -> {
            ctx.step("before", () -> 1);
            ctx.sleep(Duration.ofMillis(1_500));
            return ctx.step("after", () -> "woke");
          });
      Coded.begin(
          first,
          "worker",
          ctx ->
              ctx.step(
                  "work",
                  () -> {
                    if (runs.incrementAndGet() == 1) await(held);
                    return "worked";
                  }));
      Await.until("the worker works", TestNode.SOON, () -> runs.get() == 1);
    }
    try (TestNode second = node(plan())) {
      // Nobody speaks of them until the rows say that they are done.
      Await.until("both are done", TestNode.SOON, () -> closedRows(second) == 2);
      assertThat(second.result("sleeper")).isEqualTo("\"woke\"");
      assertThat(second.result("worker")).isEqualTo("\"worked\"");
      assertThat(runs).hasValue(2);
      assertThat(second.events("worker")).anyMatch(Event.Redelivered.class::isInstance);
    }
    held.countDown();
  }

  private static long closedRows(TestNode node) {
    return TestNode.await(
            node.workflows()
                .list(WorkflowFilter.ALL.withStatus(Status.COMPLETED), PageRequest.first(10)))
        .rows()
        .size();
  }

  @Test
  void anOwnerThatIsFencedInTheMiddleOfAStepCommitsNothingOfIt() {
    CountDownLatch inStep = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger runs = new AtomicInteger();
    try (TestNode node = node(plan())) {
      Coded.begin(
          node,
          "fenced",
          ctx ->
              ctx.step(
                  "step",
                  () -> {
                    int run = runs.incrementAndGet();
                    inStep.countDown();
                    if (run == 1) await(go);
                    return "run " + run;
                  }));
      await(inStep);
      int shard = ShardOf.workflow("fenced", TestDatabase.IDENTITY.shards());
      long before = node.storage.leases().find(shard).orElseThrow().epoch();
      // Somebody else takes the shard, as after a partition, and is gone again at once.
      database.execute(
          "UPDATE shard_lease SET epoch = epoch + 1, holder_node = NULL, holder_incarnation = NULL"
              + " WHERE shard = "
              + shard);
      go.countDown();
      assertThat(node.result("fenced")).isEqualTo("\"run 2\"");
      assertThat(node.storage.leases().find(shard).orElseThrow().epoch()).isGreaterThan(before);
      assertThat(node.events("fenced").stream().filter(Event.Completed.class::isInstance).count())
          .isEqualTo(1);
    }
  }

  @Test
  void aFencedCommitEndsTheTenureBeforeTheNextBeat() {
    AtomicInteger runs = new AtomicInteger();
    CountDownLatch inStep = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Config beatsSeldom =
        ConfigFactory.parseString("tenure.shard-lease { time-to-live = 1h, renew-every = 15m }");
    try (TestNode node = node(plan().configured(beatsSeldom))) {
      Coded.begin(
          node,
          "seldom",
          ctx ->
              ctx.step(
                  "step",
                  () -> {
                    int run = runs.incrementAndGet();
                    inStep.countDown();
                    if (run == 1) await(go);
                    return "run " + run;
                  }));
      await(inStep);
      int shard = ShardOf.workflow("seldom", TestDatabase.IDENTITY.shards());
      // As after a lossy fail-over of the database: its epoch is granted to another node again.
      database.execute(
          "UPDATE shard_lease SET holder_node = 'other:1', holder_incarnation = 1,"
              + " expires_at = clock_timestamp() WHERE shard = "
              + shard);
      go.countDown();
      assertThat(node.result("seldom")).isEqualTo("\"run 2\"");
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void whatRestsLeavesTheMemoryAndComesBackForTimersAndSignals() {
    try (TestNode node =
        node(plan().settings(given -> given.withRest(Duration.ofMillis(100), 10)))) {
      Coded.begin(
          node,
          "rests",
          ctx -> {
            ctx.sleep(Duration.ofMillis(800));
            String word = ctx.awaitSignal("go", String.class);
            return ctx.step("after", () -> word);
          });
      // A signal that nobody waits for yet: it moves the row's time, and the timer must stand.
      TestNode.await(
          node.workflows()
              .signal(WorkflowId.of("rests"), "later", TestNode.json(1), Optional.empty()));
      Await.until("it left", TestNode.SOON, () -> node.node.resident() == 0);
      Await.until(
          "it slept, left and waits",
          TestNode.SOON,
          () ->
              node.events("rests").stream().anyMatch(Event.Completed.class::isInstance)
                  && node.node.resident() == 0);
      TestNode.await(
          node.workflows()
              .signal(WorkflowId.of("rests"), "go", TestNode.json("gone"), Optional.empty()));
      assertThat(node.result("rests")).isEqualTo("\"gone\"");
    }
  }

  @Test
  void codeThatChangedRaisesAnIncidentAndGoesOnWhenItIsMended() {
    try (TestNode old = node(plan())) {
      Coded.begin(
          old,
          "drifts",
          ctx -> {
            ctx.step("charge", () -> 1);
            ctx.awaitSignal("go", String.class);
            return "old";
          });
      Await.until(
          "it waits", TestNode.SOON, () -> old.describe("drifts").status() == Status.WAITING);
    }
    WorkflowId id = WorkflowId.of("drifts");
    Coded.put(
        "drifts",
        ctx -> {
          ctx.step("bill", () -> 1);
          return ctx.awaitSignal("go", String.class);
        });
    try (TestNode node = node(plan())) {
      Await.until(
          "the drift is seen",
          TestNode.SOON,
          () -> node.describe("drifts").status() == Status.INCIDENT);
      assertThat(node.describe("drifts").incident().orElseThrow())
          .isInstanceOf(Incident.Drift.class)
          .extracting(Incident::message)
          .asString()
          .contains("charge#1");
      assertThatThrownBy(
              () -> TestNode.await(node.workflows().resolveIncident(id, "not mended at all")))
          .hasCauseInstanceOf(WorkflowError.NotNow.class)
          .hasMessageContaining("charge#1");

      Coded.put(
          "drifts",
          ctx -> {
            ctx.step("charge", () -> 1);
            String word = ctx.awaitSignal("go", String.class);
            return ctx.step("new", () -> "new ") + word;
          });
      assertThat(TestNode.await(node.workflows().resolveIncident(id, "mended"))).isTrue();
      TestNode.await(node.workflows().signal(id, "go", TestNode.json("code"), Optional.empty()));
      assertThat(node.result("drifts")).isEqualTo("\"new code\"");
    }
  }

  @Test
  void aBlockedWorkflowGoesOnWhenANodeBringsItsCode() {
    Coded.put("blocked", ctx -> ctx.step("one", () -> "at last"));
    try (TestNode without = node(new TestNode.Plan())) {
      without.begin("blocked", "coded", null);
      Await.until(
          "it is blocked",
          TestNode.SOON,
          () -> without.describe("blocked").status() == Status.BLOCKED);
    }
    try (TestNode with = node(plan())) {
      Await.until("it is done", TestNode.SOON, () -> closedRows(with) == 1);
      assertThat(with.result("blocked")).isEqualTo("\"at last\"");
    }
  }
}
