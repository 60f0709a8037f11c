package dev.tenure.workflow.kernel;

import static dev.tenure.workflow.kernel.ActivityCalls.A;
import static dev.tenure.workflow.kernel.ActivityCalls.NO_EFFECT;
import static dev.tenure.workflow.kernel.ActivityCalls.OFTEN;
import static dev.tenure.workflow.kernel.ActivityCalls.RESET;
import static dev.tenure.workflow.kernel.ActivityCalls.TWICE;
import static dev.tenure.workflow.kernel.ActivityCalls.UNPROVEN;
import static dev.tenure.workflow.kernel.ActivityCalls.after;
import static dev.tenure.workflow.kernel.ActivityCalls.failTwice;
import static dev.tenure.workflow.kernel.ActivityCalls.keyed;
import static dev.tenure.workflow.kernel.ActivityCalls.newest;
import static dev.tenure.workflow.kernel.ActivityCalls.nextAttempt;
import static dev.tenure.workflow.kernel.ActivityCalls.plain;
import static dev.tenure.workflow.kernel.ActivityCalls.started;
import static dev.tenure.workflow.kernel.Script.op;
import static dev.tenure.workflow.kernel.Script.seq;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.Failure.OutsideEffect;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.kernel.Effect.Proof;
import dev.tenure.workflow.operation.ActivityCall;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.OperationSpec.Step;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When a keyed activity may be run, and who learns how it came out (I6). */
class KeyedActivitiesTest {

  private static Operation operation(Shell shell) {
    return shell.state().operation(A).orElseThrow();
  }

  // --- the proof

  @Test
  void theFirstAttemptNeedsNoProof() {
    assertThat(newest(started(keyed(OFTEN, Timeouts.NONE)))).isEqualTo(Proof.GIVEN);
  }

  @Test
  void whatIsHandedOutAgainNeedsItsProof() {
    Shell shell = started(keyed(OFTEN, Timeouts.NONE));
    shell.recover();
    assertThat(shell.events(Event.Redelivered.class)).hasSize(1);
    assertThat(newest(shell)).isEqualTo(Proof.NEEDED);
  }

  /** The owner dies between the commit that asks for the call and the call itself. */
  @Test
  void aCallThatNeverWentOutNeedsItsProofToo() {
    Shell shell = new Shell(op("a", keyed(OFTEN, Timeouts.NONE)));
    shell.journal.fate =
        events ->
            shell.history.isEmpty() ? MemoryJournal.Fate.DIES_AFTER : MemoryJournal.Fate.STANDS;
    shell.tell(new Command.StartWorkflow(Shell.start("w")));
    assertThat(shell.effects(Effect.RunActivity.class)).hasSize(1);
    assertThat(newest(shell)).isEqualTo(Proof.NEEDED);
  }

  @Test
  void afterAFailureWithoutAnEffectNoneIsNeeded() {
    Shell shell = started(keyed(OFTEN, Timeouts.NONE));
    assertThat(after(shell, 1, NO_EFFECT)).isEqualTo(Proof.GIVEN);
    assertThat(after(shell, 2, NO_EFFECT)).isEqualTo(Proof.GIVEN);
  }

  @Test
  void afterAPossibleEffectOneIsNeeded() {
    assertThat(after(started(keyed(OFTEN, Timeouts.NONE)), 1, RESET)).isEqualTo(Proof.NEEDED);
    assertThat(after(started(keyed(OFTEN, Timeouts.NONE)), 1, UNPROVEN)).isEqualTo(Proof.NEEDED);
  }

  @Test
  void afterATimeoutOneIsNeeded() {
    Shell shell = started(keyed(OFTEN, Timeouts.NONE));
    shell.tell(new Command.AttemptEnded(A, 1, new Outcome.TimedOut("PT5M")));
    assertThat(nextAttempt(shell)).isEqualTo(Proof.NEEDED);
  }

  /** The first attempt's request may arrive while the second one is refused. */
  @Test
  void anAttemptWithoutAnEffectSaysNothingOfOneBeforeIt() {
    Shell shell = started(keyed(OFTEN, Timeouts.NONE));
    after(shell, 1, RESET);
    assertThat(after(shell, 2, NO_EFFECT)).isEqualTo(Proof.NEEDED);
    assertThat(after(shell, 3, NO_EFFECT)).isEqualTo(Proof.NEEDED);
  }

