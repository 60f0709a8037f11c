package dev.tenure.sharding.activity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.activity.ActivityStatus;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Failure.OutsideEffect;
import dev.tenure.workflow.Verifier.Verdict;
import dev.tenure.workflow.kernel.Effect.Proof;
import dev.tenure.workflow.operation.Outcome;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Keyed calls whose owner has ended, or that workers carry out. */
class OutlivingAttemptsTest extends KeyedCallFixture {
  // --- an owner that ends

  @Test
  void anAttemptOutlivesItsOwnerAndItsEffectIsKept() {
    ActivityTask task = task(Proof.GIVEN, false);
    ledger.claim(task);
    Activities[] all = new Activities[1];
    all[0] =
        activities(
            paying(
                (call, input) -> {
                  all[0].leave(task.workflow(), "run", task.operation(), 1);
                  return "receipt";
                }));
    all[0].offer(task, new Waits());
    threads.remove().run();
    assertThat(Thread.interrupted()).as("it is not interrupted").isFalse();
    assertThat(outcomes).as("the owner is not told any more").isEmpty();
    assertThat(record().result()).contains(RECEIPT);
  }

  @Test
  void theNextOwnerOnTheNodeWaitsForTheSameAttempt() {
    ActivityTask task = task(Proof.GIVEN, false);
    ledger.claim(task);
    Activities[] all = new Activities[1];
    all[0] =
        activities(
            paying(
                (call, input) -> {
                  all[0].leave(task.workflow(), "run", task.operation(), 1);
                  assertThat(all[0].offer(task(Proof.NEEDED, false), new Waits()))
                      .isEqualTo(Activities.Taken.YES);
                  return "receipt";
                }));
    all[0].offer(task, new Waits());
    while (!threads.isEmpty()) threads.remove().run();
    assertThat(outcomes).containsExactly(new Outcome.Succeeded(RECEIPT));
    assertThat(calls).hasValue(1);
  }

  @Test
  void anAttemptThatWaitsForItsTurnIsNotCalledWithoutAnOwner() {
    ActivityTask task = task(Proof.GIVEN, false);
    ledger.claim(task);
    try (Activities activities = activities(paying(KeyedCallFixture::succeeds))) {
      activities.offer(task, new Waits());
      activities.leave(task.workflow(), "run", task.operation(), 1);
      threads.remove().run();
      assertThat(calls).hasValue(0);
      assertThat(activities.size()).isZero();
    }
  }

  @Test
  void anAttemptThatWaitsIsTakenOverWithinOneTenure() {
    ActivityTask task = task(Proof.GIVEN, false);
    ledger.claim(task);
    try (Activities activities = activities(paying(KeyedCallFixture::succeeds))) {
      activities.offer(task, new Waits());
      activities.leave(task.workflow(), "run", task.operation(), 1);
      activities.offer(task(Proof.NEEDED, false), new Waits());
      while (!threads.isEmpty()) threads.remove().run();
    }
    assertThat(calls).as("it was not called before").hasValue(1);
    assertThat(outcomes).containsExactly(new Outcome.Succeeded(RECEIPT));
  }

  @Test
  void anAttemptThatWaitsIsProvenAfterAnotherTenure() {
    ActivityTask task = task(Proof.GIVEN, false);
    ledger.claim(task);
    try (Activities activities = activities(paying(KeyedCallFixture::succeeds))) {
      activities.offer(task, new Waits());
      activities.leave(task.workflow(), "run", task.operation(), 1);
      activities.offer(task(1, Proof.NEEDED, false, 3), new Waits());
      while (!threads.isEmpty()) threads.remove().run();
    }
    assertThat(calls).as("another owner may have had it called").hasValue(0);
    assertUnproven(outcomes.getFirst(), false);
  }

  @Test
  void nothingIsCalledWithoutItsTenure() {
    holds = tenure -> false;
    Outcome outcome = first(paying(KeyedCallFixture::succeeds));
    assertThat(failure(outcome).outside()).isEqualTo(OutsideEffect.NONE);
    assertThat(calls).hasValue(0);
  }

  /** Its node was paused beside the verifier, and has not heard yet that it lost the shard. */
  @Test
  void whatANewerOwnerHasClaimedMeanwhileIsNotCalled() {
    ActivityTask newer = task(1, Proof.NEEDED, false, 2);
    Outcome outcome =
        again(
            verified(
                KeyedCallFixture::succeeds,
                (call, input) -> {
                  ledger.claim(newer);
                  return Verdict.notCompleted("not yet");
                }));
    assertUnproven(outcome, true);
    assertThat(calls).hasValue(0);
  }

  @Test
  void nothingIsCalledWhenTheRecordCannotBeReadAgain() {
    Outcome outcome =
        again(
            verified(
                KeyedCallFixture::succeeds,
                (call, input) -> {
                  ledger.isAway = true;
                  return Verdict.notCompleted("not there");
                }));
    assertUnproven(outcome, true);
    assertThat(calls).hasValue(0);
  }

  @Test
  void anAttemptThatAPersonOrdersCallsNothingThatCameOutMeanwhile() {
    ActivityTask task = task(2, Proof.GIVEN, false, 1);
    ledger.put(task, ActivityStatus.COMPLETED, Optional.of(RECEIPT), Optional.empty());
    try (Activities activities = activities(paying(KeyedCallFixture::succeeds))) {
      activities.offer(task, new Waits());
      threads.remove().run();
    }
    assertThat(calls).hasValue(0);
    assertThat(outcomes).containsExactly(new Outcome.Succeeded(RECEIPT));
  }

  // --- what a worker says

  @Test
  void aWorkersFailureIsSettledLikeOneOfThisNode() {
    try (Activities activities =
        activities(
            verified(
                KeyedCallFixture::succeeds, (c, i) -> Verdict.completed("receipt", "found")))) {
      ActivityTask task = task(Proof.NEEDED, false);
      ledger.claim(task);
      activities.settle(
          task, new Outcome.Failed(Failure.retryable("Reset", "by peer")), new Waits());
      threads.remove().run();
    }
    assertThat(outcomes).containsExactly(new Outcome.Succeeded(RECEIPT));
    assertThat(calls).hasValue(0);
  }

  @Test
  void aLostWorkersTaskIsOfferedAgainWhenItHadNoEffect() {
    Waits asker = new Waits();
    try (Activities activities =
        activities(verified(KeyedCallFixture::succeeds, (c, i) -> Verdict.notCompleted("none")))) {
      ActivityTask task = task(Proof.NEEDED, false);
      ledger.claim(task);
      activities.prove(task, asker);
      threads.remove().run();
      assertThat(activities.size()).isZero();
    }
    assertThat(asker.absent).isTrue();
    assertThat(outcomes).isEmpty();
  }
}
