package dev.tenure.sharding.activity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.storage.StorageException;
import dev.tenure.workflow.ActivityCode;
import dev.tenure.workflow.ActivityContext;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Failure.OutsideEffect;
import dev.tenure.workflow.NoEffectException;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.ResourceVerifier;
import dev.tenure.workflow.Verifier.Verdict;
import dev.tenure.workflow.kernel.Effect.Proof;
import dev.tenure.workflow.operation.Outcome;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * What an executor says of a call when another attempt at it, or code that still runs, may have its
 * effect: never that there was none.
 */
class DoubtedCallsTest extends KeyedCallFixture {
  private static String isRefused(Object call, String input) {
    throw new NoEffectException("no such account");
  }

  @Test
  void thatOneAttemptHadNoEffectSaysNothingOfTheOneBeforeIt() {
    List<Verdict<String>> says =
        new ArrayList<>(
            List.of(Verdict.notCompleted("not there yet"), Verdict.indeterminate("books shut")));
    assertUnproven(
        again(verified(DoubtedCallsTest::isRefused, (c, i) -> says.removeFirst())), true);
    assertThat(calls).hasValue(1);
    assertThat(questions).as("before the call, and after its failure").hasValue(2);
  }

  @Test
  void theEffectOfTheOneBeforeItIsFoundAfterAFailureWithoutAny() {
    List<Verdict<String>> says =
        new ArrayList<>(
            List.of(Verdict.notCompleted("not there yet"), Verdict.completed("receipt", "there")));
    assertThat(again(verified(DoubtedCallsTest::isRefused, (c, i) -> says.removeFirst())))
        .isEqualTo(new Outcome.Succeeded(RECEIPT));
  }

  /** The retry policy knows the failure by its type, and repeats the call as long as it says so. */
  @Test
  void aFailureOfAnIdempotentCallThatMayBeASuccessIsToldAsUnproven() {
    Failure failure = failure(run(paying(KeyedCallFixture::fails), Proof.GIVEN, true));
    assertThat(failure.outside()).isEqualTo(OutsideEffect.UNPROVEN);
    assertThat(failure.type()).isEqualTo(IOException.class.getName());
    assertThat(failure.retryable()).isTrue();
    assertThat(
            failure(
                    run(
                        verified(KeyedCallFixture::fails, (c, i) -> Verdict.indeterminate("?")),
                        Proof.GIVEN,
                        true))
                .outside())
        .isEqualTo(OutsideEffect.UNPROVEN);
  }

  @Test
  void theEndOfTheTimeIsNotToldOfACallThatMayHaveBeenMade() {
    ActivityTask late = task(2, Proof.NEEDED, true, 1, Optional.of(NOW.minusSeconds(1)));
    assertThat(failure(run(paying(KeyedCallFixture::succeeds), late)).outside())
        .isEqualTo(OutsideEffect.UNPROVEN);
    assertThat(calls).hasValue(0);
    assertThat(
            run(
                verified(KeyedCallFixture::succeeds, (c, i) -> Verdict.notCompleted("not there")),
                late))
        .isInstanceOf(Outcome.TimedOut.class);
  }

  @Test
  void codeThatStillRunsMayHaveItsEffectYet() {
    assertUnproven(
        staysInside(verified(this::stays, (c, i) -> Verdict.notCompleted("not there"))), true);
  }

  @Test
  void nothingIsCalledWhileTheCodeOfAnEarlierAttemptStillRuns() {
    ActivityTask first = task(1, Proof.GIVEN, false, 1);
    ActivityTask second = task(2, Proof.NEEDED, false, 1);
    ledger.claim(first);
    List<Outcome> meanwhile = new ArrayList<>();
    Activities[] all = new Activities[1];
    all[0] =
        activities(
            verified(
                (call, input) -> {
                  all[0].offer(second, new Waits());
                  threads.remove().run();
                  meanwhile.addAll(outcomes);
                  return "receipt";
                },
                (call, input) -> Verdict.notCompleted("not there")));
    all[0].offer(first, new Waits());
    threads.remove().run();
    assertThat(calls).hasValue(1);
    assertUnproven(meanwhile.getFirst(), true);
    assertThat(outcomes.getLast()).isEqualTo(new Outcome.Succeeded(RECEIPT));
  }

  /** It is kept beside the journal, in a store that is away for a moment. */
  @Test
  void aLargeInputThatCannotBeReadProvesNothing() {
    boolean[] away = {false};
    Payload large =
        Payload.elsewhere(
            4,
            "17",
            "order",
            () -> {
              if (away[0]) throw new StorageException.Unavailable("the store is away", null);
              return json("\"17\"").bytes();
            });
    ActivityTask task = task(large, Proof.NEEDED);
    ledger.claim(task);
    away[0] = true;
    ActivityCode<String, String> code =
        verified(KeyedCallFixture::succeeds, (c, i) -> Verdict.notCompleted("not there"));
    assertUnproven(run(code, task), true);
    assertThat(calls).hasValue(0);
    away[0] = false;
    assertThat(run(code, task)).isEqualTo(new Outcome.Succeeded(RECEIPT));
  }

  @Test
  void aRecordThatIsDamagedProvesNothing() {
    ledger.claim(task(Proof.NEEDED, false));
    ledger.isDamaged = true;
    assertUnproven(
        again(verified(KeyedCallFixture::succeeds, (c, i) -> Verdict.notCompleted("not there"))),
        true);
    assertThat(calls).hasValue(0);
  }