  /** The node that was lost may only have been slow, and calls after all. */
  @Test
  void anAttemptWithoutAnEffectSaysNothingOfWhatALostNodeDoes() {
    Shell first = started(keyed(OFTEN, Timeouts.NONE));
    first.recover();
    assertThat(after(first, 1, NO_EFFECT)).isEqualTo(Proof.NEEDED);
    Shell second = started(keyed(OFTEN, Timeouts.NONE));
    after(second, 1, NO_EFFECT);
    second.recover();
    assertThat(newest(second)).isEqualTo(Proof.NEEDED);
    assertThat(after(second, 2, NO_EFFECT)).isEqualTo(Proof.NEEDED);
  }

  @Test
  void aSnapshotKnowsWhatIsKnownOfTheEffect() {
    Shell shell = started(keyed(OFTEN, Timeouts.NONE));
    shell.fail("a#1", 1, NO_EFFECT);
    StateSnapshot snapshot = StateSnapshot.of(shell.state());
    shell.journal.snapshot =
        Optional.of(new MemoryJournal.SnapshotAt(shell.history.size(), snapshot));
    shell.recover();
    assertThat(operation(shell).lastFailure().orElseThrow().outside())
        .isEqualTo(OutsideEffect.NONE);
    assertThat(nextAttempt(shell)).isEqualTo(Proof.GIVEN);
  }

  /** The code was changed while a call was under way: the record counts. */
  @Test
  void theRecordedKeyCountsWhateverTheCodeAsksForNow() {
    Shell shell = started(keyed(OFTEN, Timeouts.NONE));
    shell.changeCode(
        () -> new Script(seq(op("a", plain(OFTEN, Timeouts.NONE)), op("b", Step.DEFAULT))));
    shell.recover();
    assertThat(shell.state().incident()).isEmpty();
    Effect.RunActivity again = shell.effects(Effect.RunActivity.class).getLast();
    assertThat(again.spec().call().idempotencyKey()).contains("order-7");
    assertThat(plain(OFTEN, Timeouts.NONE).call()).isEqualTo(ActivityCall.PLAIN);
  }

  // --- what people say

  @Test
  void resolvingHasItAskedAgain() {
    Shell shell = started(keyed(TWICE, Timeouts.NONE));
    failTwice(shell, 1, UNPROVEN);
    shell.tell(new Command.ResolveIncident("the bank answers again"));
    assertThat(shell.events(Event.Retried.class))
        .extracting(Event.Retried::unproven)
        .containsExactly(false);
    assertThat(nextAttempt(shell)).isEqualTo(Proof.NEEDED);
    shell.succeed("a#1", 3, "1");
    shell.succeed("b#1", "2");
    assertThat(shell.result()).isEqualTo("a#1=1;b#1=2;");
  }

  @Test
  void movingItToAnotherVersionHasItAskedAgain() {
    Shell shell = started(keyed(TWICE, Timeouts.NONE));
    failTwice(shell, 1, UNPROVEN);
    shell.move();
    assertThat(shell.state().incident()).isEmpty();
    assertThat(nextAttempt(shell)).isEqualTo(Proof.NEEDED);
  }

  @Test
  void aRetryByHandRunsItWithoutAProof() {
    Shell shell = started(keyed(TWICE, Timeouts.NONE));
    failTwice(shell, 1, UNPROVEN);
    assertThat(shell.tell(shell.retry(A))).isEqualTo(Reply.DONE);
    assertThat(shell.events(Event.Retried.class))
        .extracting(Event.Retried::unproven)
        .containsExactly(true);
    assertThat(shell.state().incident()).isEmpty();
    // Another owner, before it goes out.
    shell.recover();
    assertThat(nextAttempt(shell)).isEqualTo(Proof.GIVEN);
    assertThat(operation(shell).attempt()).isEqualTo(3);
    assertThat(operation(shell).attemptThatCounts()).isOne();
  }

