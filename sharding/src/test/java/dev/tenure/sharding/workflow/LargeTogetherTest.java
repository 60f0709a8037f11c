package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Sizes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Results and signals that come in together, each as large as one commit takes of them: the code is
 * told of each once.
 */
class LargeTogetherTest {
  private static final ActivityDefinition<Integer, String> LARGE =
      ActivityDefinition.of("large", Integer.class, String.class);

  /** Below what is kept apart from the journal. */
  private static final int BYTES = 61_500;

  private static final int RESULTS = 34;
  private static final int SIGNALS = 35;
  private static final String SUM = "" + (RESULTS + SIGNALS) * BYTES;

  private final AtomicInteger calls = new AtomicInteger();
  private final TestLoopNode node =
      new TestLoopNode(
          ActivityRegistration.of(
              LARGE,
              (call, number) -> {
                calls.incrementAndGet();
                return "r".repeat(BYTES);
              }));

  /** Asks for all of it at once, when the signals are in its inbox already. */
  private int sum(WorkflowContext ctx) {
    ctx.awaitSignal("go", String.class);
    List<Handle<String>> all = new ArrayList<>();
    // First, so that its inbox is read before an activity has ended.
    for (int i = 0; i < SIGNALS; i++) all.add(ctx.signals("item", String.class).receiveAsync());
    for (int i = 0; i < RESULTS; i++) all.add(ctx.activityAsync(LARGE, i));
    int sum = 0;
    for (Handle<String> one : all) sum += one.get().length();
    return sum;
  }

  private void goes(String id) {
    for (int i = 0; i < SIGNALS; i++) node.signal(id, "item", "s".repeat(BYTES));
    node.signal(id, "go", "now");
  }

  private static long bytes(JournalEntry entry) {
    return entry.events().stream().mapToLong(Sizes::payloadBytes).sum();
  }

  private void eachCameOnce(String id) {
    List<Event> events = node.events(id);
    assertThat(events).noneMatch(Event.IncidentRaised.class::isInstance);
    assertThat(events).noneMatch(Event.Redelivered.class::isInstance);
    assertThat(events).noneMatch(Event.SignalReturned.class::isInstance);
    assertThat(calls).hasValue(RESULTS);
    List<JournalEntry> large =
        Journal.steps(node.storage, id).stream()
            .filter(entry -> bytes(entry) > Commit.MAX_PAYLOAD_BYTES / 4)
            .toList();
    assertThat(large.stream().mapToLong(LargeTogetherTest::bytes).sum())
        .as("all of it would not fit")
        .isGreaterThan(Commit.MAX_PAYLOAD_BYTES);
    assertThat(large)
        .as("one of all results, and one of all signals")
        .extracting(entry -> entry.head().version())
        .hasSize(2)
        .satisfies(versions -> assertThat(versions.getLast()).isEqualTo(versions.getFirst() + 1));
  }

  @Test
  void codeThatGoesOnWaitingIsToldOfEachOnce() {
    node.begin(
        "waits",
        ctx -> {
          Handle<String> end = ctx.signals("end", String.class).receiveAsync();
          int sum = sum(ctx);
          return end.get() + sum;
        });
    goes("waits");
    node.signal("waits", "end", "all: ");
    assertThat(node.result("waits")).isEqualTo("\"all: " + SUM + "\"");
    eachCameOnce("waits");
  }

  @Test
  void codeThatGoesOnWithThemIsToldOfEachOnce() {
    node.begin("ends", ctx -> sum(ctx) + ctx.step("more", () -> 0));
    goes("ends");
    assertThat(node.result("ends")).isEqualTo(SUM);
    eachCameOnce("ends");
  }
}
