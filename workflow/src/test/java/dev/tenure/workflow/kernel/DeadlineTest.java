package dev.tenure.workflow.kernel;

import static dev.tenure.workflow.kernel.Script.op;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.collation.GuidLedger;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.OperationSpec.Step;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the end of its time means to a workflow that may have something to undo. */
class DeadlineTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Script.Part A = op("a", Step.DEFAULT);
  private static final Script.Part UNDO = op("undo", Step.DEFAULT);

  private static Shell started(Script.Part undo) {
    Shell shell = new Shell(Kernel.standard(), () -> new Script(A, Optional.ofNullable(undo)));
    shell.tell(new Command.StartWorkflow(Shell.start("w", Optional.empty(), Optional.of(MINUTE))));
    return shell;
  }

  @Test
  void whatTimedOutIsUndoneBeforeItEnds() {
    Shell shell = started(UNDO);
    shell.advance(MINUTE);
    shell.due();
    assertThat(shell.lastCommit())
        .hasExactlyElementsOfTypes(
            Event.DeadlinePassed.class, Event.Abandoned.class, Event.Scheduled.class);
    assertThat(shell.state().status()).isEqualTo(Status.RUNNING);
    shell.recover();
    shell.succeed("undo#1", "");
    assertThat(shell.state().status()).isEqualTo(Status.TIMED_OUT);
    assertThat(shell.state().outcome()).contains(new Outcome.TimedOut(Limits.DEADLINE));
  }

  @Test
  void whoHasNothingToUndoTimesOutAtOnce() {
    Shell shell = started(null);
    shell.advance(MINUTE);
    shell.due();
    assertThat(shell.state().status()).isEqualTo(Status.TIMED_OUT);
  }

  @Test
  void undoingHasItsOwnBound() {
    Shell shell = started(UNDO);
    shell.advance(MINUTE);
    shell.due();
    assertThat(shell.state().wakeAt()).isEqualTo(Wake.NOW);
    assertThat(shell.state().deadline())
        .contains(Shell.EPOCH.plus(MINUTE).plus(Limits.EXECUTION_TIMEOUT_GRACE));
    shell.advance(Limits.EXECUTION_TIMEOUT_GRACE.minusNanos(1));
    shell.due();
    assertThat(shell.state().outcome()).isEmpty();
    shell.advance(Duration.ofNanos(1));
    shell.due();
    assertThat(shell.state().status()).isEqualTo(Status.TIMED_OUT);
  }

  @Test
  void whatASagaUndoesIsNotCutShort() {
    Shell shell = started(undo("undo"));
    shell.advance(MINUTE);
    shell.due();
    assertThat(shell.state().deadline()).isEmpty();
    shell.fail("undo#1", 1, Failure.permanent("Down", "the bank"));
    assertThat(shell.state().status()).isEqualTo(Status.INCIDENT);
    assertThat(shell.state().wakeAt()).isEqualTo(Wake.NEVER);
    shell.advance(Limits.EXECUTION_TIMEOUT_GRACE.plus(MINUTE));
    shell.due();
    assertThat(shell.state().status()).isEqualTo(Status.INCIDENT);
    shell.tell(new Command.ResolveIncident("the bank is back"));
    shell.due();
    shell.succeed("undo#1", 2, "");
    assertThat(shell.state().status()).isEqualTo(Status.TIMED_OUT);
  }

  @Test
  void whatASagaMayHaveToUndoIsNotCutShort() {
    Script.Part charge = op("charge", Step.ofSaga(RetryPolicy.NONE, Timeouts.NONE, "saga#1"));
    Shell shell = started(Script.seq(charge, undo("undo charge")));
    shell.advance(MINUTE);
    shell.due();
    assertThat(shell.state().deadline()).isEmpty();
    shell.advance(Limits.EXECUTION_TIMEOUT_GRACE.plus(MINUTE));
    shell.due();
    shell.recover();
    shell.succeed("charge#1", "");
    assertThat(shell.state().deadline()).isEmpty();
    shell.due();
    shell.succeed("undo charge#1", "");
    assertThat(shell.state().status()).isEqualTo(Status.TIMED_OUT);
  }

  @Test
  void theGraceCountsAnewFromTheEndOfWhatASagaMayHaveToUndo() {
    Step patient = new Step(RetryPolicy.NONE, Timeouts.NONE);
    Script.Part charge = op("charge", Step.ofSaga(RetryPolicy.NONE, Timeouts.NONE, "saga#1"));
    Shell shell = started(Script.seq(charge, op("release", patient), undo("undo charge"), UNDO));
    shell.advance(MINUTE);
    shell.due();
    shell.advance(Limits.EXECUTION_TIMEOUT_GRACE.plus(MINUTE));
    shell.due();
    shell.succeed("charge#1", "");
    assertThat(shell.state().deadline()).contains(shell.now.plus(Limits.EXECUTION_TIMEOUT_GRACE));
    shell.advance(Limits.EXECUTION_TIMEOUT_GRACE.minus(MINUTE));
    shell.due();
    shell.succeed("release#1", "");
    shell.advance(MINUTE.plus(MINUTE));
    shell.due();
    shell.succeed("undo charge#1", "");
    assertThat(shell.state().deadline()).contains(shell.now.plus(Limits.EXECUTION_TIMEOUT_GRACE));
    shell.advance(Limits.EXECUTION_TIMEOUT_GRACE);
    shell.due();
    assertThat(shell.state().status()).isEqualTo(Status.TIMED_OUT);
    assertThat(shell.state().operation(new OperationId("undo#1"))).isEmpty();
  }

  @Test
  void aRunWhoseCounterIsAlmostFullIsAskedToStopLikeAnyOther() {
    Script.Part charge = op("charge", Step.ofSaga(RetryPolicy.NONE, Timeouts.NONE, "saga#1"));
    Shell shell =
        new Shell(Kernel.standard(), () -> new Script(charge, Optional.of(undo("undo charge"))));
    shell.tell(new Command.StartWorkflow(Shell.start("w", Optional.empty(), Optional.of(MINUTE))));
    shell.evolve(
        new Event.CodeRevised(
            shell.now,
            new Digits(
                new ActivityLedger(1_100_099_999_000L),
                GuidLedger.LEG1,
                shell.state().semaphore())));
    shell.advance(MINUTE);
    shell.due();
    assertThat(shell.lastCommit()).hasAtLeastOneElementOfType(Event.DeadlinePassed.class);
    assertThat(shell.state().outcome()).isEmpty();
  }

  private static Script.Part undo(String name) {
    return op(
        name,
        Step.compensation(
            RetryPolicy.NONE.thenIncident(),
            Timeouts.DEFAULT,
            new OperationSpec.Undo("saga#1", 1, Optional.empty())));
  }

  @Test
  void aPauseBetweenTwoCompensationsCutsNoneOfThem() {
    Shell shell = started(Script.seq(undo("undo b"), undo("undo a")));
    shell.advance(MINUTE);
    shell.due();
    shell.tell(new Command.Pause("look"));
    shell.succeed("undo b#1", "");
    assertThat(shell.state().nextDue()).isEmpty();
    shell.advance(Limits.EXECUTION_TIMEOUT_GRACE.plus(MINUTE));
    shell.due();
    shell.recover();
    assertThat(shell.state().status()).isEqualTo(Status.PAUSED);
    shell.tell(new Command.Resume());
    shell.due();
    assertThat(shell.state().operation(new OperationId("undo a#1"))).isPresent();
    shell.succeed("undo a#1", "");
    assertThat(shell.state().status()).isEqualTo(Status.TIMED_OUT);
  }

  @Test
  void theGraceCountsAnewFromTheReleaseOfWhatWasHeld() {
    Shell shell = started(UNDO);
    shell.tell(new Command.Pause("look"));
    shell.advance(MINUTE);
    shell.due();
    shell.tell(new Command.RaiseIncident(new Incident.Other("test", "look")));
    shell.advance(Limits.EXECUTION_TIMEOUT_GRACE.plus(MINUTE));
    shell.due();
    assertThat(shell.state().status()).isEqualTo(Status.INCIDENT);
    shell.tell(new Command.Resume());
    assertThat(shell.state().deadline()).isEmpty();
    shell.tell(new Command.ResolveIncident("seen"));
    assertThat(shell.state().operation(new OperationId("undo#1"))).isPresent();
    assertThat(shell.state().deadline()).contains(shell.now.plus(Limits.EXECUTION_TIMEOUT_GRACE));
    shell.recover();
    shell.advance(Limits.EXECUTION_TIMEOUT_GRACE);
    shell.due();
    assertThat(shell.state().status()).isEqualTo(Status.TIMED_OUT);
  }

  @Test
  void aRetryThatAPauseKeepsWaitingDoesNotUseUpTheGrace() {
    Shell shell = started(UNDO);
    shell.advance(MINUTE);
    shell.due();
    shell.fail("undo#1", 1, Failure.retryable("Down", "the bank"));
    shell.tell(new Command.Pause("look"));
    shell.advance(Limits.EXECUTION_TIMEOUT_GRACE.plus(MINUTE));
    shell.due();
    shell.tell(new Command.Resume());
    shell.due();
    assertThat(shell.state().status()).isEqualTo(Status.RUNNING);
  }

  @Test
  void whoWasAskedToCancelBeforeIsNotAskedTwice() {
    Shell shell = started(UNDO);
    shell.tell(new Command.Cancel("changed my mind"));
    shell.advance(MINUTE);
    shell.due();
    assertThat(shell.events(Event.DeadlinePassed.class).getFirst().asks()).isFalse();
    shell.succeed("undo#1", "");
    assertThat(shell.state().status()).isEqualTo(Status.CANCELLED);
  }

  @Test
  void whoIsStoppedByItsTimeoutIsNotCancelledAsWell() {
    Shell shell = started(UNDO);
    shell.advance(MINUTE);
    shell.due();
    assertThat(shell.tell(new Command.Cancel("too late"))).isInstanceOf(Reply.AlreadyDone.class);
  }
}
