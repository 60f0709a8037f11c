package dev.tenure.simulation;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.lease.Membership;
import dev.tenure.persistence.lease.Takeover;
import dev.tenure.sharding.lease.LeaseKeeper;
import dev.tenure.sharding.lease.LeaseTimes;
import dev.tenure.sharding.lease.LeaseWork;
import dev.tenure.sharding.loop.Loop;
import dev.tenure.sharding.loop.LoopNode;
import dev.tenure.workflow.audit.Violation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * The keeper of one node's leases, in simulated time: its calls of the store fail, or take their
 * time. What it may believe is reckoned here once more, from what the store told it.
 */
final class NodeLeases {
  /** As on a node, except that a claim is not repeated quite so often. */
  static final LeaseTimes TIMES =
      new LeaseTimes(
          Duration.ofSeconds(10),
          Duration.ofSeconds(2),
          Duration.ofSeconds(3),
          Duration.ofMillis(500));

  private static final Duration STILL_MAX = Duration.ofSeconds(20);

  /** What all nodes of a life have in common. */
  record Around(
      Loop loop,
      Leases store,
      Membership members,
      LeaseTimers timers,
      Chance chance,
      Checker checker,
      Flaw flaw) {}

  /** Is told what becomes of the leases. */
  interface Listener {
    /** The shard is not the node's any more. */
    void lost(int shard);

    /** Something begins to keep the node from its leases, or does so no more. */
    void changed();
  }

  private final LoopNode node;
  private final Holder self;
  private final DatabaseLink link;
  private final NodeClock clock;
  private final Around around;
  private final Listener listener;
  private final AskedLeases asked;
  private final LeaseKeeper keeper;

  /** The pace of the node's clock that only measures, in hundredths; real ones differ by less. */
  private final int pace;

  /** The epochs of the shards that the node holds. */
  private final Map<Integer, Long> tenures = new HashMap<>();

  private final Queue<Runnable> claims = new ArrayDeque<>();
  private boolean claimsWait;

  private Instant beatAt;
  private Instant stillUntil = Instant.MIN;
  private Instant disturbedAt = Instant.MIN;

  /** How many more times the node is to hear that it has lost a shard: until then it is silent. */
  private int notices;

  NodeLeases(LoopNode node, Holder self, Machine machine, Around around, Listener listener) {
    this.node = node;
    this.self = self;
    this.link = machine.link();
    this.clock = machine.clock();
    this.around = around;
    this.listener = listener;
    this.beatAt = around.loop.instant();
    int drawn = around.chance.below("pace", 11);
    // Far slower than any clock may be, a node believes for longer than the store (I15).
    boolean tooSlow = around.flaw == Flaw.LEASE_TRUSTED_TOO_LONG;
    this.pace = tooSlow ? 80 : 100 + (drawn < 6 ? drawn : 5 - drawn);
    this.asked = new AskedLeases(link, around, tenures);
    this.keeper =
        new LeaseKeeper(
            asked,
            self,
            around.members,
            TIMES,
            this::nanos,
            new Work(),
            (asked, time, answered) -> clock.looked(asked, time, answered, pace));
  }

  private long nanos() {
    return around.loop.nanos() / 100 * pace;
  }

  Holder self() {
    return self;
  }

  // --- what keeps it from its leases

  void cut() {
    link.cut();
    listener.changed();
  }

  /** Nothing keeps it from its leases any more, but answers that are under way. */
  void mend() {
    if (!isSilent()) return;
    disturbedAt = now();
    link.mend();
    stillUntil = Instant.MIN;
    listener.changed();
  }

  void setsClock() {
    clock.set();
  }

  boolean isDisturbed() {
    return isSilent() || asked.isSlow() || claimsWait;
  }

  /** Whether none of its beats goes through. */
  boolean isSilent() {
    return link.isCut() || isStill();
  }

  boolean isCutOff() {
    return link.isCut();
  }

  private boolean isStill() {
    return now().isBefore(stillUntil);
  }

  void awaitsNotice() {
    notices++;
  }

  /** It hears that it has lost a shard: by its next beat. */
  void noticed() {
    notices--;
    if (node.isCrashed() || isStill()) return;
    beatAt = now();
    beat();
  }

  /** The process has died: what waits for an answer gets none. */
  void died() {
    link.cut();
    asked.end();
  }

  // --- as time passes

  void beatIfDue() {
    if (isDisturbed() || notices > 0) disturbedAt = now();
    if (now().isBefore(beatAt.plus(TIMES.renewEvery())) || isStill() || notices > 0) return;
    beatAt = now();
    beat();
    if (around.chance.strikes(Fault.BEATS_STALL)) stall();
  }

