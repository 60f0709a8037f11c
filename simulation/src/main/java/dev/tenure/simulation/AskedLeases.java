package dev.tenure.simulation;

import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Lease;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.lease.Membership;
import dev.tenure.persistence.lease.Takeover;
import dev.tenure.persistence.storage.StorageException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The leases as one node can ask for them, and what it was told. */
final class AskedLeases implements Leases {
  /** An answer that takes longer does not come. */
  private static final Duration ANSWER_MAX = Duration.ofSeconds(4);

  private static final Duration SLOW_MAX = Duration.ofSeconds(5);
  private static final String LATE = "late lease";

  private final DatabaseLink link;
  private final NodeLeases.Around around;
  private final Map<Integer, Long> tenures;

  /** By shard, until when the store gives it to nobody else, as far as the node was told. */
  private final Map<Integer, Instant> ends = new HashMap<>();

  private final Map<Integer, Takeover.Reason> reasons = new HashMap<>();
  private final List<SlowCall> slow = new ArrayList<>();

  /** What was begun just now, and waits at its first call of the store. */
  private Optional<SlowCall> begun = Optional.empty();

  private Map<Integer, Long> lost = Map.of();

  /** An answer that is there before it is asked for, and since when: a planted bug. */
  private Optional<Beat> kept = Optional.empty();

  private Instant keptFrom = Instant.MIN;

  /**
   * @param tenures by shard, the epochs at which the node holds what it holds
   */
  AskedLeases(DatabaseLink link, NodeLeases.Around around, Map<Integer, Long> tenures) {
    this.link = link;
    this.around = around;
    this.tenures = tenures;
  }

  /** Until when the shard is the node's, as far as it was told. */
  Instant ends(int shard) {
    return ends.get(shard);
  }

  /** Why the node could take the shard. */
  Takeover.Reason reason(int shard) {
    return reasons.get(shard);
  }

  /** What the last answer says that the node has lost, once. */
  Map<Integer, Long> takeLost() {
    Map<Integer, Long> taken = lost;
    lost = Map.of();
    return taken;
  }

  // --- answers that take their time

  /** Does work whose next call of the store takes its time. */
  void slowly(Runnable work, Runnable afterwards) {
    SlowCall call = new SlowCall();
    slow.add(call);
    begun = Optional.of(call);
    call.begin(
        () -> {
          try {
            work.run();
          } finally {
            begun = begun.filter(one -> one != call);
            slow.remove(call);
          }
          afterwards.run();
        });
  }

  boolean isSlow() {
    return !slow.isEmpty();
  }

  /** What the store says now is what the next beat is told, which begins later. */
  void answerLate(Holder holder, Runnable beat) {
    Instant sent = now();
    Beat stored = around.store().beat(holder, NodeLeases.TIMES.timeToLive());
    around
        .timers()
        .later(
            around.chance().upTo(LATE, ANSWER_MAX),
            () -> {
              kept = Optional.of(stored);
              keptFrom = sent;
              beat.run();
              kept = Optional.empty();
            });
  }

  /** No answer comes any more. */
  void end() {
    for (SlowCall one : List.copyOf(slow)) one.answer();
  }

  private <T> T ask(Supplier<T> question) {
    link.require();
    if (begun.isEmpty()) return question.get();
    SlowCall call = begun.get();
    begun = Optional.empty();
    Optional<T> early = around.chance().half(LATE) ? Optional.of(question.get()) : Optional.empty();
    Duration pause = around.chance().upTo(LATE, SLOW_MAX);
    around.timers().later(pause, call::answer);
    call.awaitAnswer();
    link.require();
    if (pause.compareTo(ANSWER_MAX) > 0) throw new StorageException.Unavailable("late", null);
    return early.orElseGet(question);
  }

  // --- what is asked

  @Override
  public Claim acquire(int shard, Holder claimant, Membership members, Duration timeToLive) {
    Instant sent = now();
    Claim claim = ask(() -> claimed(shard, claimant, members, timeToLive));
    if (claim instanceof Claim.Granted granted) {
      ends.put(shard, sent.plus(timeToLive));
      reasons.put(shard, granted.reason());
    }
    return claim;
  }

  private Claim claimed(int shard, Holder claimant, Membership members, Duration timeToLive) {
    Optional<Lease> current = around.store().find(shard);
    Claim claim =
        around.flaw() == Flaw.EPOCH_NOT_RAISED && current.isPresent()
            ? new Claim.Granted(current.get().epoch(), Takeover.Reason.OWN)
            : around.store().acquire(shard, claimant, members, timeToLive);
    if (claim instanceof Claim.Granted granted) around.checker().granted(shard, granted.epoch());
    return claim;
  }

  @Override
  public Map<Integer, Claim.Granted> acquireFree(
      Set<Integer> shards, Holder claimant, Membership members, Duration timeToLive) {
    Instant sent = now();
    Map<Integer, Claim.Granted> all = ask(() -> claimed(shards, claimant, members, timeToLive));
    all.forEach(
        (shard, granted) -> {
          ends.put(shard, sent.plus(timeToLive));
          reasons.put(shard, granted.reason());
        });
    return all;
  }

  private Map<Integer, Claim.Granted> claimed(
      Set<Integer> shards, Holder claimant, Membership members, Duration timeToLive) {
    Map<Integer, Claim.Granted> all =
        around.store().acquireFree(shards, claimant, members, timeToLive);
    all.forEach((shard, granted) -> around.checker().granted(shard, granted.epoch()));
    return all;
  }

  @Override
  public Beat beat(Holder holder, Duration timeToLive) {
    Instant sent = kept.isPresent() ? keptFrom : now();
    Map<Integer, Long> gone = new HashMap<>(tenures);
    Beat beat = kept.isPresent() ? kept.get() : ask(() -> around.store().beat(holder, timeToLive));
    Map<Integer, Long> stored = beat.held();
    stored.keySet().forEach(shard -> ends.merge(shard, sent.plus(timeToLive), AskedLeases::later));
    gone.entrySet().removeAll(stored.entrySet());
    lost = gone;
    return beat;
  }

  private Instant now() {
    return around.loop().instant();
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  @Override
  public void release(int shard, Holder holder, long epoch) {
    link.require();
    if (around.chance().strikes(Fault.RELEASE_LOST))
      throw new StorageException.Unavailable("simulated", null);
    around.store().release(shard, holder, epoch);
  }

  @Override
  public Optional<Lease> find(int shard) {
    link.require();
    return around.store().find(shard);
  }

  @Override
  public List<Lease> all() {
    link.require();
    return around.store().all();
  }

  @Override
  public List<Holding> holdings() {
    link.require();
    return around.store().holdings();
  }
}
