package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.payload.Payloads;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The store is away for longer than leases live. */
class OutageTest {
  private static final int WORKFLOWS = 100;
  private static final Duration OUTAGE = Duration.ofSeconds(10);

  @Test
  void tenSecondsWithoutTheStoreLoseNothing() {
    AtomicReference<GatedStorage> gates = new AtomicReference<>();
    TestNode.Plan plan =
        new TestNode.Plan()
            .with(Coded.class, Coded::new)
            .with(LoadedNode.TenSteps.class, LoadedNode.TenSteps::new)
            .storage(
                inner -> {
                  gates.set(new GatedStorage(inner));
                  return gates.get();
                });
    try (TestNode node = TestNode.start(plan)) {
      AtomicInteger ticks = new AtomicInteger();
      Coded.begin(
          node,
          "asked",
          ctx -> {
            ctx.onUpdate("tick", Integer.class, number -> ctx.step("t", ticks::incrementAndGet));
            return ctx.awaitSignal("go", String.class);
          });
      for (int i = 0; i < WORKFLOWS; i++) node.begin("steps-" + i, "ten-steps", null);
      gates.get().down(true);
      Coded.put("late", ctx -> "started");
      CompletionStage<StartResult> late =
          node.workflows().start(StartRequest.of("late", "coded", TestNode.json(null)));
      CompletionStage<Outcome> update =
          node.workflows().update(WorkflowId.of("asked"), "u", "tick", TestNode.json(1));
      Await.pass(OUTAGE);
      gates.get().down(false);

      assertThat(TestNode.await(late)).isInstanceOf(StartResult.Started.class);
      assertThat(TestNode.await(update)).isInstanceOf(Outcome.Succeeded.class);
      assertThat(node.result("late")).isEqualTo("\"started\"");
      List<Event> all = new ArrayList<>();
      for (int i = 0; i < WORKFLOWS; i++) {
        assertThat(node.result("steps-" + i)).isEqualTo("\"0123456789\"");
        all.addAll(Journal.whole(node.storage, "steps-" + i));
      }
      assertThat(all).as("work was cut off").anyMatch(Event.Redelivered.class::isInstance);
      Coded.signal(node, "asked", "go", "on");
      assertThat(node.result("asked")).isEqualTo("\"on\"");
      assertThat(
              Journal.whole(node.storage, "asked").stream()
                  .filter(Event.UpdateAnswered.class::isInstance))
          .hasSize(1);
    }
  }

  /** Takes a large input, and needs it after the signal once more. */
  @Workflow(name = "hungry")
  public static class Hungry {
    public int run(WorkflowContext ctx, String input) {
      String kept = ctx.step("keep", () -> input);
      return ctx.awaitSignal("go", Integer.class) + input.length() + kept.length();
    }
  }

  @Test
  void aLargeValueThatCannotBeReadForAWhileEndsNothing() {
    AtomicReference<GatedStorage> gates = new AtomicReference<>();
    TestNode.Plan plan =
        new TestNode.Plan()
            .with(Hungry.class, Hungry::new)
            .settings(given -> given.withRest(Duration.ofMillis(50), 0))
            .storage(
                inner -> {
                  gates.set(new GatedStorage(inner));
                  return gates.get();
                });
    int large = 2 * Payloads.APART_BYTES;
    try (TestNode node = TestNode.start(plan)) {
      node.begin("hungry", "hungry", "x".repeat(large));
      Await.until(
          "it waits",
          TestNode.SOON,
          () ->
              node.node.resident() == 0
                  && node.storage.workflows().find(WorkflowId.of("hungry")).orElseThrow().status()
                      == Status.WAITING);
      gates.get().largeValuesDown(true);
      Coded.signal(node, "hungry", "go", 1);
      Await.until("it was asked for", TestNode.SOON, () -> gates.get().unread() > 0);
      gates.get().largeValuesDown(false);

      assertThat(node.result("hungry")).isEqualTo(Integer.toString(1 + 2 * large));
      assertThat(node.events("hungry")).noneMatch(Event.IncidentRaised.class::isInstance);
    }
  }
}
