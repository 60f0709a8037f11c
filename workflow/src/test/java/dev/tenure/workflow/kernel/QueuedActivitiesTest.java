package dev.tenure.workflow.kernel;

import static dev.tenure.workflow.kernel.ActivityCalls.A;
import static dev.tenure.workflow.kernel.ActivityCalls.NO_EFFECT;
import static dev.tenure.workflow.kernel.ActivityCalls.TWICE;
import static dev.tenure.workflow.kernel.ActivityCalls.audited;
import static dev.tenure.workflow.kernel.ActivityCalls.keyed;
import static dev.tenure.workflow.kernel.ActivityCalls.keyedAndQueued;
import static dev.tenure.workflow.kernel.ActivityCalls.queued;
import static dev.tenure.workflow.kernel.Script.op;
import static dev.tenure.workflow.kernel.Script.par;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.lifecycle.WorkflowPhase;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.OperationSpec.Step;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An attempt that is with workers outlives its owner, and keeps no workflow in memory. */
class QueuedActivitiesTest {
  private static final Timeouts TEN_SECONDS = Timeouts.NONE.total(Duration.ofSeconds(10));

  static List<OperationSpec> both() {
    return List.of(queued(TWICE, Timeouts.NONE), keyedAndQueued(TWICE, Timeouts.NONE));
  }

  private static Shell started(OperationSpec call) {
    return audited(op("a", call));
  }

