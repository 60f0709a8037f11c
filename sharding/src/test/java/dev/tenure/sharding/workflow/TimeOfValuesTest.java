package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.host.OwnerLimits;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowInfo;
import dev.tenure.workflow.audit.HistoryAudit;
import dev.tenure.workflow.kernel.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The code has a value at once, and learns nothing when it is recorded: not how late it is either,
 * also where the value is recorded long after what the code reacted to.
 */
class TimeOfValuesTest {
  private static final Duration LATE = Duration.ofHours(1);

  private final TestLoopNode node = new TestLoopNode(OwnerLimits.DEFAULT);

  /** Learns by the signal that it is late, and decides by the length it has then. */
  private static Object late(WorkflowContext ctx) {
    Instant began = ctx.now();
    int value = ctx.record("value", Integer.class, () -> 7);
    Handle<String> go = ctx.signals("go", String.class).receiveAsync();
    ctx.await(Duration.ofDays(3), () -> ctx.now().isAfter(began));
    go.cancel("it is too late for this one");
    WorkflowInfo info = ctx.info();
    String length = info.historyEvents() + "/" + info.historyBytes();
    ctx.step("at " + length, () -> value);
    ctx.step("after", () -> value);
    return length + " " + ctx.awaitSignal("go", String.class) + ctx.awaitSignal("end", Void.class);
  }

  /** Its code could not go on when it began; what it asks for is granted when it is mended. */
  private void beginsAndIsMendedLate(String id) {
    node.begin(
        id,
        ctx -> {
          throw new AssertionError("not written yet");
        });
    node.pass(LATE);
    Coded.put(id, TimeOfValuesTest::late);
    node.workflows().resolveIncident(WorkflowId.of(id), "mended");
    node.quiet();
  }

  private void requireFits(String id) {
    assertThat(node.events(id).stream().filter(Event.IncidentRaised.class::isInstance))
        .as(id + " fits its history")
        .hasSizeLessThanOrEqualTo(1)
        .noneMatch(event -> event.toString().contains("Drift"));
    HistoryAudit audit = new HistoryAudit(id);
    for (var entry : Journal.steps(node.storage, id)) audit.commit(entry.events());
  }

  @Test
  void aReplayLearnsNoTimeByAValue() {
    beginsAndIsMendedLate("w");
    Instant recorded =
        node.events("w").stream()
            .filter(Event.ValueRecorded.class::isInstance)
            .map(Event::at)
            .findFirst()
            .orElseThrow();
    assertThat(recorded).isEqualTo(TestLoopNode.BEGIN.plus(LATE));
    node.signal("w", "go", "on");
    node.dies();
    node.signal("w", "end", null);

    requireFits("w");
    assertThat(node.result("w")).contains("on");
  }

  @Test
  void aForkLearnsNoTimeByAValue() {
    beginsAndIsMendedLate("w");
    node.signal("w", "go", "on");
    Coded.put("f", TimeOfValuesTest::late);
    node.workflows().fork(ForkRequest.of("w", "after#1", "f"));
    node.quiet();
    for (String id : List.of("w", "f")) {
      if (id.equals("f")) node.signal(id, "go", "on");
      node.signal(id, "end", null);
      requireFits(id);
    }
    assertThat(node.result("f")).isEqualTo(node.result("w"));
  }
}
