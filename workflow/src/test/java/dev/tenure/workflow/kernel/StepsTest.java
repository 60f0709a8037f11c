package dev.tenure.workflow.kernel;

import static dev.tenure.workflow.kernel.Script.op;
import static dev.tenure.workflow.kernel.Script.par;
import static dev.tenure.workflow.kernel.Script.seq;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.lifecycle.WorkflowPhase;
import dev.tenure.workflow.operation.Due;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.OperationSpec.Step;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class StepsTest {
  private static final Failure TRANSIENT = Failure.retryable("java.io.IOException", "reset");

  private static Step step(RetryPolicy retry, Timeouts timeouts) {
    return new Step(retry, timeouts);
  }

  @Test
  void aSequenceOfStepsIsOneCommitEach() {
    Shell shell = Shell.started(seq(op("a", Step.DEFAULT), op("b", Step.DEFAULT)));
    shell.succeed("a#1", "1");
    shell.succeed("b#1", "2");
    assertThat(shell.history).hasSize(3);
    assertThat(shell.history.get(0))
        .hasOnlyElementsOfTypes(Event.Started.class, Event.Scheduled.class);
    assertThat(shell.history.get(1))
        .hasOnlyElementsOfTypes(Event.Completed.class, Event.Scheduled.class);
    assertThat(shell.history.get(2))
        .hasExactlyElementsOfTypes(Event.Completed.class, Event.Ended.class, Event.Closed.class);
    assertThat(shell.result()).isEqualTo("a#1=1;b#1=2;");
    assertThat(shell.state().status()).isEqualTo(Status.COMPLETED);
    assertThat(shell.state().wakeAt()).isEqualTo(Wake.NEVER);
  }

  @Test
  void theIntegersOfASequenceAreThoseOfTheGuide() {
    Shell shell = Shell.started(seq(op("a", Step.DEFAULT), op("b", Step.DEFAULT)));
    assertThat(shell.events(Event.Scheduled.class).getFirst().ledger())
        .hasToString("001100000000000");
    assertThat(shell.state().semaphore().open()).isEqualTo(2);
    shell.succeed("a#1", "1");
    Digits first = shell.events(Event.Completed.class).getFirst().digits();
    assertThat(first.activity()).hasToString("001100000000001");
    assertThat(first.guid()).hasToString("000011000000001");
    assertThat(first.semaphore().open()).isEqualTo(2);
    shell.succeed("b#1", "2");
    Digits second = shell.events(Event.Completed.class).get(1).digits();
    assertThat(second.semaphore().open()).isEqualTo(1);
    Digits end = shell.events(Event.Ended.class).getFirst().digits();
    assertThat(end.activity()).hasToString("201100000000001");
    assertThat(end.guid()).hasToString("000111100000001");
    assertThat(end.semaphore().open()).isZero();
  }

  @Test
  void aRunWithoutOperationsIsOneCommit() {
    Shell shell = Shell.started(seq());
    assertThat(shell.history).hasSize(1);
    assertThat(shell.state().phase()).isEqualTo(WorkflowPhase.CLOSED);
  }

  @Test
  void aRepeatedResultChangesNothing() {
    Shell shell = Shell.started(seq(op("a", Step.DEFAULT), op("b", Step.DEFAULT)));
    shell.succeed("a#1", "1");
    assertThat(shell.succeed("a#1", "other")).isInstanceOf(Reply.NotOpen.class);
    assertThat(shell.admission).isInstanceOf(Admission.Duplicate.class);
    assertThat(shell.history).hasSize(2);
  }

  @Test
  void twoResultsOfOneStepInOneCommitCountOnce() {
    Shell shell = Shell.started(seq(op("a", Step.DEFAULT)));
    Command result =
        new Command.AttemptEnded(new OperationId("a#1"), 1, new Outcome.Succeeded(Payload.NONE));
    Reply reply = shell.tell(new Command.Several(List.of(result, result)));
    assertThat(((Reply.Each) reply).replies())
        .hasExactlyElementsOfTypes(Reply.Done.class, Reply.NotOpen.class);
    assertThat(shell.events(Event.Completed.class)).hasSize(1);
  }

  @Test
  void severalResultsAreOneCommit() {
    Shell shell =
        Shell.started(
            seq(par(op("a", Step.DEFAULT), op("b", Step.DEFAULT)), op("c", Step.DEFAULT)));
    assertThat(shell.state().semaphore().open()).isEqualTo(3);
    shell.tell(
        new Command.Several(
            List.of(
                new Command.AttemptEnded(new OperationId("b#1"), 1, Outcome.DONE),
                new Command.AttemptEnded(new OperationId("a#1"), 1, Outcome.DONE))));
    assertThat(shell.history).hasSize(2);
    assertThat(shell.state().semaphore().open()).isEqualTo(2);
    assertThat(shell.effects(Effect.RunStep.class))
        .extracting(run -> run.operation().value())
        .containsExactly("a#1", "b#1", "c#1");
  }

  @Test
  void aFailedAttemptIsTriedAgainAfterItsDelay() {
    RetryPolicy policy = RetryPolicy.DEFAULT.jitter(0);
    Shell shell = Shell.started(op("a", step(policy, Timeouts.NONE)));
    shell.fail("a#1", 1, TRANSIENT);
    assertThat(shell.state().status()).isEqualTo(Status.RETRYING);
    Instant retryAt = Shell.EPOCH.plusSeconds(1);
    assertThat(shell.state().wakeAt()).isEqualTo(new Wake.At(retryAt));
    shell.advance(Duration.ofMillis(999));
    assertThat(shell.due()).isNull();
    shell.advance(Duration.ofMillis(1));
    shell.due();
    assertThat(shell.state().status()).isEqualTo(Status.RUNNING);
    assertThat(shell.effects(Effect.RunStep.class))
        .extracting(Effect.RunStep::attempt)
        .containsExactly(1, 2);
    shell.succeed("a#1", 2, "late");
    assertThat(shell.result()).isEqualTo("a#1=late;");
  }

  @Test
  void retryStateSurvivesARestart() {
    Shell shell = Shell.started(op("a", Step.DEFAULT));
    shell.fail("a#1", 1, TRANSIENT);
    String before = shell.state().toString();
    shell.recover();
    assertThat(shell.state()).hasToString(before);
    assertThat(shell.state().operation(new OperationId("a#1")).orElseThrow().attempt())
        .isEqualTo(2);
    assertThat(shell.history).as("nothing was in flight").hasSize(2);
  }

  @Test
  void delaysGrowUpToTheirMaximumAndTheirJitterIsTheSameInEveryReplay() {
    RetryPolicy policy =
        RetryPolicy.DEFAULT.attempts(5).backoff(Duration.ofSeconds(10), 3, Duration.ofSeconds(60));
    List<Duration> once = delays(policy);
    assertThat(delays(policy)).isEqualTo(once);
    List<Long> largest = List.of(10L, 30L, 60L, 60L);
    for (int at = 0; at < largest.size(); at++)
      assertThat(once.get(at))
          .isBetween(
              Duration.ofSeconds(largest.get(at)).multipliedBy(9).dividedBy(10),
              Duration.ofSeconds(largest.get(at)));
    assertThat(once.get(2)).isNotEqualTo(once.get(3));
  }

  private static List<Duration> delays(RetryPolicy policy) {
    Shell shell = Shell.started(op("a", step(policy, Timeouts.NONE)));
    for (int attempt = 1; attempt <= 4; attempt++) {
      shell.fail("a#1", attempt, TRANSIENT);
      shell.now = shell.state().nextDue().orElseThrow();
      shell.due();
    }
    return shell.events(Event.AttemptFailed.class).stream()
        .map(event -> Duration.between(event.at(), event.retryAt()))
        .toList();
  }

  @Test
  void theLastFailureIsWhatTheProgramLearns() {
    Shell shell = Shell.started(op("a", step(RetryPolicy.DEFAULT.attempts(2), Timeouts.NONE)));
    shell.fail("a#1", 1, TRANSIENT);
    shell.now = shell.state().nextDue().orElseThrow();
    shell.due();
    Failure last = Failure.retryable("java.io.IOException", "still");
    shell.fail("a#1", 2, last);
    assertThat(shell.state().outcome()).contains(new Outcome.Failed(last));
    assertThat(shell.state().status()).isEqualTo(Status.FAILED);
  }

  @Test
  void aPermanentFailureIsNotTriedAgain() {
    Shell permanent = Shell.started(op("a", Step.DEFAULT));
    permanent.fail("a#1", 1, Failure.permanent("Declined", "no"));
    assertThat(permanent.state().status()).isEqualTo(Status.FAILED);
    RetryPolicy never = RetryPolicy.DEFAULT.never(IllegalArgumentException.class);
    Shell listed = Shell.started(op("a", step(never, Timeouts.NONE)));
    listed.fail("a#1", 1, Failure.retryable("java.lang.IllegalArgumentException", "no"));
    assertThat(listed.state().status()).isEqualTo(Status.FAILED);
  }

  @Test
  void anAttemptThatTakesTooLongIsStoppedAndItsLateResultIsStale() {
    Timeouts timeouts = Timeouts.NONE.attempt(Duration.ofSeconds(10));
    Shell shell = Shell.started(op("a", step(RetryPolicy.DEFAULT, timeouts)));
    shell.advance(Duration.ofSeconds(10));
    shell.due();
    assertThat(shell.effects(Effect.StopAttempt.class)).hasSize(1);
    assertThat(shell.events(Event.AttemptFailed.class).getFirst().failure().type())
        .isEqualTo(Failure.TIMEOUT);
    assertThat(shell.succeed("a#1", 1, "late")).isInstanceOf(Reply.NotOpen.class);
    shell.now = shell.state().nextDue().orElseThrow();
    shell.due();
    assertThat(shell.succeed("a#1", 1, "later still")).isInstanceOf(Reply.NotOpen.class);
    shell.succeed("a#1", 2, "good");
    assertThat(shell.result()).isEqualTo("a#1=good;");
  }

  @Test
  void theTotalTimeoutEndsAllAttempts() {
    Timeouts timeouts = Timeouts.NONE.total(Duration.ofSeconds(5));
    Shell flying = Shell.started(new Script.Part.Try("a", step(RetryPolicy.DEFAULT, timeouts)));
    flying.advance(Duration.ofSeconds(5));
    flying.due();
    assertThat(flying.result()).isEqualTo("a#1=TimedOut;");
    // A retry that could begin only after it is not promised.
    RetryPolicy slow = RetryPolicy.DEFAULT.backoff(Duration.ofSeconds(9), 1, Duration.ofSeconds(9));
    Shell waiting = Shell.started(op("a", step(slow, timeouts)));
    waiting.fail("a#1", 1, TRANSIENT);
    assertThat(waiting.state().outcome()).contains(new Outcome.Failed(TRANSIENT));
  }

  @Test
  void anAttemptHandedToANewOwnerHasItsTimeAnew() {
    Timeouts timeouts = Timeouts.NONE.attempt(Duration.ofSeconds(10));
    Shell shell = Shell.started(op("a", step(RetryPolicy.DEFAULT, timeouts)));
    shell.advance(Duration.ofSeconds(9));
    shell.recover();
    assertThat(shell.effects(Effect.RunStep.class))
        .extracting(Effect.RunStep::attempt)
        .containsExactly(1);
    shell.advance(Duration.ofSeconds(9));
    assertThat(shell.due()).isNull();
    shell.advance(Duration.ofSeconds(1));
    assertThat(shell.due()).isNotNull();
  }

  @Test
  void aStepThatNoOwnerSurvivesBecomesAnIncident() {
    Shell shell = Shell.started(op("a", Step.DEFAULT));
    for (int crash = 1; crash <= 98; crash++) shell.recover();
    assertThat(shell.state().incident()).isEmpty();
    shell.recover();
    assertThat(shell.state().status()).isEqualTo(Status.INCIDENT);
    assertThat(shell.effects(Effect.RunStep.class)).isEmpty();
    assertThat(shell.state().wakeAt()).isEqualTo(Wake.NEVER);
    shell.resolve(() -> new Script(op("a", Step.DEFAULT)));
    assertThat(shell.effects(Effect.RunStep.class)).hasSize(1);
    shell.succeed("a#1", "mended");
    assertThat(shell.result()).isEqualTo("a#1=mended;");
  }

  @Test
  void aResultAtTheLimitIsKeptAndOnePastItFailsTheStep() {
    Shell fits = Shell.started(op("a", Step.DEFAULT));
    Payload largest = Payload.of(new byte[Limits.KEPT_BYTES_MAX]);
    fits.tell(new Command.AttemptEnded(new OperationId("a#1"), 1, new Outcome.Succeeded(largest)));
    assertThat(fits.events(Event.Completed.class).getFirst().outcome())
        .isEqualTo(new Outcome.Succeeded(largest));
    Shell tooLarge = Shell.started(op("a", Step.DEFAULT));
    Payload past = Payload.of(new byte[Limits.KEPT_BYTES_MAX + 1]);
    tooLarge.tell(new Command.AttemptEnded(new OperationId("a#1"), 1, new Outcome.Succeeded(past)));
    Outcome.Failed failed = (Outcome.Failed) tooLarge.state().outcome().orElseThrow();
    assertThat(failed.failure().type()).isEqualTo(Failure.TOO_LARGE);
    assertThat(failed.failure().message()).contains("KEPT_BYTES_MAX", "16777217", "reference");
  }

  @Test
  void aResultForSomethingElseIsRefused() {
    Shell shell = Shell.started(op("t", new OperationSpec.Timer(new Due.After(Duration.ZERO))));
    assertThat(shell.succeed("t#1", "no")).isInstanceOf(Reply.NotOpen.class);
    assertThat(shell.admission).isInstanceOf(Admission.Refused.class);
    Shell step = Shell.started(op("a", Step.DEFAULT));
    step.succeed("a#1", 7, "never made");
    assertThat(step.admission).isInstanceOf(Admission.Refused.class);
  }

  @Test
  void aValueIsRecordedWithoutACommitOfItsOwn() {
    Shell shell =
        Shell.started(
            seq(op("v", new OperationSpec.Value(Script.text("x"))), op("a", Step.DEFAULT)));
    assertThat(shell.history).hasSize(1);
    Digits digits = shell.events(Event.ValueRecorded.class).getFirst().digits();
    assertThat(digits.activity()).hasToString("001100000000000");
    assertThat(digits.guid()).hasToString("000011000000000");
    assertThat(shell.state().semaphore().open()).isEqualTo(2);
  }

  @Test
  void decidingWhatWasNotAdmittedIsADefectOfTheCaller() {
    Shell shell = Shell.started(seq());
    Command pause = new Command.Pause("x");
    assertThatThrownBy(() -> Kernel.standard().decide(shell.state(), pause, Wishes.NONE, shell.now))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("was not admitted");
  }
}