  private static Operation operation(Shell shell) {
    return shell.state().operation(A).orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("both")
  void aWorkflowWhoseCallsAreWithWorkersNeedNotBeInMemory(OperationSpec call) {
    Shell shell = started(call);
    assertThat(operation(shell).isWithWorkers()).isTrue();
    assertThat(shell.state().wakeAt()).isEqualTo(Wake.NEVER);
    assertThat(shell.state().status()).isEqualTo(Status.WAITING);
    assertThat(StateSnapshot.of(shell.state()).state().wakeAt()).isEqualTo(Wake.NEVER);
  }

  @Test
  void whatTheOwnersNodeRunsBesideKeepsItInMemory() {
    OperationSpec call = queued(TWICE, Timeouts.NONE);
    for (OperationSpec here : List.of(Step.DEFAULT, keyed(TWICE, Timeouts.NONE))) {
      Shell shell = audited(par(op("a", call), op("b", here)));
      assertThat(shell.state().wakeAt()).isEqualTo(Wake.NOW);
      assertThat(shell.state().status()).isEqualTo(Status.RUNNING);
      shell.succeed("b#1", "2");
      assertThat(shell.state().wakeAt()).isEqualTo(Wake.NEVER);
    }
  }

  @Test
  void itComesBackWhenTheTimeOfACallWithoutAKeyIsOver() {
    Shell shell = started(queued(TWICE, TEN_SECONDS));
    assertThat(shell.state().wakeAt()).isEqualTo(new Wake.At(Shell.EPOCH.plusSeconds(10)));
    shell.advance(Duration.ofSeconds(10));
    shell.due();
    assertThat(shell.effects(Effect.StopAttempt.class)).hasSize(1);
    assertThat(shell.events(Event.Completed.class))
        .extracting(Event.Completed::outcome)
        .allMatch(Outcome.TimedOut.class::isInstance);
  }

  /** The task ends itself: nobody may run it any more, and its owner asks the verifier. */
  @Test
  void aKeyedCallThatIsWithWorkersIsNotEndedByTheKernel() {
    Shell shell = started(keyedAndQueued(TWICE, TEN_SECONDS));
    assertThat(shell.state().wakeAt()).isEqualTo(Wake.NEVER);
    assertThat(operation(shell).deadline()).contains(Shell.EPOCH.plusSeconds(10));
    shell.advance(Duration.ofHours(1));
    shell.due();
    assertThat(shell.history).hasSize(1);
  }

  @ParameterizedTest
  @MethodSource("both")
  void aChangeOfOwnerIsNotCounted(OperationSpec call) {
    Shell shell = started(call);
    for (int crash = 1; crash <= 150; crash++) shell.recover();
    assertThat(shell.events(Event.Redelivered.class)).isEmpty();
    assertThat(shell.history).hasSize(1);
    assertThat(shell.state().incident()).isEmpty();
    assertThat(operation(shell).ledger()).hasToString("001100000000000");
    shell.succeed("a#1", "1");
    assertThat(shell.result()).isEqualTo("a#1=1;");
  }

  /** The commit stood, and its owner died before the task was seen by anybody. */
  @ParameterizedTest
  @MethodSource("both")
  void theNextOwnerHearsOfIt(OperationSpec call) {
    Shell shell = started(call);
    shell.recover();
    assertThat(shell.effects(Effect.RunActivity.class))
        .extracting(run -> run.operation() + "/" + run.attempt() + " " + run.proof())
        .containsExactly("a#1/1 NEEDED");
  }

  @Test
  void onlyWhatTheLostOwnerRanIsCounted() {
    Shell shell =
        audited(par(op("a", queued(TWICE, Timeouts.NONE)), op("b", keyed(TWICE, Timeouts.NONE))));
    shell.recover();
    assertThat(shell.events(Event.Redelivered.class))
        .singleElement()
        .satisfies(
            event ->
                assertThat(event.operations())
                    .extracting(one -> one.operation().value())
                    .containsExactly("b#1"));
    assertThat(shell.effects(Effect.RunActivity.class)).hasSize(2);
  }

  @Test
  void itWaitsForItsNextAttemptAsAnyOther() {
    Shell shell = started(queued(TWICE, Timeouts.NONE));
    shell.fail("a#1", 1, NO_EFFECT);
    assertThat(shell.state().wakeAt()).isEqualTo(new Wake.At(Shell.EPOCH.plusSeconds(1)));
    assertThat(shell.state().status()).isEqualTo(Status.RETRYING);
    shell.advance(Duration.ofSeconds(1));
    shell.due();
    assertThat(shell.state().wakeAt()).isEqualTo(Wake.NEVER);
    assertThat(shell.effects(Effect.RunActivity.class)).hasSize(2);
  }

  /** Nobody wants it any more: whoever has it is told so. */
  @ParameterizedTest
  @MethodSource("both")
  void theEndOfTheRunGivesItUp(OperationSpec call) {
    Shell shell = started(call);
    shell.tell(new Command.Terminate("enough"));
    assertThat(shell.state().phase()).isEqualTo(WorkflowPhase.CLOSED);
    assertThat(shell.events(Event.Abandoned.class)).hasSize(1);
    assertThat(shell.effects(Effect.StopAttempt.class)).hasSize(1);
  }

  @ParameterizedTest
  @MethodSource("both")
  void theNextRunDoesNotTakeItOver(OperationSpec call) {
    Shell shell = audited(par(op("a", call), op("b", Step.DEFAULT)));
    shell.commit(
        new Command.AttemptEnded(new OperationId("b#1"), 1, Outcome.DONE),
        Wishes.of(new Wish.ContinueAsNew(Script.text("next"), Optional.empty())));
    Event.ContinuedAsNew next = shell.events(Event.ContinuedAsNew.class).getFirst();
    assertThat(next.carried()).isEmpty();
    assertThat(shell.events(Event.Abandoned.class)).hasSize(1);
  }

  /** Its outcome is on record, and its program learns it when the workflow goes on. */
  @ParameterizedTest
  @MethodSource("both")
  void anOutcomeThatComesWhileTheWorkflowIsHeldIsKept(OperationSpec call) {
    Shell shell = started(call);
    shell.tell(new Command.Pause("look"));
    assertThat(shell.state().wakeAt()).isEqualTo(Wake.NEVER);
    shell.recover();
    shell.succeed("a#1", "1");
    assertThat(shell.state().withheld()).hasSize(1);
    shell.tell(new Command.Resume());
    assertThat(shell.result()).isEqualTo("a#1=1;");
  }

  /** It was released while no owner had it: the tasks that are out are heard of again. */
  @ParameterizedTest
  @MethodSource("both")
  void whatIsOutIsHeardOfWhenAnIncidentIsResolved(OperationSpec call) {
    Shell shell = started(call);
    shell.tell(new Command.RaiseIncident(new Incident.Other("test", "look")));
    shell.recover();
    assertThat(shell.effects).isEmpty();
    shell.tell(new Command.ResolveIncident("go"));
    assertThat(shell.effects(Effect.RunActivity.class)).hasSize(1);
    assertThat(shell.events(Event.Redelivered.class)).isEmpty();
  }
}
