package dev.tenure.simulation;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.audit.Violation;
import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.collation.GuidLedger;
import dev.tenure.workflow.collation.Inception;
import dev.tenure.workflow.kernel.Digits;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Fork;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** From which commit on a fork of a workflow that was to stop begins nothing more. */
class StoppingTest {
  private static final Instant AT = Instant.parse("2026-03-01T09:00:00Z");
  private static final OperationId STEP = new OperationId("charge#1");

  private final Stopping stopping = new Stopping(false);

  private static Event scheduled() {
    return new Event.Scheduled(AT, STEP, OperationSpec.Step.DEFAULT, ActivityLedger.NEW);
  }

  private void forkOfOneThatWasToStop() {
    Digits digits =
        new Digits(ActivityLedger.NEW, GuidLedger.LEG1, Inception.create(1).semaphore());
    Fork.Source source = new Fork.Source(WorkflowId.of("source"), "run", 3, STEP);
    stopping.commit(
        "fork",
        List.of(
            new Event.CancelRequested(AT, "changed my mind", digits),
            new Event.Forked(AT, source)));
  }

  @Test
  void aForkMayAskAnewForWhatItsSourceHadAskedForBefore() {
    forkOfOneThatWasToStop();
    assertThatCode(() -> stopping.commit("fork", List.of(scheduled()))).doesNotThrowAnyException();
  }

  @Test
  void aForkThatBeginsSomethingAfterItsCodeWasToldIsFound() {
    forkOfOneThatWasToStop();
    stopping.commit("fork", List.of(new Event.AttributesChanged(AT, Map.of())));
    assertThatThrownBy(() -> stopping.commit("fork", List.of(scheduled())))
        .isInstanceOf(Violation.class)
        .hasMessageContaining("charge#1");
  }
}
