package dev.tenure.workflow.kernel;

import static dev.tenure.workflow.kernel.ActivityCalls.A;
import static dev.tenure.workflow.kernel.ActivityCalls.NO_EFFECT;
import static dev.tenure.workflow.kernel.ActivityCalls.OFTEN;
import static dev.tenure.workflow.kernel.ActivityCalls.TWICE;
import static dev.tenure.workflow.kernel.ActivityCalls.UNPROVEN;
import static dev.tenure.workflow.kernel.ActivityCalls.after;
import static dev.tenure.workflow.kernel.ActivityCalls.audited;
import static dev.tenure.workflow.kernel.ActivityCalls.failTwice;
import static dev.tenure.workflow.kernel.ActivityCalls.keyed;
import static dev.tenure.workflow.kernel.ActivityCalls.newest;
import static dev.tenure.workflow.kernel.ActivityCalls.started;
import static dev.tenure.workflow.kernel.Script.op;
import static dev.tenure.workflow.kernel.Script.par;
import static dev.tenure.workflow.kernel.Script.race;
import static dev.tenure.workflow.kernel.Script.seq;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Failure.OutsideEffect;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.kernel.Effect.Proof;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.OperationSpec.Step;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of a call of which nobody can tell whether it took effect. */
class IndeterminateActivitiesTest {
  private static final OperationId B = new OperationId("b#1");

  @Test
  void whatCannotBeToldIsAskedAgainWithinThePolicyAndThenAnIncident() {
    Shell shell = started(keyed(TWICE.thenIncident(), Timeouts.NONE));
    assertThat(after(shell, 1, UNPROVEN)).isEqualTo(Proof.NEEDED);
    assertThat(shell.state().incident()).isEmpty();
    shell.fail("a#1", 2, UNPROVEN);
    assertThat(shell.state().incident()).contains(new Incident.Indeterminate(A, 2, UNPROVEN));
    assertThat(shell.state().wakeAt()).isEqualTo(Wake.NEVER);
  }

  /** A policy speaks of failures, and this may be a success. */
  @Test
  void aPolicyThatTellsTheProgramTellsItNothingThatIsUnproven() {
    Shell shell = started(keyed(TWICE, Timeouts.NONE));
    failTwice(shell, 1, UNPROVEN);
    assertThat(shell.state().incident()).contains(new Incident.Indeterminate(A, 2, UNPROVEN));
    assertThat(shell.events(Event.Completed.class)).isEmpty();
    Shell proven = started(keyed(TWICE, Timeouts.NONE));
    failTwice(proven, 1, NO_EFFECT);
    assertThat(proven.events(Event.Completed.class))
        .extracting(Event.Completed::outcome)
        .containsExactly(new Outcome.Failed(NO_EFFECT));
  }

  @Test
  void whatNoFurtherQuestionCanHelpIsAnIncidentAtOnce() {
    Failure contradiction =
        Failure.permanent(Failure.INDETERMINATE, "paid and not paid").with(OutsideEffect.UNPROVEN);
    Shell shell = started(keyed(OFTEN, Timeouts.NONE));
    shell.fail("a#1", 1, contradiction);
    assertThat(shell.state().incident()).contains(new Incident.Indeterminate(A, 1, contradiction));
    assertThat(shell.state().incident().orElseThrow().message())
        .contains("a#1", "paid and not paid", "resolve");
  }

  /** The next delay would end after the time for all attempts. */
  @Test
  void theEndOfTheTimeForAllAttemptsTellsNothingThatIsUnproven() {
    Timeouts tenSeconds = Timeouts.NONE.total(Duration.ofSeconds(10));
    Shell atOnce = started(keyed(OFTEN, tenSeconds));
    atOnce.advance(Duration.ofSeconds(10));
    atOnce.fail("a#1", 1, UNPROVEN);
    assertThat(atOnce.state().standsStillFor(A)).isTrue();
    Shell later = started(keyed(OFTEN, tenSeconds));
    later.fail("a#1", 1, UNPROVEN);
    later.advance(Duration.ofSeconds(10));
    later.due();
    assertThat(newest(later)).as("asked once more, and not made").isEqualTo(Proof.NEEDED);
    assertThat(later.state().incident()).isEmpty();
    later.fail("a#1", 2, UNPROVEN);
    assertThat(later.state().incident()).contains(new Incident.Indeterminate(A, 2, UNPROVEN));
    assertThat(later.events(Event.Completed.class)).isEmpty();
  }

