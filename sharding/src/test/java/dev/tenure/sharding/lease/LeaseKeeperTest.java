package dev.tenure.sharding.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Lease;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.lease.Membership;
import dev.tenure.persistence.lease.Takeover;
import dev.tenure.persistence.storage.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What a node may believe about its leases, with a clock and a store that are turned by hand. */
class LeaseKeeperTest {
  private static final Holder SELF = new Holder("tenure@self:1", 1);
  private static final Holder OTHER = new Holder("tenure@other:1", 2);
  private static final LeaseTimes TIMES =
      new LeaseTimes(
          Duration.ofSeconds(10),
          Duration.ofSeconds(2),
          Duration.ofSeconds(3),
          Duration.ofMillis(100));

  private long nanos = 1;
  private final Store store = new Store();
  private final Hands hands = new Hands(() -> nanos);
  private final LeaseKeeper keeper =
      new LeaseKeeper(store, SELF, Membership.UNKNOWN, TIMES, () -> nanos, hands);
  private final List<String> lost = new ArrayList<>();

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
  void renewalsKeepEverythingInOneStatement() {
    acquire(1);
    acquire(2);
    hands.work();
    for (int beat = 0; beat < 20; beat++) {
      pass(TIMES.renewEvery());
      keeper.renew();
      keeper.expire();
    }

    assertThat(store.renewals).isEqualTo(20);
    assertThat(keeper.size()).isEqualTo(2);
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
  void aLeaseThatTheStoreGaveToSomebodyElseIsLostAtOnceAndTheOthersAreKept() {
    acquire(1);
    acquire(2);
    hands.work();
    store.give(1, OTHER);

    keeper.renew();

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
      keeper.renew();
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

    keeper.renew();

    assertThat(lost).hasSize(1);
    assertThat(keeper.epochOf(1)).isEmpty();
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

  @Test
  void aClaimThatIsGrantedAfterALifetimeIsNotBelieved() {
    LeaseTimes patient =
        new LeaseTimes(
            Duration.ofSeconds(10),
            Duration.ofSeconds(2),
            Duration.ofMinutes(1),
            Duration.ofMillis(100));
    LeaseKeeper slow =
        new LeaseKeeper(store, SELF, Membership.UNKNOWN, patient, () -> nanos, hands);
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

  private CompletableFuture<Boolean> acquire(int shard) {
    return keeper.acquire(shard, lose()).toCompletableFuture();
  }

  private Consumer<Optional<Throwable>> lose() {
    return reason -> lost.add(reason.orElseThrow().getMessage());
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  /** Time passes, and everything that is due is done. */
  private void turn(Duration time) {
    long end = nanos + time.toNanos();
    while (nanos < end) {
      hands.work();
      nanos = Math.min(end, nanos + Duration.ofMillis(10).toNanos());
      hands.fire(nanos);
    }
    hands.work();
  }

  /** A store that can be slow, away, and somebody else's. */
  private final class Store implements Leases {
    final Map<Integer, Holder> holders = new HashMap<>();
    final Map<Integer, Long> epochs = new HashMap<>();
    Duration takes = Duration.ZERO;
    Runnable during = () -> {};
    boolean outage;
    int claims;
    int together;
    int renewals;
    private long epoch;

    void give(int shard, Holder holder) {
      holders.put(shard, holder);
      epochs.put(shard, ++epoch);
    }

    private void answer() {
      nanos += takes.toNanos();
      during.run();
      if (outage) throw new StorageException.Unavailable("the store is down", null);
    }

    @Override
    public Claim acquire(int shard, Holder claimant, Membership members, Duration timeToLive) {
      claims++;
      answer();
      Holder holder = holders.get(shard);
      if (holder != null && !holder.equals(claimant)) {
        return new Claim.Refused(holder, Duration.ofSeconds(9));
      }
      give(shard, claimant);
      return new Claim.Granted(epoch, Takeover.Reason.RELEASED);
    }

    @Override
    public Map<Integer, Claim.Granted> acquireFree(
        Set<Integer> shards, Holder claimant, Membership members, Duration timeToLive) {
      together++;
      answer();
      Map<Integer, Claim.Granted> granted = new HashMap<>();
      for (int shard : shards) {
        if (!epochs.containsKey(shard) || holders.containsKey(shard)) continue;
        give(shard, claimant);
        granted.put(shard, new Claim.Granted(epoch, Takeover.Reason.RELEASED));
      }
      return granted;
    }

    @Override
    public Set<Integer> renew(Holder holder, Map<Integer, Long> held, Duration timeToLive) {
      renewals++;
      answer();
      Set<Integer> kept = new HashSet<>(held.keySet());
      kept.removeIf(
          shard ->
              !holder.equals(holders.get(shard)) || !held.get(shard).equals(epochs.get(shard)));
      return kept;
    }

    @Override
    public void release(int shard, Holder holder, long atEpoch) {
      if (holder.equals(holders.get(shard)) && epochs.get(shard) == atEpoch) holders.remove(shard);
    }

    @Override
    public Optional<Lease> find(int shard) {
      return Optional.empty();
    }

    @Override
    public List<Lease> all() {
      return List.of();
    }

    @Override
    public List<Holding> holdings() {
      return List.of();
    }
  }
}
