package dev.tenure.sharding.activity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.activity.ActivityRecord;
import dev.tenure.persistence.activity.ActivityRecord.Verdict.Word;
import dev.tenure.persistence.activity.ActivityStatus;
import dev.tenure.workflow.ActivityCode;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Failure.OutsideEffect;
import dev.tenure.workflow.NoEffectException;
import dev.tenure.workflow.Verifier.Verdict;
import dev.tenure.workflow.kernel.Effect.Proof;
import dev.tenure.workflow.kernel.Limits;
import dev.tenure.workflow.operation.Outcome;
import java.io.IOException;
import java.net.ConnectException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * What an executor says of one attempt at a keyed call, row by row of the contract's outcome matrix
 * and for each answer of a verifier.
 */
class KeyedCallsTest extends KeyedCallFixture {
  // --- the rows of the outcome matrix

  @Test
  void aSuccessIsItsResult() {
    assertThat(first(paying(KeyedCallsTest::succeeds))).isEqualTo(new Outcome.Succeeded(RECEIPT));
  }

  @Test
  void aFailureBeforeTheEffectIsTriedAgainWithoutProof() {
    Outcome outcome =
        first(
            verified(
                (call, input) -> {
                  throw new NoEffectException("no such account");
                },
                (call, input) -> Verdict.indeterminate("not asked")));
    assertThat(failure(outcome).outside()).isEqualTo(OutsideEffect.NONE);
    assertThat(questions).hasValue(0);
  }

  @Test
  void aDeclaredExceptionProvesThatThereWasNoEffect() {
    ActivityCode<String, String> code =
        paying(
                (call, input) -> {
                  throw new ConnectException("refused");
                })
            .noEffectOn(ConnectException.class);
    assertThat(failure(first(code)).outside()).isEqualTo(OutsideEffect.NONE);
  }

  @Test
  void aFailureAfterAPossibleEffectIsIndeterminateWithoutVerifier() {
    Outcome outcome = first(paying(KeyedCallsTest::fails));
    assertUnproven(outcome, false);
    assertThat(failure(outcome).cause()).isPresent();
  }

  @Test
  void aFailureThatTheVerifierFindsToBeASuccessIsOne() {
    Outcome outcome =
        first(verified(KeyedCallsTest::fails, (c, i) -> Verdict.completed("receipt", "found")));
    assertThat(outcome).isEqualTo(new Outcome.Succeeded(RECEIPT));
    assertThat(record().status()).isEqualTo(ActivityStatus.COMPLETED);
  }

  @Test
  void aFailureThatTheVerifierFindsToBeOneMayBeTriedAgain() {
    Failure failure =
        failure(
            first(verified(KeyedCallsTest::fails, (c, i) -> Verdict.notCompleted("not there"))));
    assertThat(failure.type()).isEqualTo(IOException.class.getName());
    assertThat(failure.retryable()).isTrue();
    assertThat(failure.outside())
        .as("the receiver may still be at work: the verifier is asked again before the next call")
        .isEqualTo(OutsideEffect.POSSIBLE);
  }

  @Test
  void aTimeoutIsOneUnlessTheVerifierProvesCompletion() {
    assertThat(timesOut(verified(this::leaves, (c, i) -> Verdict.notCompleted("not there"))))
        .isInstanceOf(Outcome.TimedOut.class);
    assertThat(timesOut(verified(this::leaves, (c, i) -> Verdict.completed("receipt", "found"))))
        .isEqualTo(new Outcome.Succeeded(RECEIPT));
    assertThat(staysInside(verified(this::stays, (c, i) -> Verdict.completed("receipt", "found"))))
        .isEqualTo(new Outcome.Succeeded(RECEIPT));
  }

  @Test
  void aTimeoutWithoutVerifierIsIndeterminate() {
    assertUnproven(timesOut(paying(this::leaves)), false);
  }

  @Test
  void aResultThatComesLateIsKept() {
    staysInside(paying(this::stays));
    assertThat(record().status()).isEqualTo(ActivityStatus.COMPLETED);
    assertThat(record().result()).contains(json("\"late\""));
  }

