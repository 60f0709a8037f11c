package dev.tenure.workflow.kernel;

import static dev.tenure.workflow.kernel.Script.op;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Timeouts;
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
    assertThat(shell.state.status()).isEqualTo(Status.RUNNING);
    shell.recover();
    shell.succeed("undo#1", "");
    assertThat(shell.state.status()).isEqualTo(Status.TIMED_OUT);
    assertThat(shell.state.outcome()).contains(new Outcome.TimedOut(Limits.DEADLINE));
  }

  @Test
  void whoHasNothingToUndoTimesOutAtOnce() {
    Shell shell = started(null);
    shell.advance(MINUTE);
    shell.due();
    assertThat(shell.state.status()).isEqualTo(Status.TIMED_OUT);
  }

  @Test
  void undoingHasItsOwnBound() {
    Shell shell = started(UNDO);
    shell.advance(MINUTE);
    shell.due();
    assertThat(shell.state.wakeAt()).isEqualTo(Wake.NOW);
    assertThat(shell.state.deadline())
        .contains(Shell.EPOCH.plus(MINUTE).plus(Limits.EXECUTION_TIMEOUT_GRACE));
    shell.advance(Limits.EXECUTION_TIMEOUT_GRACE.minusNanos(1));
    shell.due();
    assertThat(shell.state.outcome()).isEmpty();
    shell.advance(Duration.ofNanos(1));
    shell.due();
    assertThat(shell.state.status()).isEqualTo(Status.TIMED_OUT);
  }

  @Test
  void whatASagaUndoesIsNotCutShort() {
    Script.Part undo =
        op(
            "undo",
            new Step(
                RetryPolicy.NONE.thenIncident(),
                Timeouts.DEFAULT,
                Optional.of(new OperationSpec.Undo("saga#1", 1, Optional.empty()))));
    Shell shell = started(undo);
    shell.advance(MINUTE);
    shell.due();
    assertThat(shell.state.deadline()).isEmpty();
    shell.fail("undo#1", 1, Failure.permanent("Down", "the bank"));
    assertThat(shell.state.status()).isEqualTo(Status.INCIDENT);
    assertThat(shell.state.wakeAt()).isEqualTo(Wake.NEVER);
    shell.advance(Limits.EXECUTION_TIMEOUT_GRACE.plus(MINUTE));
    shell.due();
    assertThat(shell.state.status()).isEqualTo(Status.INCIDENT);
    shell.tell(new Command.ResolveIncident("the bank is back"));
    shell.due();
    shell.succeed("undo#1", 2, "");
    assertThat(shell.state.status()).isEqualTo(Status.TIMED_OUT);
  }

  private static Script.Part undo(String name) {
    return op(
        name,
        new Step(
            RetryPolicy.NONE.thenIncident(),
            Timeouts.DEFAULT,
            Optional.of(new OperationSpec.Undo("saga#1", 1, Optional.empty()))));
  }

  @Test
  void aPauseBetweenTwoCompensationsCutsNoneOfThem() {
    Shell shell = started(Script.seq(undo("undo b"), undo("undo a")));
    shell.advance(MINUTE);
    shell.due();
    shell.tell(new Command.Pause("look"));
    shell.succeed("undo b#1", "");
    assertThat(shell.state.nextDue()).isEmpty();
    shell.advance(Limits.EXECUTION_TIMEOUT_GRACE.plus(MINUTE));
    shell.due();
    shell.recover();
    assertThat(shell.state.status()).isEqualTo(Status.PAUSED);
    shell.tell(new Command.Resume());
    shell.due();
    assertThat(shell.state.operation(new OperationId("undo a#1"))).isPresent();
    shell.succeed("undo a#1", "");
    assertThat(shell.state.status()).isEqualTo(Status.TIMED_OUT);
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
    assertThat(shell.state.status()).isEqualTo(Status.INCIDENT);
    shell.tell(new Command.Resume());
    assertThat(shell.state.deadline()).isEmpty();
    shell.tell(new Command.ResolveIncident("seen"));
    assertThat(shell.state.operation(new OperationId("undo#1"))).isPresent();
    assertThat(shell.state.deadline()).contains(shell.now.plus(Limits.EXECUTION_TIMEOUT_GRACE));
    shell.recover();
    shell.advance(Limits.EXECUTION_TIMEOUT_GRACE);
    shell.due();
    assertThat(shell.state.status()).isEqualTo(Status.TIMED_OUT);
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
    assertThat(shell.state.status()).isEqualTo(Status.RUNNING);
  }

  @Test
  void whoWasAskedToCancelBeforeIsNotAskedTwice() {
    Shell shell = started(UNDO);
    shell.tell(new Command.Cancel("changed my mind"));
    shell.advance(MINUTE);
    shell.due();
    assertThat(shell.events(Event.DeadlinePassed.class).getFirst().asks()).isFalse();
    shell.succeed("undo#1", "");
    assertThat(shell.state.status()).isEqualTo(Status.CANCELLED);
  }

  @Test
  void whoIsStoppedByItsTimeoutIsNotCancelledAsWell() {
    Shell shell = started(UNDO);
    shell.advance(MINUTE);
    shell.due();
    assertThat(shell.tell(new Command.Cancel("too late"))).isInstanceOf(Reply.AlreadyDone.class);
  }
}
