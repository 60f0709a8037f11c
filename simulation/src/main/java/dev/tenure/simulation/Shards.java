package dev.tenure.simulation;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.memory.MemoryStorage;
import dev.tenure.persistence.recovery.Recoveries;
import dev.tenure.persistence.recovery.Recovery;
import dev.tenure.persistence.shard.ShardOf;
import dev.tenure.sharding.loop.Loop;
import dev.tenure.sharding.loop.LoopNode;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.audit.Violation;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Which node is to have which shard, as the cluster decides, and which node has its lease. The
 * decisions are played here; the leases are kept by what keeps them on a real node.
 *
 * <p>While nothing keeps a node from its leases, beats that lie between two moments change nothing,
 * so only the last of them is lived.
 */
final class Shards {
  private static final Duration NOTICED_MAX = Duration.ofSeconds(4);
  private static final Duration CUT_MAX = Duration.ofSeconds(25);

  /** When the others notice that the beats of a node stand still. */
  private static final Duration PUT_OUT_MIN = Duration.ofSeconds(3);

  private static final Duration PUT_OUT_MAX = Duration.ofSeconds(9);
  private static final Duration RETRY = Duration.ofMillis(500);

  /** A claim waits for a lease to run out, and is then repeated until it is granted. */
  private static final Duration TAKEN_WITHIN =
      NodeLeases.TIMES.timeToLive().plus(RETRY.multipliedBy(5));

  private final Loop loop;
  private final Chance chance;
  private final Consumer<String> trace;
  private final LeaseTimers timers;
  private final NodeLeases.Around around;

  /** The nodes that live. */
  private final Map<LoopNode, NodeLeases> leases = new LinkedHashMap<>();

  /** Which node is to have a shard. */
  private final Map<Integer, LoopNode> homes = new HashMap<>();

  private final Map<Integer, LoopNode> holders = new HashMap<>();
  private final Map<Integer, LoopNode> before = new HashMap<>();

  /** By shard, when a node learned last that it does not hold it any more. */
  private final Map<Integer, Instant> losses = new HashMap<>();

  /** By shard, since when its node could have it, and has not. */
  private final Map<Integer, Instant> claimsSince = new HashMap<>();

  private long incarnations;

  /** Whether the claimant takes the holder for gone, although it lives. */
  private boolean takesForGone;

  Shards(
      Loop loop,
      MemoryStorage memory,
      Chance chance,
      Checker checker,
      Flaw flaw,
      Consumer<String> trace) {
    this.loop = loop;
    this.chance = chance;
    this.trace = trace;
    this.timers = new LeaseTimers(loop);
    this.around =
        new NodeLeases.Around(loop, memory.leases(), this::isGone, timers, chance, checker, flaw);
  }

  private boolean isGone(Holder holder) {
    return takesForGone || leases.values().stream().noneMatch(one -> one.self().equals(holder));
  }

  // --- nodes

  void joins(LoopNode node, Machine machine) {
    Holder self = new Holder(node.name(), ++incarnations);
    NodeLeases.Listener listener =
        new NodeLeases.Listener() {
          @Override
          public void lost(int shard) {
            Shards.this.lost(shard, node);
          }

          @Override
          public void changed() {
            Shards.this.changed(node);
          }
        };
    leases.put(node, new NodeLeases(node, self, machine, around, listener));
  }

  /**
   * The node has died.
   *
   * @return the shards that it was to have
   */
  List<Integer> died(LoopNode node) {
    NodeLeases gone = leases.remove(node);
    if (gone != null) gone.died();
    holders.values().removeIf(node::equals);
    List<Integer> orphans =
        homes.entrySet().stream()
            .filter(one -> one.getValue() == node)
            .map(Map.Entry::getKey)
            .toList();
    orphans.forEach(homes::remove);
    orphans.forEach(claimsSince::remove);
    return orphans;
  }

  void fenced(String node, Fence fence) {
    leases.forEach(
        (one, its) -> {
          if (one.name().equals(node)) its.fenced(fence);
        });
  }

  /** The node loses its database, and nothing else. */
  void losesDatabase(LoopNode node) {
    NodeLeases one = leases.get(node);
    trace.accept("CUT OFF is " + node.name());
    one.cut();
    loop.after(
        chance.upTo("cut off from the database", CUT_MAX),
        node.name() + " reaches its database",
        one::mend);
  }

  /** Somebody sets the clock of the node's machine. */
  void setsClock(LoopNode node) {
    leases.get(node).setsClock();
  }

