package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.StartPolicy;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What it costs to ask for the result of a run again and again, as callers over HTTP do. */
class PolledResultsTest {
  private static final String ID = "polled";
  private static final AtomicInteger LIVE = new AtomicInteger();

  private static Object renewing(WorkflowContext ctx) {
    ctx.step("live", LIVE::incrementAndGet);
    String go = ctx.awaitSignal("go", String.class);
    return go.equals("next") ? ctx.continueAsNew(null) : "end";
  }

  private static void pollInVain(TestNode node, String runId) {
    Duration moment = Duration.ofMillis(50);
    assertThat(
            TestNode.await(node.workflows().result(WorkflowId.of(ID), Optional.of(runId), moment)))
        .isEmpty();
  }

  @Test
  void whoWaitsForARunAgainAndAgainReadsTheJournalOnceAtMost() {
    AtomicReference<GatedStorage> made = new AtomicReference<>();
    TestNode.Plan plan =
        new TestNode.Plan()
            .with(Coded.class, Coded::new)
            .storage(
                inner -> {
                  made.set(new GatedStorage(inner));
                  return made.get();
                });
    try (TestNode node = TestNode.start(plan)) {
      Coded.run(node, ID, ctx -> "first start");
      Coded.put(ID, PolledResultsTest::renewing);
      List<String> runIds = new ArrayList<>();
      runIds.add(
          TestNode.await(
                  node.workflows()
                      .start(
                          StartRequest.of(ID, "coded", TestNode.json(null))
                              .ifTaken(StartPolicy.ALLOW_IF_CLOSED)))
              .runId());
      for (int run = 1; run <= 3; run++) {
        int live = run;
        // The run's own owner is there, and reads nothing any more.
        Await.until("run " + run + " runs", TestNode.SOON, () -> LIVE.get() == live);
        if (run > 1) runIds.add(node.describe(ID).runId());
        if (run < 3) Coded.signal(node, ID, "go", "next");
      }
      assertThat(runIds).doesNotHaveDuplicates();
      int before = made.get().reads();
      pollInVain(node, runIds.get(0));
      pollInVain(node, runIds.get(0));
      pollInVain(node, runIds.get(2));
      assertThat(made.get().reads()).as("of the first and the newest run").isEqualTo(before);
      pollInVain(node, runIds.get(1));
      pollInVain(node, runIds.get(1));
      assertThat(made.get().reads()).as("of the one between").isEqualTo(before + 1);
      Coded.signal(node, ID, "go", "end");
      for (String runId : runIds)
        assertThat(
                TestNode.await(
                        node.workflows()
                            .result(WorkflowId.of(ID), Optional.of(runId), TestNode.SOON))
                    .orElseThrow()
                    .status())
            .isEqualTo(Status.COMPLETED);
    }
  }
}
