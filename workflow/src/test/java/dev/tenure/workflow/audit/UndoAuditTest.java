package dev.tenure.workflow.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The order in which a saga may be undone, and what is found when it is another one. */
class UndoAuditTest {
  private final UndoAudit audit = new UndoAudit();

  private static OperationId id(String name) {
    return new OperationId(name + "#1");
  }

  private void done(String... steps) {
    for (String step : steps) {
      assertThat(audit.asked(id(step), OperationSpec.Step.DEFAULT)).isEmpty();
      audit.over(id(step));
    }
  }

  private Optional<String> ask(String saga, int position, String step) {
    return audit.asked(
        id("undo " + step),
        OperationSpec.Step.compensation(
            RetryPolicy.COMPENSATION,
            Timeouts.DEFAULT,
            new OperationSpec.Undo(saga, position, Optional.of(id(step)))));
  }

  private Optional<String> undo(String saga, int position, String step) {
    Optional<String> problem = ask(saga, position, step);
    audit.over(id("undo " + step));
    return problem;
  }

  @Test
  void theNewestFirstIsRight() {
    done("a", "b", "c");
    assertThat(undo("saga#1", 3, "c")).isEmpty();
    assertThat(undo("saga#1", 2, "b")).isEmpty();
    assertThat(undo("saga#1", 1, "a")).isEmpty();
  }

  @Test
  void whatWasDoneAfterACompensationMayBeUndoneAfterIt() {
    done("a");
    assertThat(undo("saga#1", 1, "a")).isEmpty();
    done("b");
    assertThat(undo("saga#1", 2, "b")).isEmpty();
  }

  @Test
  void sagasDoNotWaitForEachOther() {
    done("a", "b");
    assertThat(ask("saga#1", 1, "a")).isEmpty();
    assertThat(ask("saga#2", 1, "b")).isEmpty();
  }

  @Test
  void theOldestFirstIsFound() {
    done("a", "b");
    assertThat(undo("saga#1", 1, "a")).isEmpty();
    assertThat(undo("saga#1", 2, "b")).contains("compensation 1 was asked for before it");
  }

  @Test
  void undoingTwiceIsFound() {
    done("a");
    assertThat(undo("saga#1", 1, "a")).isEmpty();
    assertThat(undo("saga#1", 1, "a")).contains("its saga asked for it before");
    assertThat(undo("saga#1", 2, "a")).contains("step a#1 is undone twice");
  }

  @Test
  void undoingWhatIsNotOverIsFound() {
    assertThat(undo("saga#1", 1, "a")).contains("step a#1 is not over");
  }

  @Test
  void undoingTwoAtATimeIsFound() {
    done("a", "b");
    assertThat(ask("saga#1", 2, "b")).isEmpty();
    assertThat(ask("saga#1", 1, "a")).contains("undo b#1 of its saga is still open");
  }

  private void begin(String step) {
    OperationSpec spec = OperationSpec.Step.ofSaga(RetryPolicy.DEFAULT, Timeouts.DEFAULT, "saga#1");
    assertThat(audit.asked(id(step), spec)).isEmpty();
  }

  private void cut(String step) {
    begin(step);
    audit.abandoned(id(step));
  }

  @Test
  void leavingAStepOfASagaOpenIsFound() {
    begin("a");
    assertThat(audit.ended(new Outcome.TimedOut("its time")))
        .contains("step a#1 of a saga is cut short");
    assertThat(audit.ended(new Outcome.Terminated("enough"))).isEmpty();
  }

  @Test
  void beginningTheNextRunWhileAStepOfASagaIsOpenIsFound() {
    begin("a");
    assertThat(audit.continued()).contains("step a#1 of a saga is cut short");
  }

  @Test
  void beginningTheNextRunAfterAStepOfASagaWasCutShortIsFound() {
    cut("a");
    assertThat(audit.continued()).contains("step a#1 of a saga is cut short");
    audit.forget();
    assertThat(audit.continued()).isEmpty();
  }

  @Test
  void cuttingAStepOfASagaShortIsFound() {
    cut("a");
    assertThat(audit.ended(new Outcome.TimedOut("its time")))
        .contains("step a#1 of a saga is cut short");
  }

  @Test
  void whoTerminatesAWorkflowMayCutAStepOfASagaShort() {
    cut("a");
    assertThat(audit.ended(new Outcome.Terminated("enough"))).isEmpty();
  }

  @Test
  void aStrictResourceVerifierMayCutAStepOfASagaShort() {
    cut("a");
    assertThat(audit.ended(new Outcome.Failed(Failure.permanent("bank.Down", "it is gone"))))
        .isPresent();
    assertThat(
            audit.ended(
                new Outcome.Failed(Failure.permanent(Failure.RESOURCE_DIFFERS, "it is gone"))))
        .isEmpty();
  }
}
