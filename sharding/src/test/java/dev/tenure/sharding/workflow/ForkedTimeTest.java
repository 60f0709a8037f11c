package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.host.OwnerLimits;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.audit.HistoryAudit;
import dev.tenure.workflow.kernel.Event;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What the code of a fork knows of the time at which its source learned something. */
class ForkedTimeTest {
  private final TestLoopNode node = new TestLoopNode(OwnerLimits.DEFAULT);

  /** Learns that a second is over by the very signal that it does not want any more by then. */
  private static Object late(WorkflowContext ctx) {
    Handle<String> early = ctx.signals("go", String.class).receiveAsync();
    Instant until = ctx.now().plusSeconds(1);
    ctx.await(Duration.ofDays(3), () -> !ctx.now().isBefore(until));
    early.cancel("it is too late for this one");
    return ctx.step("asked", () -> "went ") + ctx.awaitSignal("go", String.class);
  }

  private void fork(String source, String id) {
    Coded.put(id, ForkedTimeTest::late);
    node.workflows().fork(ForkRequest.of(source, "asked#1", id));
    node.quiet();
    HistoryAudit audit = new HistoryAudit(id);
    for (var entry : Journal.steps(node.storage, id)) audit.commit(entry.events());
  }

  @Test
  void aForkLearnsHowLateItIsBySignalsThatWentBack() {
    node.begin("w", ForkedTimeTest::late);
    node.pass(Duration.ofMinutes(1));
    node.signal("w", "go", "on");
    assertThat(node.result("w")).isEqualTo("\"went on\"");
    assertThat(node.events("w")).hasAtLeastOneElementOfType(Event.SignalReturned.class);

    fork("w", "f");
    fork("f", "g");
    node.dies();
    for (String id : new String[] {"f", "g"}) {
      node.signal(id, "go", "on");
      assertThat(node.events(id)).as(id).hasAtLeastOneElementOfType(Event.Ended.class);
      assertThat(node.result(id)).isEqualTo("\"went on\"");
    }
  }
}
