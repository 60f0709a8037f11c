package dev.tenure.sharding.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.lease.Membership;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** When a node holds a lease, and for how long it claims one. */
class LeaseKeeperTest extends KeptLeases {
  @Test
  void aGrantedLeaseIsHeldAtItsEpochUntilItIsReleased() {
    CompletableFuture<Boolean> answer = acquire(7);
    assertThat(keeper.epochOf(7)).isEmpty();
    hands.work();

    assertThat(answer).isCompletedWithValue(true);
    assertThat(keeper.epochOf(7)).hasValue(1);

    keeper.release(7);
    assertThat(keeper.epochOf(7)).isEmpty();
    hands.work();
    assertThat(store.holders).doesNotContainKey(7);
    assertThat(lost).isEmpty();
  }

  @Test
  void theShardsOfALostNodeAreClaimedTogetherAndTheRestOneByOne() {
    List<CompletableFuture<Boolean>> answers = new ArrayList<>();
    for (int shard = 0; shard < 20; shard++) {
      if (shard < 18) store.epochs.put(shard, 0L);
      answers.add(acquire(shard));
    }
    hands.work();

    assertThat(answers).allSatisfy(answer -> assertThat(answer).isCompletedWithValue(true));
    assertThat(store.together).isEqualTo(1);
    assertThat(store.claims).isEqualTo(2);
    assertThat(keeper.shards()).hasSize(20);
    for (int shard = 0; shard < 20; shard++)
      assertThat(keeper.epochOf(shard)).hasValue(store.epochs.get(shard));
  }

  @Test
  void whatIsGrantedTogetherAndWaitedForByNobodyIsGivenBack() {
    for (int shard = 1; shard <= 3; shard++) {
      store.epochs.put(shard, 0L);
      acquire(shard);
    }
    store.during = () -> keeper.release(2);
    hands.work();

    assertThat(keeper.shards()).containsExactlyInAnyOrder(1, 3);
    assertThat(store.holders).containsOnlyKeys(1, 3);
  }

  @Test
  void aClaimThatIsRefusedIsRepeatedUntilItIsGranted() {
    store.give(7, OTHER);
    CompletableFuture<Boolean> answer = acquire(7);
    hands.work();
    assertThat(answer).isNotDone();

    store.holders.remove(7);
    turn(Duration.ofMillis(100));

    assertThat(answer).isCompletedWithValue(true);
  }

  @Test
  void aClaimAlwaysEnds() {
    store.give(7, OTHER);
    CompletableFuture<Boolean> answer = acquire(7);
    turn(Duration.ofSeconds(3));

    assertThat(answer).isCompletedWithValue(false);
    assertThat(keeper.epochOf(7)).isEmpty();
    int claims = store.claims;
    turn(Duration.ofSeconds(10));
    assertThat(store.claims).as("nobody waits for it any more").isEqualTo(claims);
  }

  @Test
  void aClaimThatIsGrantedWhenNobodyWaitsAnyMoreIsGivenBack() {
    store.takes = Duration.ofSeconds(4);
    store.during = () -> hands.fire(nanos); // the claim's limit passes while the store is slow
    CompletableFuture<Boolean> answer = acquire(7);
    hands.work();

    assertThat(answer).isCompletedWithValue(false);
    assertThat(keeper.epochOf(7)).isEmpty();
    assertThat(store.holders).doesNotContainKey(7);
  }

  /** A shard that waits for its lease takes no order to hand over. */
  @Test
  void aNodeThatDrainsLetsNoShardWaitForItsLease() {
    store.give(7, OTHER);
    CompletableFuture<Boolean> waits = acquire(7);
    hands.work();
    assertThat(waits).isNotDone();

    keeper.drain();
    assertThat(waits).isCompletedWithValue(true);
    assertThat(acquire(8)).isCompletedWithValue(true);
    assertThat(keeper.epochOf(7)).as("its workflows find no tenure").isEmpty();
    store.holders.remove(7);
    turn(Duration.ofSeconds(5));
    assertThat(keeper.shards()).isEmpty();
    assertThat(store.holders).isEmpty();
  }

