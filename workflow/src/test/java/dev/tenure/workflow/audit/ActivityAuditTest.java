package dev.tenure.workflow.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Failure.OutsideEffect;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.kernel.Effect;
import dev.tenure.workflow.kernel.Effect.Proof;
import dev.tenure.workflow.operation.ActivityCall;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What may become of the calls of activities, and what is found when something else does (I6). */
class ActivityAuditTest {
  private static final OperationId A = new OperationId("a#1");
  private static final OperationSpec.Activity KEYED = call(Optional.of("order-7"));
  private static final OperationSpec.Activity PLAIN = call(Optional.empty());
  private static final String AGAIN = "it goes out again, and nobody asks whether it took effect";

  private final ActivityAudit audit = new ActivityAudit();

  private static OperationSpec.Activity call(Optional<String> key) {
    return new OperationSpec.Activity(
        "transfer",
        Payload.NONE,
        RetryPolicy.DEFAULT,
        Timeouts.DEFAULT,
        new ActivityCall(key, false, Optional.empty(), Optional.empty()));
  }

  private static Failure failure(OutsideEffect known) {
    return Failure.retryable("bank.Down", "no answer").with(known);
  }

  private Optional<String> goesOut(Proof proof) {
    return audit.goesOut(new Effect.RunActivity(A, 1, KEYED, proof));
  }

  private void failed(OutsideEffect known) {
    audit.failed(A, failure(known));
  }

  private void asked() {
    audit.asked(A, KEYED);
    assertThat(goesOut(Proof.GIVEN)).isEmpty();
  }

  // --- the proof

  @Test
  void whatHadNoEffectGoesOutAgain() {
    asked();
    failed(OutsideEffect.NONE);
    audit.started(A);
    assertThat(goesOut(Proof.GIVEN)).isEmpty();
  }

  @Test
  void goingOutTwiceIsFound() {
    asked();
    assertThat(goesOut(Proof.NEEDED)).isEmpty();
    assertThat(goesOut(Proof.GIVEN)).contains(AGAIN);
  }

  @Test
  void goingOutAfterAPossibleEffectIsFound() {
    for (OutsideEffect known :
        new OutsideEffect[] {OutsideEffect.POSSIBLE, OutsideEffect.UNPROVEN}) {
      asked();
      failed(known);
      assertThat(goesOut(Proof.GIVEN)).contains(AGAIN);
    }
  }

  @Test
  void forgettingAnAttemptBeforeTheNewestIsFound() {
    asked();
    failed(OutsideEffect.POSSIBLE);
    assertThat(goesOut(Proof.NEEDED)).isEmpty();
    failed(OutsideEffect.NONE);
    assertThat(goesOut(Proof.GIVEN)).contains(AGAIN);
  }

  @Test
  void forgettingWhatALostOwnerDidIsFound() {
    asked();
    audit.redelivered(A);
    failed(OutsideEffect.NONE);
    assertThat(goesOut(Proof.GIVEN)).contains(AGAIN);
  }

  @Test
  void aPersonMayHaveItGoOutOnce() {
    asked();
    failed(OutsideEffect.UNPROVEN);
    assertThat(audit.retried(A, true)).isEmpty();
    assertThat(goesOut(Proof.GIVEN)).isEmpty();
    assertThat(goesOut(Proof.GIVEN)).contains(AGAIN);
  }

  @Test
  void askingForAProofWhereThereIsNoneIsFound() {
    audit.asked(A, PLAIN);
    assertThat(audit.retried(A, false)).isEmpty();
    assertThat(audit.retried(A, true)).contains("without a key there is nothing to prove");
    assertThat(audit.retried(new OperationId("step#1"), true)).isPresent();
  }

  @Test
  void withoutAKeyItGoesOutAsOftenAsItLikes() {
    audit.asked(A, PLAIN);
    for (int times = 0; times < 3; times++)
      assertThat(audit.goesOut(new Effect.RunActivity(A, 1, PLAIN, Proof.GIVEN))).isEmpty();
  }

  // --- what the program is told

  @Test
  void tellingAFailureThatMayBeASuccessIsFound() {
    asked();
    assertThat(audit.completed(A, new Outcome.Failed(failure(OutsideEffect.UNPROVEN))))
        .contains("its program is told of a failure that may be a success");
  }

  @Test
  void comingOutAfterThatWithoutAPersonIsFound() {
    for (Outcome outcome :
        new Outcome[] {
          Outcome.DONE,
          new Outcome.TimedOut("PT1M"),
          new Outcome.Failed(failure(OutsideEffect.POSSIBLE))
        }) {
      asked();
      failed(OutsideEffect.UNPROVEN);
      assertThat(audit.completed(A, outcome))
          .contains("whether it took effect cannot be told, and no person said so");
    }
    asked();
    failed(OutsideEffect.UNPROVEN);
    assertThat(audit.completed(A, new Outcome.Failed(failure(OutsideEffect.NONE))))
        .contains("its program is told that it had no effect, and an attempt may have");
  }

  @Test
  void anotherAttemptMayTell() {
    asked();
    failed(OutsideEffect.UNPROVEN);
    audit.started(A);
    assertThat(audit.completed(A, new Outcome.Failed(failure(OutsideEffect.POSSIBLE)))).isEmpty();
  }

  // --- what a person says

  @Test
  void aPersonMaySayHowItCameOut() {
    asked();
    failed(OutsideEffect.UNPROVEN);
    assertThat(audit.concluded(A)).isEmpty();
    assertThat(audit.completed(A, Outcome.DONE)).isEmpty();
    assertThat(audit.committed()).isEmpty();
  }

  @Test
  void aConclusionWithoutAnOutcomeIsFound() {
    asked();
    failed(OutsideEffect.UNPROVEN);
    assertThat(audit.concluded(A)).isEmpty();
    assertThat(audit.committed()).contains("a#1 is concluded, and does not come out");
  }

  @Test
  void concludingWhatIsUnderWayIsFound() {
    asked();
    assertThat(audit.concluded(A)).contains("an attempt at it is under way");
    failed(OutsideEffect.NONE);
    audit.started(A);
    assertThat(audit.concluded(A)).contains("an attempt at it is under way");
  }

  @Test
  void concludingTwiceIsFound() {
    asked();
    failed(OutsideEffect.UNPROVEN);
    audit.concluded(A);
    audit.completed(A, Outcome.DONE);
    assertThat(audit.concluded(A)).contains("it is no activity, or came out before");
  }

  @Test
  void concludingAStepIsFound() {
    audit.asked(A, OperationSpec.Step.DEFAULT);
    assertThat(audit.concluded(A)).contains("it is no activity, or came out before");
  }

  @Test
  void whatWasGivenUpIsForgotten() {
    asked();
    failed(OutsideEffect.UNPROVEN);
    audit.abandoned(A);
    assertThat(audit.completed(A, Outcome.DONE)).isEmpty();
    asked();
    audit.forget();
    assertThat(audit.concluded(A)).isPresent();
  }
}