  @Test
  void whatAVerifierFindsAndADamagedRecordDoesNotTakeProvesNothing() {
    assertUnproven(
        again(
            verified(
                KeyedCallFixture::succeeds,
                (c, i) -> {
                  ledger.isDamaged = true;
                  return Verdict.completed("receipt", "there");
                })),
        true);
    assertThat(calls).hasValue(0);
  }

  @Test
  void anAttemptThatBreaksDownIsNotWaitedForForEver() {
    ActivityTask task = task(Proof.GIVEN, false);
    ledger.claim(task);
    holds =
        tenure -> {
          throw new IllegalStateException("a defect of the engine");
        };
    try (Activities activities = activities(paying(KeyedCallFixture::succeeds))) {
      activities.offer(task, new Waits());
      assertThatThrownBy(threads.remove()::run).hasMessage("a defect of the engine");
      assertThat(activities.size()).isZero();
    }
    assertUnproven(outcomes.getFirst(), true);
    assertThat(calls).hasValue(0);
  }

  /** Nobody can tell what a call did; that it was not made is certain. */
  @Test
  void codeWhoseInputCannotBeReadHadNoEffect() {
    Failure failure =
        failure(run(paying(KeyedCallFixture::succeeds), task(json("{}"), Proof.GIVEN)));
    assertThat(failure.outside()).isEqualTo(OutsideEffect.NONE);
    assertThat(calls).hasValue(0);
  }

  /** The node took it from a queue, and is its owner's node as well. */
  @Test
  void codeThatANodeRunsAsAWorkerMayHaveItsEffectYet() {
    ActivityTask task = task(Proof.NEEDED, false);
    ledger.claim(task);
    Waits owner = new Waits();
    Activities[] all = new Activities[1];
    all[0] =
        activities(
            verified(
                (call, input) -> {
                  all[0].settle(task, new Outcome.TimedOut("too long"), owner);
                  threads.remove().run();
                  return "receipt";
                },
                (call, input) -> Verdict.notCompleted("not there")));
    assertThat(all[0].offerTaken(task, new Waits())).isPresent();
    threads.remove().run();
    assertUnproven(outcomes.getFirst(), true);
    assertThat(outcomes.getLast()).isEqualTo(new Outcome.Succeeded(RECEIPT));
  }

  @Test
  void aProofDoesNotWaitForAPlaceThatTheCodeBeforeItKeeps() {
    ActivityTask first = task(1, Proof.GIVEN, false, 1);
    ActivityTask second = task(2, Proof.NEEDED, false, 1);
    ledger.claim(first);
    Activities[] all = new Activities[1];
    all[0] =
        activities(
            verified(
                (call, input) -> {
                  all[0].offer(second, new Waits());
                  assertThat(threads).as("the second one has begun").hasSize(1);
                  threads.remove().run();
                  return "receipt";
                },
                (call, input) -> Verdict.completed("found", "there")),
            1);
    all[0].offer(first, new Waits());
    threads.remove().run();
    assertThat(outcomes.getFirst()).isEqualTo(new Outcome.Succeeded(json("\"found\"")));
    assertThat(calls).hasValue(1);
  }

  /** Its thread may be inside for ever. */
  @Test
  void aVerifierThatWasGivenUpKeepsNoOtherOneWaiting() {
    Activities[] all = new Activities[1];
    all[0] =
        activities(
            paying(KeyedCallFixture::succeeds)
                .checkedBy(
                    (call, input, recorded) -> {
                      if (questions.incrementAndGet() > 1) return Optional.empty();
                      now = now.plus(KeyedCall.VERIFYING_MAX);
                      all[0].stopOverdue();
                      assertThat(threads).as("the second check has begun").hasSize(1);
                      return Optional.empty();
                    },
                    ResourceVerifier.Mode.STRICT),
            1);
    Waits second = new Waits();
    all[0].checkResource(task(1, Proof.NEEDED, false, 1), RECEIPT, new Waits());
    all[0].checkResource(task(2, Proof.NEEDED, false, 1), RECEIPT, second);
    assertThat(threads).hasSize(1);
    threads.remove().run();
    Thread.interrupted();
    assertUnproven(outcomes.getFirst(), true);
    threads.remove().run();
    assertThat(second.absent).isTrue();
  }

  @Test
  void aVerifierHasATimeLimitOfItsOwn() {
    List<ActivityContext> seen = new ArrayList<>();
    List<Optional<Instant>> deadlines = new ArrayList<>();
    ActivityTask late = task(2, Proof.NEEDED, false, 1, Optional.of(NOW.minusSeconds(1)));
    run(
        verified(
            KeyedCallFixture::succeeds,
            (call, input) -> {
              seen.add(call);
              deadlines.add(call.deadline());
              assertThat(call.isCancelled()).isFalse();
              return Verdict.completed("receipt", "found");
            }),
        late);
    assertThat(deadlines).containsExactly(Optional.of(NOW.plus(KeyedCall.VERIFYING_MAX)));
    assertThat(seen.getFirst().isCancelled()).as("nobody waits for its answer now").isTrue();
  }

  @Test
  void aVerifierOfACallThatWasGivenUpIsNotAskedToStop() {
    List<Boolean> cancelled = new ArrayList<>();
    timesOut(
        verified(
            this::leaves,
            (call, input) -> {
              cancelled.add(call.isCancelled());
              return Verdict.notCompleted("not there");
            }));
    assertThat(cancelled).containsExactly(false);
  }
}