  /** Its beats stand still for a while, and the last one is answered late. */
  void stall() {
    stillUntil = now().plus(around.chance.upTo("still", STILL_MAX));
    around.timers.later(Duration.between(now(), stillUntil), listener::changed);
    if (around.flaw == Flaw.BEAT_COUNTED_FROM_ITS_ANSWER) asked.answerLate(self, this::beat);
    else slowly(this::beat, () -> {});
    listener.changed();
  }

  private void beat() {
    keeper.beat();
    asked
        .takeLost()
        .forEach(
            (shard, epoch) ->
                Violation.require(
                    !epoch.equals(tenures.get(shard)),
                    "I15",
                    "%s was told that it has lost shard %d, and still holds it"
                        .formatted(node.name(), shard)));
  }

  /** Nobody may hold a shard that the store may have given to another node. */
  void expire() {
    keeper.expire();
    for (int shard : tenures.keySet())
      Violation.require(
          now().isBefore(asked.ends(shard)),
          "I15",
          "%s holds shard %d, which was its own until %s"
              .formatted(node.name(), shard, asked.ends(shard)));
  }

  /** When the node has to give something up. */
  Optional<Instant> nextEnd() {
    if (!isSilent()) return Optional.empty();
    Duration trusted = TIMES.trusted().multipliedBy(100).dividedBy(pace).plusMillis(1);
    return tenures.keySet().stream()
        .map(shard -> asked.ends(shard).minus(TIMES.timeToLive()).plus(trusted))
        .filter(now()::isBefore)
        .min(Instant::compareTo);
  }

  private Instant now() {
    return around.loop.instant();
  }

  // --- its shards

  CompletionStage<Boolean> acquire(int shard) {
    tenures.remove(shard);
    return keeper.acquire(shard, why -> lost(shard));
  }

  /** What its owners commit under, once the shard is granted. */
  Optional<Fence> begin(int shard) {
    OptionalLong epoch = keeper.epochOf(shard);
    if (epoch.isEmpty()) return Optional.empty();
    tenures.put(shard, epoch.getAsLong());
    return Optional.of(new Fence(shard, epoch.getAsLong(), self.incarnation()));
  }

  /** Whether the holder before did not give the shard back. */
  boolean tookALoss(int shard) {
    return switch (asked.reason(shard)) {
      case NEVER_HELD, RELEASED -> false;
      case EXPIRED, HOLDER_GONE, OWN -> true;
    };
  }

  boolean tookWhatRanOut(int shard) {
    return asked.reason(shard) == Takeover.Reason.EXPIRED;
  }

  Set<Integer> held() {
    return Set.copyOf(tenures.keySet());
  }

  void release(int shard) {
    tenures.remove(shard);
    keeper.release(shard);
  }

  /** The store has refused a commit. */
  void fenced(Fence fence) {
    if (around.chance.half("fenced")) keeper.fenced(fence.shard(), fence.epoch());
  }

  private void lost(int shard) {
    Long epoch = tenures.remove(shard);
    if (node.isCrashed() || epoch == null) return;
    boolean isStored =
        around
            .store
            .find(shard)
            .filter(one -> one.epoch() == epoch && one.holder().equals(Optional.of(self)))
            .isPresent();
    Violation.require(
        !isStored || now().isBefore(disturbedAt.plus(TIMES.timeToLive())),
        "I20",
        "%s gives up shard %d, and nothing kept it from its beats".formatted(node.name(), shard));
    listener.lost(shard);
  }

  // --- what the keeper has of its process

  private Runnable alive(Runnable task) {
    return () -> {
      if (!node.isCrashed()) task.run();
    };
  }

  /** Begins work whose next call of the store takes its time. */
  private void slowly(Runnable work, Runnable afterwards) {
    asked.slowly(
        work,
        () -> {
          disturbedAt = now();
          afterwards.run();
        });
  }

  private final class Work implements LeaseWork {
    @Override
    public void blocking(Runnable task) {
      around.loop.soon(node.name() + ": looks after a lease", alive(task));
    }

    @Override
    public void claim(Runnable task) {
      claims.add(task);
      if (claimsWait) return;
      if (around.chance.strikes(Fault.CLAIM_LATE)) {
        claimsWait = true;
        around.loop.soon(
            node.name() + ": claims slowly", alive(() -> slowly(claims.remove(), this::goOn)));
      } else claims.remove().run();
    }

    private void goOn() {
      claimsWait = false;
      while (!claimsWait && !claims.isEmpty()) claims.remove().run();
    }

    @Override
    public void later(Duration delay, Runnable task) {
      around.timers.later(delay, alive(task));
    }
  }
}