  @Test
  void aRetryByHandThatWasLostNeedsItsProofAgain() {
    Shell shell = started(keyed(TWICE, Timeouts.NONE));
    failTwice(shell, 1, UNPROVEN);
    shell.tell(shell.retry(A));
    nextAttempt(shell);
    shell.recover();
    assertThat(newest(shell)).as("one was allowed, and it may have run").isEqualTo(Proof.NEEDED);
    assertThat(after(shell, 3, NO_EFFECT)).isEqualTo(Proof.NEEDED);
  }

  @Test
  void whatWasRunByHandAndHadNoEffectIsTriedAgain() {
    Shell shell = started(keyed(OFTEN, Timeouts.NONE));
    shell.fail("a#1", 1, UNPROVEN);
    shell.tell(shell.retry(A));
    assertThat(nextAttempt(shell)).isEqualTo(Proof.GIVEN);
    assertThat(after(shell, 2, NO_EFFECT)).isEqualTo(Proof.GIVEN);
  }

  @Test
  void withoutAKeyThereIsNothingToProve() {
    for (OperationSpec spec :
        List.of(plain(OFTEN, Timeouts.NONE), new Step(OFTEN, Timeouts.NONE))) {
      Shell shell = started(spec);
      shell.fail("a#1", 1, RESET);
      shell.tell(shell.retry(A));
      assertThat(shell.events(Event.Retried.class))
          .extracting(Event.Retried::unproven)
          .containsExactly(false);
    }
  }

  /** Time went on while the workflow was held, and the person asked for an attempt. */
  @Test
  void anAttemptThatAPersonAskedForIsMadeHoweverLongTheWorkflowIsHeld() {
    Shell shell = started(keyed(TWICE, Timeouts.NONE.total(Duration.ofMinutes(1))));
    shell.fail("a#1", 1, UNPROVEN);
    shell.tell(new Command.Pause("look"));
    shell.tell(shell.retry(A));
    shell.advance(Duration.ofHours(1));
    shell.tell(new Command.Resume());
    assertThat(nextAttempt(shell)).isEqualTo(Proof.GIVEN);
    assertThat(shell.events(Event.Completed.class)).isEmpty();
    assertThat(operation(shell).deadline()).contains(shell.now.plus(Duration.ofMinutes(1)));
    // From there on its time counts as ever.
    shell.fail("a#1", 2, UNPROVEN);
    shell.advance(Duration.ofMinutes(1));
    shell.due();
    assertThat(shell.effects(Effect.RunActivity.class).getLast().proof()).isEqualTo(Proof.NEEDED);
    shell.fail("a#1", 3, UNPROVEN);
    assertThat(shell.state().incident()).contains(new Incident.Indeterminate(A, 2, UNPROVEN));
  }

  // --- time

  /** It asks its verifier first, so it says itself when its time is over. */
  @Test
  void theKernelEndsNoKeyedCallThatIsUnderWay() {
    Timeouts timeouts = Timeouts.NONE.attempt(Duration.ofSeconds(5)).total(Duration.ofSeconds(9));
    Shell shell = started(keyed(OFTEN, timeouts));
    assertThat(operation(shell).dueAt()).isEmpty();
    assertThat(operation(shell).deadline()).contains(Shell.EPOCH.plusSeconds(9));
    assertThat(shell.state().nextDue()).isEmpty();
    shell.advance(Duration.ofHours(1));
    shell.due();
    assertThat(shell.history).hasSize(1);
    assertThat(shell.effects(Effect.StopAttempt.class)).isEmpty();
    shell.succeed("a#1", "late, and true");
    assertThat(shell.events(Event.Completed.class)).hasSize(1);
  }

  @Test
  void theKernelEndsACallWithoutAKeyThatIsUnderWay() {
    Shell shell = started(plain(OFTEN, Timeouts.NONE.total(Duration.ofSeconds(9))));
    assertThat(operation(shell).dueAt()).contains(Shell.EPOCH.plusSeconds(9));
    shell.advance(Duration.ofSeconds(9));
    shell.due();
    assertThat(shell.effects(Effect.StopAttempt.class)).hasSize(1);
    assertThat(shell.events(Event.Completed.class))
        .extracting(Event.Completed::outcome)
        .allMatch(Outcome.TimedOut.class::isInstance);
  }
}
