package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.payload.Payloads;
import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Where threads get no carrier, or the store no answer, only code that loops is an incident. */
class BusyNodeTest {
  private static final int INNOCENT = 40;

  private static TestNode.Plan plan() {
    return new TestNode.Plan()
        .with(Coded.class, Coded::new)
        .settings(given -> given.withCodeLimit(Duration.ofSeconds(1)));
  }

  private static Object innocent(WorkflowContext ctx) {
    List<Handle<Integer>> parts = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      int part = i;
      parts.add(ctx.async("part", () -> ctx.step("one", () -> part) + ctx.step("two", () -> 1)));
    }
    return ctx.all(parts).stream().mapToInt(Integer::intValue).sum();
  }

  private static void awaitStuck(TestNode node, String id) {
    Await.until(
        id + " is an incident", TestNode.SOON, () -> node.describe(id).status() == Status.INCIDENT);
    assertThat(node.describe(id).incident().orElseThrow()).isInstanceOf(Incident.Stuck.class);
  }

  @Test
  void stepsThatComputeMakeNoIncidentOfWhatWaitsForACarrier() {
    AtomicBoolean end = new AtomicBoolean();
    AtomicInteger spinning = new AtomicInteger();
    int steps = Runtime.getRuntime().availableProcessors();
    try (TestNode node = TestNode.start(plan())) {
      try {
        for (int i = 0; i < steps; i++)
          Coded.begin(
              node,
              "computes-" + i,
              ctx ->
                  ctx.step(
                      "compute",
                      StepOptions.DEFAULT,
                      () -> {
                        spinning.incrementAndGet();
                        while (!end.get()) Thread.onSpinWait();
                        return "computed";
                      }));
        Await.until("all carriers are taken", TestNode.SOON, () -> spinning.get() == steps);
        for (int i = 0; i < INNOCENT; i++)
          Coded.begin(node, "innocent-" + i, BusyNodeTest::innocent);
        Coded.begin(
            node,
            "loops",
            ctx -> {
              while (!end.get()) Thread.onSpinWait();
              return null;
            });
        // All of it while the steps still compute.
        for (int i = 0; i < INNOCENT; i++) assertThat(node.result("innocent-" + i)).isEqualTo("15");
        awaitStuck(node, "loops");
        for (int i = 0; i < steps; i++)
          assertThat(node.describe("computes-" + i).incident()).isEmpty();
      } finally {
        end.set(true);
      }
      for (int i = 0; i < steps; i++)
        assertThat(node.result("computes-" + i)).isEqualTo("\"computed\"");
    }
  }

  @Test
  void whatWaitsForTheStoreIsNotStuck() {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch back = new CountDownLatch(1);
    AtomicBoolean end = new AtomicBoolean();
    try (TestDatabase database = TestDatabase.migrated()) {
      try (TestNode node = TestNode.start(database, plan())) {
        Coded.begin(
            node,
            "large",
            ctx -> {
              String large = ctx.step("large", () -> "x".repeat(200_000));
              return large.length() + ctx.awaitSignal("go", String.class);
            });
        Await.until(
            "it waits", TestNode.SOON, () -> node.describe("large").status() == Status.WAITING);
      }
      TestNode.Plan plan = plan().storage(storage -> new SlowValues(storage, asked, back));
      try (TestNode node = TestNode.start(database, plan)) {
        Coded.signal(node, "large", "go", "!");
        Await.until("its value is read", TestNode.SOON, () -> asked.getCount() == 0);
        Coded.begin(
            node,
            "loops-meanwhile",
            ctx -> {
              while (!end.get()) Thread.onSpinWait();
              return null;
            });
        // By then the limit has passed for the other one as well.
        awaitStuck(node, "loops-meanwhile");
        assertThat(TestNode.await(node.workflows().incident(WorkflowId.of("large")))).isEmpty();
        back.countDown();
        assertThat(node.result("large")).isEqualTo("\"200000!\"");
        end.set(true);
        TestNode.await(node.workflows().terminate(WorkflowId.of("loops-meanwhile"), "enough"));
      }
    }
  }

  @Test
  void aQueryThatCannotReadAValueFailsAndTheWorkflowGoesOn() {
    GatedStorage[] storage = new GatedStorage[1];
    AtomicInteger runs = new AtomicInteger();
    try (TestDatabase database = TestDatabase.migrated()) {
      try (TestNode node = TestNode.start(database, plan())) {
        Coded.begin(
            node,
            "unread",
            ctx -> {
              Handle<String> large =
                  ctx.stepAsync(
                      "large",
                      StepOptions.DEFAULT,
                      () -> {
                        runs.incrementAndGet();
                        return "x".repeat(200_000);
                      });
              ctx.onQuery("length", () -> large.isDone() ? large.get().length() : 0);
              return ctx.awaitSignal("go", String.class);
            });
        Await.until("it is done", TestNode.SOON, () -> length(node).equals("200000"));
      }
      TestNode.Plan plan = plan().storage(real -> storage[0] = new GatedStorage(real));
      try (TestNode node = TestNode.start(database, plan)) {
        storage[0].largeValuesDown(true);
        assertThatThrownBy(() -> length(node))
            .hasCauseInstanceOf(WorkflowError.QueryFailed.class)
            .hasMessageContaining("Ask again")
            .hasMessageNotContaining("on purpose");
        storage[0].largeValuesDown(false);
        assertThat(length(node)).isEqualTo("200000");
        Coded.signal(node, "unread", "go", "bye");
        assertThat(node.result("unread")).isEqualTo("\"bye\"");
        assertThat(runs).hasValue(1);
      }
    }
  }

  private static String length(TestNode node) {
    return TestNode.text(
        TestNode.await(
            node.workflows().query(WorkflowId.of("unread"), "length", TestNode.json(null))));
  }

  /** Large values come when the test says so. */
  private static final class SlowValues extends ForwardingStorage {
    private final CountDownLatch asked;
    private final CountDownLatch back;

    SlowValues(Storage inner, CountDownLatch asked, CountDownLatch back) {
      super(inner);
      this.asked = asked;
      this.back = back;
    }

    @Override
    public Payloads payloads() {
      Payloads real = super.payloads();
      return (id, hash) -> {
        asked.countDown();
        try {
          back.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
        return real.load(id, hash);
      };
    }
  }
}