  @Test
  void aClaimThatIsGrantedAfterALifetimeIsNotBelieved() {
    LeaseTimes patient =
        new LeaseTimes(
            Duration.ofSeconds(10),
            Duration.ofSeconds(2),
            Duration.ofMinutes(1),
            Duration.ofMillis(100));
    LeaseKeeper slow =
        new LeaseKeeper(store, SELF, Membership.UNKNOWN, patient, () -> nanos, hands, this::looked);
    store.takes = Duration.ofSeconds(11);
    CompletableFuture<Boolean> answer = slow.acquire(7, lose()).toCompletableFuture();
    hands.work();

    assertThat(answer).isCompletedWithValue(false);
    assertThat(slow.epochOf(7)).isEmpty();
  }

  @Test
  void aClaimTheStoreCannotAnswerFailsWithTheReason() {
    store.outage = true;
    CompletableFuture<Boolean> answer = acquire(7);
    turn(Duration.ofSeconds(3));

    assertThat(answer).isDone();
    assertThat(keeper.epochOf(7)).isEmpty();
  }

  @Test
  void aShardThatStartsAgainHasANewEpoch() {
    acquire(7);
    hands.work();
    acquire(7);
    assertThat(keeper.epochOf(7)).as("while it claims").isEmpty();
    hands.work();

    assertThat(keeper.epochOf(7)).hasValue(2);
    assertThat(lost).isEmpty();
  }

  @Test
  void twoClaimsOfOneShardNeverRaceInTheStore() {
    CompletableFuture<Boolean> first = acquire(7);
    keeper.release(7);
    CompletableFuture<Boolean> second = acquire(7);
    hands.work();

    assertThat(first).isCompletedWithValue(false);
    assertThat(second).isCompletedWithValue(true);
    assertThat(store.claims).isEqualTo(1);
    assertThat(keeper.epochOf(7)).hasValue(1);
  }

  @Test
  void aClaimThatWasReleasedWhileItWaitedIsNotMade() {
    acquire(7);
    keeper.release(7);
    hands.work();

    assertThat(store.claims).isZero();
    assertThat(keeper.epochOf(7)).isEmpty();
  }

  @Test
  void aClaimThatDiesOfAnErrorLeavesNothingBehind() {
    store.during =
        () -> {
          store.during = () -> {};
          throw new StackOverflowError("on purpose");
        };
    CompletableFuture<Boolean> answer = acquire(7);
    assertThatThrownBy(hands::work).isInstanceOf(StackOverflowError.class);
    assertThat(answer).isCompletedExceptionally();

    CompletableFuture<Boolean> again = acquire(7);
    hands.work();
    assertThat(again).isCompletedWithValue(true);
  }

  @Test
  void aClaimTogetherThatDiesOfAnErrorLeavesNothingBehind() {
    List<CompletableFuture<Boolean>> answers = List.of(acquire(1), acquire(2));
    store.during =
        () -> {
          store.during = () -> {};
          throw new StackOverflowError("on purpose");
        };
    assertThatThrownBy(hands::work).isInstanceOf(StackOverflowError.class);
    hands.work();
    assertThat(answers.get(0)).isCompletedExceptionally();
    assertThat(answers.get(1)).isCompletedWithValue(true);

    CompletableFuture<Boolean> again = acquire(1);
    hands.work();
    assertThat(again).isCompletedWithValue(true);
  }

  @Test
  void whoMayNotGoOnLosesEverythingAndClaimsNothing() {
    acquire(1);
    acquire(2);
    hands.work();

    keeper.loseAll("the node must stop");

    assertThat(lost).hasSize(2).allMatch(reason -> reason.contains("the node must stop"));
    assertThat(acquire(3)).isCompletedWithValue(false);
    hands.work();
    assertThat(keeper.size()).isZero();
  }
}