  // --- with others

  @Test
  void ofTwoThatCannotBeToldBothAreFound() {
    OperationSpec once = keyed(RetryPolicy.NONE, Timeouts.NONE);
    Shell shell = audited(par(op("a", once), op("b", once)));
    Outcome unproven = new Outcome.Failed(UNPROVEN);
    shell.tell(
        new Command.Several(
            List.of(
                new Command.AttemptEnded(A, 1, unproven),
                new Command.AttemptEnded(B, 1, unproven))));
    assertThat(shell.events(Event.IncidentRaised.class)).hasSize(1);
    assertThat(shell.state().standsStillFor(A)).isTrue();
    shell.tell(shell.conclude(A, Outcome.DONE, "it arrived"));
    shell.due();
    assertThat(newest(shell)).as("the other is asked again").isEqualTo(Proof.NEEDED);
    shell.fail("b#1", 2, UNPROVEN);
    assertThat(shell.state().standsStillFor(B)).isTrue();
    assertThat(shell.events(Event.Completed.class)).hasSize(1);
  }

  /** Two are due together: one cannot go on, and the other is out when its owner dies. */
  @Test
  void whatGoesOutWithAnIncidentOfAnotherNeedsItsProofWhenThatIsResolved() {
    OperationSpec brief = keyed(OFTEN, Timeouts.NONE.total(Duration.ofSeconds(5)));
    Shell shell = audited(par(op("b", keyed(OFTEN, Timeouts.NONE)), op("a", brief)));
    shell.fail("b#1", 1, NO_EFFECT);
    shell.fail("a#1", 1, UNPROVEN);
    shell.advance(Duration.ofSeconds(5));
    shell.due();
    assertThat(shell.events(Event.AttemptStarted.class)).hasSize(2);
    assertThat(shell.effects(Effect.RunActivity.class))
        .extracting(run -> run.operation() + " " + run.proof())
        .contains("b#1 GIVEN", "a#1 NEEDED");
    shell.fail("a#1", 2, UNPROVEN);
    assertThat(shell.state().standsStillFor(A)).isTrue();
    shell.recover();
    assertThat(shell.effects).as("it stands still").isEmpty();
    shell.tell(new Command.ResolveIncident("go"));
    assertThat(shell.effects(Effect.RunActivity.class))
        .extracting(run -> run.operation() + " " + run.proof())
        .containsExactly("b#1 NEEDED");
  }

  /** The program gives it up in the very commit that says that nobody can tell. */
  @Test
  void anIncidentAboutACallThatWasGivenUpIsResolvedAndNothingElse() {
    OperationSpec once = keyed(RetryPolicy.NONE, Timeouts.NONE);
    Shell shell = audited(seq(race(op("a", once), op("b", Step.DEFAULT)), op("c", Step.DEFAULT)));
    shell.tell(
        new Command.Several(
            List.of(
                new Command.AttemptEnded(B, 1, Outcome.DONE),
                new Command.AttemptEnded(A, 1, new Outcome.Failed(UNPROVEN)))));
    assertThat(shell.state().incident()).contains(new Incident.Indeterminate(A, 1, UNPROVEN));
    assertThat(shell.state().operation(A)).isEmpty();
    assertThat(shell.tell(shell.retry(A))).isInstanceOf(Reply.NotOpen.class);
    assertThat(shell.tell(shell.conclude(A, Outcome.DONE, "it arrived")))
        .isInstanceOf(Reply.NotOpen.class);
    assertThat(shell.tell(new Command.ResolveIncident("so be it"))).isEqualTo(Reply.DONE);
    shell.succeed("c#1", "3");
    assertThat(shell.state().status()).isEqualTo(Status.COMPLETED);
  }
}