  /** The beats of the node stand still, while all else goes on. */
  void stalls(LoopNode node) {
    leases.get(node).stall();
  }

  /** Something begins to keep the node from its leases, or does so no more. */
  private void changed(LoopNode node) {
    claimsSince.replaceAll((shard, since) -> loop.instant());
    NodeLeases one = leases.get(node);
    if (one == null) return;
    if (one.isSilent())
      loop.after(
          PUT_OUT_MIN.plus(chance.upTo("put out", PUT_OUT_MAX)),
          node.name() + " is put out",
          () -> putOut(node));
    else
      // It hears now of what it is not to have any more.
      for (int shard : one.held()) if (homes.get(shard) != node) tell(shard, node);
  }

  /** The others take over what the node is to have, because its beats stand still. */
  private void putOut(LoopNode node) {
    if (!leases.containsKey(node) || !leases.get(node).isSilent()) return;
    Optional<LoopNode> other = other(node);
    if (other.isEmpty()) return;
    for (int shard : List.copyOf(homes.keySet()))
      if (homes.get(shard) == node) {
        decide(shard, other.get());
        claim(shard, other.get(), chance.half("gone"));
      }
  }

  private Optional<LoopNode> other(LoopNode node) {
    return leases.keySet().stream().filter(one -> one != node).findAny();
  }

  // --- shards

  private LoopNode decide(int shard, LoopNode to) {
    claimsSince.remove(shard);
    return homes.put(shard, to);
  }

  /** Another node takes the lease over; the old holder hears of it late. */
  void move(int shard, LoopNode to) {
    LoopNode from = decide(shard, to);
    claim(shard, to, true);
    if (from != null && from != to) tell(shard, from);
  }

  /** Another node is to have the shard, as soon as the old holder has given it back. */
  void handOver(int shard, LoopNode to) {
    LoopNode from = decide(shard, to);
    if (from == to) return;
    if (from != null) tell(shard, from);
    claim(shard, to, false);
  }

  /** What the old holder gives back does not reach the store. */
  void handsOverWhileCutOff(int shard) {
    LoopNode from = homes.get(shard);
    losesDatabase(from);
    other(from).ifPresent(to -> handOver(shard, to));
  }

  private void tell(int shard, LoopNode from) {
    NodeLeases its = leases.get(from);
    before.put(shard, from);
    its.awaitsNotice();
    loop.after(
        chance.upTo("notice", NOTICED_MAX),
        from.name() + " has lost shard " + shard,
        () -> {
          its.noticed();
          boolean has = !from.isCrashed() && its.held().contains(shard);
          if (has && homes.get(shard) != from) giveBack(shard, from);
          before.remove(shard, from);
          losses.put(shard, loop.instant());
        });
  }

  private void giveBack(int shard, LoopNode from) {
    from.loses(shard);
    holders.remove(shard, from);
    leases.get(from).release(shard);
  }

  private void lost(int shard, LoopNode node) {
    trace.accept("LEASE of shard %d lost by %s".formatted(shard, node.name()));
    node.loses(shard);
    holders.remove(shard, node);
    losses.put(shard, loop.instant());
    if (homes.get(shard) == node) timers.later(RETRY, () -> claim(shard, node, false));
  }

  private void claim(int shard, LoopNode to, boolean forGone) {
    NodeLeases its = leases.get(to);
    if (its == null || homes.get(shard) != to) return;
    claimsSince.putIfAbsent(shard, loop.instant());
    Instant begun = loop.instant();
    takesForGone = forGone;
    CompletableFuture<Boolean> answer = its.acquire(shard).toCompletableFuture();
    takesForGone = false;
    if (answer.isDone()) answered(shard, to, begun, answer);
    else
      answer.whenComplete(
          (granted, failure) ->
              loop.soon(
                  "%s hears of its claim of shard %d".formatted(to.name(), shard),
                  () -> answered(shard, to, begun, answer)));
    if (its.held().contains(shard)) return;
    // It starts the shard anew, and has nothing of it until that is granted.
    to.loses(shard);
    holders.remove(shard, to);
  }