  @Test
  void aCancelledCallTellsNothing() {
    ActivityTask task = task(Proof.GIVEN, false);
    ledger.claim(task);
    Activities[] all = new Activities[1];
    all[0] =
        activities(
            paying(
                (call, input) -> {
                  all[0].stop(task.workflow(), "run", task.operation(), 1);
                  return "receipt";
                }));
    all[0].offer(task, new Waits());
    threads.remove().run();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(outcomes).isEmpty();
  }

  @Test
  void aVerifierThatFailsOrAnswersNothingIsAskedAgainLater() {
    assertUnproven(first(verified(KeyedCallsTest::fails, KeyedCallsTest::breaks)), true);
    assertUnproven(first(verified(KeyedCallsTest::fails, (call, input) -> null)), true);
  }

  private static Verdict<String> breaks(Object call, String input) throws IOException {
    throw new IOException("no way to the bank");
  }

  @Test
  void aVerifierThatHangsIsGivenUp() {
    ActivityTask task = task(Proof.NEEDED, false);
    ledger.claim(task);
    Activities[] all = new Activities[1];
    all[0] =
        activities(
            verified(
                KeyedCallsTest::succeeds,
                (call, input) -> {
                  now = now.plus(KeyedCall.VERIFYING_MAX);
                  all[0].stopOverdue();
                  return Verdict.notCompleted("too late");
                }));
    all[0].offer(task, new Waits());
    threads.remove().run();
    Thread.interrupted();
    assertUnproven(outcomes.getFirst(), true);
    assertThat(outcomes).hasSize(1);
    assertThat(calls).as("a late answer lets nothing be called").hasValue(0);
  }

  @Test
  void aVerifierThatContradictsWhatItSaidClosesTheCall() {
    ledger.put(
        task(Proof.NEEDED, false),
        ActivityStatus.INDETERMINATE,
        Optional.empty(),
        Optional.of(new ActivityRecord.Verdict(Word.COMPLETED_RESULT_UNAVAILABLE, "seen in May")));
    Outcome outcome =
        again(verified(KeyedCallsTest::succeeds, (c, i) -> Verdict.notCompleted("not there")));
    assertUnproven(outcome, false);
    assertThat(failure(outcome).message()).contains("seen in May").contains("not there");
    assertThat(calls).hasValue(0);
  }

  // --- before a call that may have been made

  @Test
  void aRecordedResultIsReturned() {
    ActivityTask task = task(Proof.NEEDED, false);
    ledger.put(task, ActivityStatus.COMPLETED, Optional.of(RECEIPT), Optional.empty());
    assertThat(again(paying(KeyedCallsTest::succeeds))).isEqualTo(new Outcome.Succeeded(RECEIPT));
    assertThat(calls).hasValue(0);
  }

  @Test
  void whatTookEffectWithoutResultFailsForGood() {
    ActivityTask task = task(Proof.NEEDED, false);
    ledger.put(
        task,
        ActivityStatus.COMPLETED,
        Optional.empty(),
        Optional.of(new ActivityRecord.Verdict(Word.COMPLETED_RESULT_UNAVAILABLE, "line 7")));
    Failure failure = failure(again(paying(KeyedCallsTest::succeeds)));
    assertThat(failure.type()).isEqualTo(Failure.RESULT_UNAVAILABLE);
    assertThat(failure.retryable()).isFalse();
    assertThat(failure.message()).contains("line 7");
  }

  @Test
  void notCompletedLetsItBeCalled() {
    assertThat(again(verified(KeyedCallsTest::succeeds, (c, i) -> Verdict.notCompleted("none"))))
        .isEqualTo(new Outcome.Succeeded(RECEIPT));
    assertThat(calls).hasValue(1);
  }

  @Test
  void completedWithResultIsStoredBeforeItIsTold() {
    Outcome outcome =
        again(verified(KeyedCallsTest::succeeds, (c, i) -> Verdict.completed("receipt", "found")));
    assertThat(outcome).isEqualTo(new Outcome.Succeeded(RECEIPT));
    assertThat(record().result()).contains(RECEIPT);
    assertThat(record().verdict().map(ActivityRecord.Verdict::evidence)).contains("found");
    assertThat(calls).hasValue(0);
  }

  @Test
  void completedWithoutResultFailsForGood() {
    Failure failure =
        failure(
            again(verified(KeyedCallsTest::succeeds, (c, i) -> Verdict.resultUnavailable("gone"))));
    assertThat(failure.type()).isEqualTo(Failure.RESULT_UNAVAILABLE);
    assertThat(calls).hasValue(0);
  }

