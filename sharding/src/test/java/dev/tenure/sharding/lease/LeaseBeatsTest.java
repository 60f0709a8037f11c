package dev.tenure.sharding.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a node may believe about the leases that it has. */
class LeaseBeatsTest extends KeptLeases {
  @Test
  void aLeaseIsTrustedFromBeforeTheRenewalWasSentAndForLessThanItLives() {
    store.takes = Duration.ofSeconds(2);
    acquire(7);
    hands.work(); // sent at 0, answered at 2 s

    pass(Duration.ofMillis(6_900));
    assertThat(keeper.epochOf(7)).hasValue(1);
    pass(Duration.ofMillis(200)); // 9.1 s after it was sent
    assertThat(keeper.epochOf(7)).as("before anybody looked").isEmpty();

    keeper.expire();
    assertThat(lost).hasSize(1);
    assertThat(lost.getFirst())
        .contains("shard 7 at epoch 1", "could not be renewed within 9000 ms");
  }

  @Test
  void eachBeatThatIsAnsweredIsALookAtTheClockOfTheStore() {
    acquire(1);
    hands.work();
    store.takes = Duration.ofMillis(40);
    long asked = nanos;
    keeper.beat();
    store.outage = true;
    keeper.beat();

    assertThat(looks)
        .containsExactly(new Look(asked, time, asked + Duration.ofMillis(40).toNanos()));
  }

  @Test
  void oneBeatKeepsEverything() {
    acquire(1);
    acquire(2);
    hands.work();
    for (int beat = 0; beat < 20; beat++) {
      pass(TIMES.renewEvery());
      keeper.beat();
      keeper.expire();
    }

    assertThat(store.beats).isEqualTo(20);
    assertThat(keeper.size()).isEqualTo(2);
    assertThat(lost).isEmpty();
  }

  @Test
  void aLeaseThatTheStoreGaveToSomebodyElseIsLostAtOnceAndTheOthersAreKept() {
    acquire(1);
    acquire(2);
    hands.work();
    store.give(1, OTHER);

    keeper.beat();

    assertThat(lost).singleElement().asString().contains("shard 1 at epoch 1", "another holder");
    assertThat(keeper.epochOf(1)).isEmpty();
    assertThat(keeper.epochOf(2)).hasValue(2);
  }

  @Test
  void leasesThatCannotBeRenewedAreGivenUpBeforeTheyRunOut() {
    acquire(1);
    hands.work();
    store.outage = true;
    for (int second = 0; second < 8; second++) {
      pass(Duration.ofSeconds(1));
      keeper.beat();
      keeper.expire();
    }
    assertThat(lost).isEmpty();

    pass(Duration.ofSeconds(1)); // 9 of 10 s
    keeper.expire();

    assertThat(lost).hasSize(1);
  }

  @Test
  void aRenewalThatIsAnsweredTooLateDoesNotReviveWhatWasGivenUp() {
    acquire(1);
    hands.work();
    store.takes = Duration.ofSeconds(30);
    store.during =
        () -> {
          keeper.expire(); // the watch goes on while the store is slow
          store.during = () -> {};
        };

    keeper.beat();

    assertThat(lost).hasSize(1);
    assertThat(keeper.epochOf(1)).isEmpty();
  }

  @Test
  void aShardWhoseReleaseFailedIsReleasedAfterALaterBeat() {
    acquire(1);
    acquire(2);
    hands.work();
    store.outage = true;
    keeper.release(1);
    hands.work();
    assertThat(store.holders).containsKey(1);

    store.outage = false;
    keeper.beat();
    hands.work();

    assertThat(store.holders).as("nobody could take it while this node beats").containsOnlyKeys(2);
    assertThat(keeper.epochOf(2)).isPresent();
    assertThat(store.releases).isEqualTo(2);
  }

  @Test
  void whatWasGivenUpWithoutTheStoreIsReleasedWhenItIsBack() {
    acquire(1);
    hands.work();
    pass(Duration.ofSeconds(9));
    keeper.expire();
    assertThat(keeper.size()).isZero();

    keeper.beat();
    hands.work();

    assertThat(store.holders).isEmpty();
  }

  @Test
  void aBeatReleasesAShardOnceHoweverLongThatTakes() {
    store.give(1, SELF);
    keeper.beat();
    keeper.beat();
    hands.work();

    assertThat(store.releases).isEqualTo(1);
  }

  @Test
  void aBeatDoesNotReleaseWhatIsBeingClaimed() {
    store.during =
        () -> {
          store.during = () -> {};
          store.give(7, SELF); // granted, and not answered yet
          keeper.beat();
        };
    CompletableFuture<Boolean> answer = acquire(7);
    hands.work();

    assertThat(answer).isCompletedWithValue(true);
    assertThat(store.releases).isZero();
    assertThat(keeper.epochOf(7)).isPresent();
  }

  @Test
  void aCommitThatWasFencedEndsALeaseThatTheStoreGaveToSomebodyElse() {
    acquire(1);
    acquire(2);
    hands.work();
    long epoch = keeper.epochOf(1).getAsLong();
    store.give(1, OTHER);

    keeper.fenced(1, epoch);
    keeper.fenced(1, epoch);
    assertThat(lost).as("the store is asked on another thread").isEmpty();
    hands.work();

    assertThat(store.finds).as("one check for many commits").isEqualTo(1);
    assertThat(lost).singleElement().asString().contains("shard 1", "another holder");
    assertThat(keeper.epochOf(2)).isPresent();
    assertThat(store.beats).isZero();
  }

  @Test
  void aCommitThatWasFencedUnderAnEarlierEpochChangesNothing() {
    acquire(1);
    hands.work();
    long epoch = keeper.epochOf(1).getAsLong();

    keeper.fenced(1, epoch - 1);
    keeper.fenced(2, epoch);
    hands.work();
    assertThat(store.finds).isZero();
    keeper.fenced(1, epoch);
    hands.work();

    assertThat(lost).isEmpty();
    assertThat(keeper.epochOf(1)).hasValue(epoch);
  }

  @Test
  void aCheckThatTheStoreDoesNotAnswerIsMadeAgainAtTheNextFencedCommit() {
    acquire(1);
    hands.work();
    long epoch = keeper.epochOf(1).getAsLong();
    store.give(1, OTHER);
    store.outage = true;
    keeper.fenced(1, epoch);
    hands.work();
    assertThat(lost).isEmpty();

    store.outage = false;
    keeper.fenced(1, epoch);
    hands.work();
    assertThat(lost).hasSize(1);
  }

  @Test
  void aReleaseThatDiesOfAnErrorEnds() {
    acquire(1);
    hands.work();
    store.releaseFails = true;
    CompletableFuture<Boolean> answer = keeper.release(1).toCompletableFuture();
    assertThatThrownBy(hands::work).isInstanceOf(StackOverflowError.class);

    assertThat(answer).isCompletedWithValue(false);
    assertThat(keeper.released()).isCompleted();
  }

  @Test
  void whatIsRepeatedIsRepeatedAfterAnErrorToo() {
    AtomicInteger runs = new AtomicInteger();
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    try {
      CountDownLatch often = new CountDownLatch(3);
      Runnable task =
          Tenures.enduring(
              () -> {
                often.countDown();
                if (runs.incrementAndGet() == 1) throw new StackOverflowError("on purpose");
                throw new IllegalStateException("on purpose");
              });
      timer.scheduleAtFixedRate(task, 1, 1, TimeUnit.MILLISECONDS);
      assertThat(often.await(1, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    } finally {
      timer.shutdownNow();
    }
  }
}