  private void answered(int shard, LoopNode to, Instant begun, CompletableFuture<Boolean> answer) {
    NodeLeases its = leases.get(to);
    if (its == null) return;
    boolean granted = !answer.isCompletedExceptionally() && answer.join();
    // The node looks up who may have taken others down, before the shard is its own.
    boolean begins = granted && !its.isCutOff();
    Optional<Fence> tenure = begins ? its.begin(shard) : Optional.empty();
    if (homes.get(shard) != to) its.release(shard);
    else if (tenure.isEmpty()) timers.later(RETRY, () -> claim(shard, to, false));
    else {
      requireTheOnlyOne(shard, to);
      holders.put(shard, to);
      if (loop.instant().isAfter(claimsSince.getOrDefault(shard, begun)))
        losses.put(shard, loop.instant());
      claimsSince.remove(shard);
      trace.accept(
          "LEASE of shard %d to %s, epoch %d".formatted(shard, to.name(), tenure.get().epoch()));
      to.holds(tenure.get(), its.tookALoss(shard));
    }
  }

  /** A lease that ran out is nobody's, neither by the store nor by who had it (I15). */
  private void requireTheOnlyOne(int shard, LoopNode to) {
    if (!leases.get(to).tookWhatRanOut(shard)) return;
    leases.forEach(
        (node, its) ->
            Violation.require(
                node == to || !its.held().contains(shard),
                "I15",
                "%s took shard %d because its lease ran out, and %s holds it"
                    .formatted(to.name(), shard, node.name())));
  }

  // --- time

  /** Turns the clock, and lets those who care for leases do what is due until then. */
  void passTo(Instant time) {
    for (Optional<Instant> next = nextMoment();
        next.filter(time::isAfter).isPresent();
        next = nextMoment()) {
      loop.passTo(next.get());
      moment();
    }
    loop.passTo(time);
    moment();
  }

  /** When something becomes due for a lease; empty while all are kept. */
  Optional<Instant> nextMoment() {
    boolean settled =
        claimsSince.isEmpty() && leases.values().stream().noneMatch(NodeLeases::isDisturbed);
    if (settled) return Optional.empty();
    return Stream.concat(
            Stream.of(timers.next()), leases.values().stream().map(NodeLeases::nextEnd))
        .flatMap(Optional::stream)
        .filter(loop.instant()::isBefore)
        .min(Instant::compareTo);
  }

  private void moment() {
    List<NodeLeases> all = List.copyOf(leases.values());
    all.forEach(NodeLeases::beatIfDue);
    all.forEach(NodeLeases::expire);
    timers.fire();
    claimsSince.replaceAll((shard, since) -> isKept(shard) ? loop.instant() : since);
    claimsSince.forEach(
        (shard, since) ->
            Violation.require(
                !loop.instant().isAfter(since.plus(TAKEN_WITHIN)),
                "I20",
                "%s could have shard %d since %s, and has not"
                    .formatted(homes.get(shard).name(), shard, since)));
  }

  /** Whether something keeps the node from the shard that it is to have. */
  private boolean isKept(int shard) {
    return leases.get(homes.get(shard)).isDisturbed();
  }

  // --- who has what

  void requireNobodySuspected(MemoryStorage memory) {
    for (int shard : homes.keySet()) {
      long epoch = memory.leases().find(shard).orElseThrow().epoch();
      var tenure = new Recoveries.Beginning(shard, epoch, false);
      List<Recovery> left = memory.recoveries().takeOver(List.of(tenure));
      Violation.require(left.isEmpty(), "I20", "still suspected, and over: " + left);
    }
  }

  boolean hasHome(int shard) {
    return homes.containsKey(shard);
  }

  /** Whether nothing but its leases may keep the node from the store. */
  boolean reachesStore(LoopNode node) {
    return leases.containsKey(node) && !leases.get(node).isCutOff();
  }

  /** The node that gets the messages for a shard. */
  Optional<LoopNode> holderOf(int shard) {
    LoopNode stale = before.get(shard);
    if (stale != null && !stale.isCrashed() && chance.strikes(Fault.STALE_HOLDER))
      return Optional.of(stale);
    return Optional.ofNullable(homes.get(shard));
  }

  /** The living node that holds the workflow's shard; empty when none does. */
  Optional<LoopNode> nodeOf(WorkflowId id) {
    return Optional.ofNullable(holders.get(shardOf(id))).filter(node -> !node.isCrashed());
  }

  /** When a node learned last that it does not hold the workflow's shard any more. */
  Optional<Instant> lastLoss(WorkflowId id) {
    return Optional.ofNullable(losses.get(shardOf(id)));
  }

  private static int shardOf(WorkflowId id) {
    return ShardOf.workflow(id.value(), Cluster.SHARDS);
  }
}