  /** The first attempt was refused; the second took effect, and its result is gone. */
  @Test
  void theFailureOfAnEarlierAttemptIsNotToldOfACallThatIsOnRecord() {
    ActivityTask task = task(Proof.NEEDED, false);
    Failure refused = Failure.retryable("refused", "not now").with(OutsideEffect.NONE);
    ledger.claim(task);
    ledger.records.computeIfPresent(
        task.record(),
        (key, claimed) ->
            claimed
                .settled(ActivityStatus.FAILED, Optional.empty(), Optional.of(refused), now)
                .claimed(2, task.tenure().epoch(), now));
    ActivityCode<String, String> code =
        verified(KeyedCallsTest::succeeds, (c, i) -> Verdict.resultUnavailable("gone"));
    again(code);

    assertThat(failure(again(code)).type()).isEqualTo(Failure.RESULT_UNAVAILABLE);
    assertThat(calls).hasValue(0);
  }

  @Test
  void indeterminateCallsNothing() {
    assertUnproven(
        again(verified(KeyedCallsTest::succeeds, (c, i) -> Verdict.indeterminate("who knows"))),
        true);
    assertThat(calls).hasValue(0);
  }

  @Test
  void anIdempotentCallIsRepeatedWhenNothingProvesItsOutcome() {
    assertThat(run(paying(KeyedCallsTest::succeeds), Proof.NEEDED, true))
        .isEqualTo(new Outcome.Succeeded(RECEIPT));
    assertThat(
            run(
                verified(KeyedCallsTest::succeeds, (c, i) -> Verdict.indeterminate("who knows")),
                Proof.NEEDED,
                true))
        .isEqualTo(new Outcome.Succeeded(RECEIPT));
    assertThat(calls).hasValue(2);
  }

  @Test
  void aClaimWithoutVerifierCallsNothing() {
    assertUnproven(again(paying(KeyedCallsTest::succeeds)), false);
    assertThat(calls).hasValue(0);
  }

  @Test
  void aRecordOfAnotherCallIsRefused() {
    ActivityTask task = task(Proof.NEEDED, false);
    ledger.claim(task);
    ActivityRecord record = ledger.records.get(task.record());
    ledger.records.put(
        task.record(),
        new ActivityRecord(
            record.key(),
            record.status(),
            1,
            1,
            CanonicalArguments.invocation(task.record(), json("\"18\"")),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            NOW,
            NOW));
    assertUnproven(again(paying(KeyedCallsTest::succeeds)), false);
    assertThat(calls).hasValue(0);
  }

  @Test
  void aCallWithoutRecordIsRefused() {
    ActivityTask task = task(Proof.NEEDED, true);
    try (Activities activities = activities(paying(KeyedCallsTest::succeeds))) {
      activities.offer(task, new Waits());
      threads.remove().run();
    }
    assertUnproven(outcomes.getFirst(), false);
    assertThat(calls).hasValue(0);
  }

  @Test
  void aStoreThatIsAwayCallsNothing() {
    ledger.claim(task(Proof.NEEDED, false));
    ledger.isAway = true;
    assertUnproven(again(paying(KeyedCallsTest::succeeds)), true);
    assertThat(calls).hasValue(0);
  }

  @Test
  void whatAVerifierFindsMustBeStored() {
    ledger.claim(task(Proof.NEEDED, false));
    Outcome outcome =
        again(
            verified(
                KeyedCallsTest::succeeds,
                (call, input) -> {
                  ledger.isAway = true;
                  return Verdict.completed("receipt", "found");
                }));
    assertUnproven(outcome, true);
  }

  @Test
  void aVerifiersResultThatCannotBeRecordedIsForAPerson() {
    String tooLarge = "x".repeat(Limits.KEPT_BYTES_MAX);
    assertUnproven(
        again(verified(KeyedCallsTest::succeeds, (c, i) -> Verdict.completed(tooLarge, "found"))),
        false);
  }

  @Test
  void aResultThatCannotBeRecordedMayHaveHadItsEffect() {
    String tooLarge = "x".repeat(Limits.KEPT_BYTES_MAX);
    assertUnproven(first(paying((call, input) -> tooLarge)), false);
  }
}
