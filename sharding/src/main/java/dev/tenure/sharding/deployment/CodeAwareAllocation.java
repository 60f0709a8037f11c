package dev.tenure.sharding.deployment;

import com.typesafe.config.Config;
import dev.tenure.persistence.membership.DeployedCode;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.cluster.sharding.ShardCoordinator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.collection.immutable.IndexedSeq;
import scala.concurrent.Future;
import scala.jdk.javaapi.CollectionConverters;
import scala.jdk.javaapi.FutureConverters;

/**
 * Where shards are: spread evenly, as Pekko's own strategy does it, with three rules about code.
 *
 * <ul>
 *   <li>A shard in which a workflow waits for code goes to a node that has it ({@link ShardMoves}).
 *   <li>To spread the load a shard only moves to a node that can do all that its node can: in a
 *       rolling upgrade no run comes back to a node with older code.
 *   <li>A node without any workflow type gets no shard as long as another has some.
 * </ul>
 *
 * <p>The shards of a node that leaves move first, a few at a time, and nothing else moves
 * meanwhile.
 *
 * <p>Pekko asks it on the one node that coordinates.
 */
public final class CodeAwareAllocation
    implements ShardCoordinator.ActorSystemDependentAllocationStrategy {
  private static final Logger log = LoggerFactory.getLogger(CodeAwareAllocation.class);

  /** A look at what is blocked may be this old, and must not move a shard a second time. */
  private static final long SETTLES_NANOS = 30_000_000_000L;

  private static final String CONFIG = "tenure.shards";

  private final Deployments deployments;
  private final ShardCoordinator.ActorSystemDependentAllocationStrategy even;
  private final Drains drains;
  private final ShardsOnTheirWay onTheirWay;
  private final int leaveAtOnce;
  private final long spreadEvery;
  private final int movesMax;
  private final String self;
  private final LongSupplier nanos;
  private long spreadAt;

  /** Where shards are to go that were taken from their nodes. */
  private final Map<String, Set<String>> wanted = new ConcurrentHashMap<>();

  private final Map<Integer, Long> movedAt = new ConcurrentHashMap<>();

  /**
   * As the actor system is configured.
   *
   * @param self the address of this node
   */
  public static CodeAwareAllocation of(
      Deployments deployments,
      String self,
      Drains drains,
      org.apache.pekko.actor.typed.ActorSystem<?> system) {
    Config config = system.settings().config();
    Config even = config.getConfig("pekko.cluster.sharding.least-shard-allocation-strategy");
    return new CodeAwareAllocation(
        deployments,
        self,
        drains,
        config.getConfig(CONFIG),
        even.getInt("rebalance-absolute-limit"),
        even.getDouble("rebalance-relative-limit"),
        System::nanoTime);
  }

  private CodeAwareAllocation(
      Deployments deployments,
      String self,
      Drains drains,
      Config config,
      int movesMax,
      double relativeMax,
      LongSupplier nanos) {
    this.deployments = deployments;
    this.self = self;
    this.drains = drains;
    this.onTheirWay =
        new ShardsOnTheirWay(config.getDuration("leave-settle-max").toNanos(), drains::begunAt);
    this.leaveAtOnce = config.getInt("leave-at-once");
    this.spreadEvery = config.getDuration("spread-every").toNanos();
    this.spreadAt = nanos.getAsLong();
    this.movesMax = movesMax;
    this.nanos = nanos;
    this.even =
        (ShardCoordinator.ActorSystemDependentAllocationStrategy)
            ShardCoordinator.ShardAllocationStrategy$.MODULE$.leastShardAllocationStrategy(
                movesMax, relativeMax);
  }

  @Override
  public void start(ActorSystem system) {
    even.start(system);
  }

  @Override
  public Future<ActorRef> allocateShard(
      ActorRef requester,
      String shard,
      scala.collection.immutable.Map<ActorRef, IndexedSeq<String>> current) {
    Map<ActorRef, IndexedSeq<String>> regions = CollectionConverters.asJava(current);
    return FutureConverters.asScala(
        known(regions)
            .thenCompose(
                known ->
                    FutureConverters.asJava(
                        even.allocateShard(
                            requester, shard, scalaMap(candidates(shard, staying(regions)))))));
  }

  private CompletionStage<?> known(Map<ActorRef, IndexedSeq<String>> regions) {
    return deployments.clusterWith(
        regions.keySet().stream().map(this::node).collect(Collectors.toSet()));
  }

  private Map<ActorRef, IndexedSeq<String>> candidates(
      String shard, Map<ActorRef, IndexedSeq<String>> regions) {
    Set<String> nodes = wanted.remove(shard);
    if (nodes == null) return withCode(regions);
    Map<ActorRef, IndexedSeq<String>> among = new LinkedHashMap<>(regions);
    among.keySet().removeIf(region -> !nodes.contains(node(region)));
    return among.isEmpty() ? withCode(regions) : among;
  }

  /** Those of nodes that are not being drained; all, when every node is. */
  private Map<ActorRef, IndexedSeq<String>> staying(Map<ActorRef, IndexedSeq<String>> regions) {
    Map<ActorRef, IndexedSeq<String>> some = new LinkedHashMap<>(regions);
    some.keySet().removeIf(region -> drains.leaves(node(region)));
    return some.isEmpty() ? regions : some;
  }

  /** Those of nodes that have workflows; all, when no node has any. */
  private Map<ActorRef, IndexedSeq<String>> withCode(Map<ActorRef, IndexedSeq<String>> regions) {
    Map<ActorRef, IndexedSeq<String>> some = new LinkedHashMap<>(regions);
    some.keySet()
        .removeIf(region -> code(region).map(code -> code.workflows().isEmpty()).orElse(true));
    return some.isEmpty() ? regions : some;
  }

  @Override
  public Future<scala.collection.immutable.Set<String>> rebalance(
      scala.collection.immutable.Map<ActorRef, IndexedSeq<String>> current,
      scala.collection.immutable.Set<String> underWay) {
    Map<ActorRef, IndexedSeq<String>> regions = CollectionConverters.asJava(current);
    Map<ActorRef, IndexedSeq<String>> leaving = new LinkedHashMap<>(regions);
    leaving.keySet().removeIf(region -> !drains.leaves(node(region)));
    if (!leaving.isEmpty())
      return FutureConverters.asScala(
          known(regions)
              .thenApply(
                  known ->
                      scalaSet(next(regions, leaving, CollectionConverters.asJava(underWay)))));
    if (nanos.getAsLong() - spreadAt < spreadEvery)
      return FutureConverters.asScala(CompletableFuture.completedStage(scalaSet(Set.of())));
    spreadAt = nanos.getAsLong();
    return FutureConverters.asScala(
        known(regions)
            .thenCompose(known -> FutureConverters.asJava(even.rebalance(current, underWay)))
            .thenApply(
                shards -> {
                  Set<String> forCode = underWay.isEmpty() ? forCode(regions) : Set.of();
                  Set<String> chosen = new HashSet<>(CollectionConverters.asJava(shards));
                  chosen.removeAll(forCode);
                  chosen = spread(regions, chosen);
                  chosen.addAll(forCode);
                  return scalaSet(chosen);
                }));
  }

  /**
   * The next shards of nodes that leave, of each node as many; none when nobody stays who could
   * take them. A place is free again when what was due in a shard has begun at its new owner.
   * Shards that move between others do not count.
   */
  private Set<String> next(
      Map<ActorRef, IndexedSeq<String>> regions,
      Map<ActorRef, IndexedSeq<String>> leaving,
      Set<String> underWay) {
    Set<String> chosen = new HashSet<>();
    if (leaving.size() == regions.size()) return chosen;
    int atOnce = Math.max(1, leaveAtOnce / leaving.size());
    leaving.forEach(
        (from, held) -> {
          Set<String> takers = takers(regions, from, Integer.MAX_VALUE);
          Set<String> left = new LinkedHashSet<>(CollectionConverters.asJava(held));
          long now = nanos.getAsLong();
          int going = onTheirWay.of(node(from), left, underWay, now);
          left.removeAll(underWay);
          left.stream()
              .limit(Math.max(0, atOnce - going))
              .forEach(
                  shard -> {
                    // Without any node that can do as much, one is as good as another.
                    if (!takers.isEmpty()) wanted.put(shard, takers);
                    onTheirWay.goes(shard, node(from), now);
                    chosen.add(shard);
                  });
        });
    return chosen;
  }

  private Set<String> forCode(Map<ActorRef, IndexedSeq<String>> regions) {
    long now = nanos.getAsLong();
    movedAt.values().removeIf(at -> now - at > SETTLES_NANOS);
    List<Deployments.Blocked> blocked =
        deployments.blocked().stream().filter(one -> !movedAt.containsKey(one.shard())).toList();
    if (blocked.isEmpty()) return Set.of();
    Map<String, Collection<Integer>> placed = new HashMap<>();
    regions.forEach(
        (region, shards) ->
            placed.put(
                node(region),
                CollectionConverters.asJava(shards).stream().map(Integer::valueOf).toList()));
    Set<String> chosen = new HashSet<>();
    ShardMoves.decide(deployments.cluster(), placed, blocked, movesMax)
        .forEach(
            (shard, node) -> {
              log.info(
                  "shard {} goes to {}, which has code that its workflows wait for", shard, node);
              wanted.put(shard.toString(), Set.of(node));
              movedAt.put(shard, now);
              chosen.add(shard.toString());
            });
    return chosen;
  }

  /** Of the shards that would spread the load, those that another node can take. */
  private Set<String> spread(Map<ActorRef, IndexedSeq<String>> regions, Set<String> shards) {
    Set<String> chosen = new HashSet<>();
    regions.forEach(
        (from, held) -> {
          Set<String> takers = takers(regions, from, held.size());
          if (takers.isEmpty()) return;
          for (String shard : CollectionConverters.asJava(held))
            if (shards.contains(shard)) {
              wanted.put(shard, takers);
              chosen.add(shard);
            }
        });
    return chosen;
  }

  private Set<String> takers(Map<ActorRef, IndexedSeq<String>> regions, ActorRef from, int held) {
    Optional<DeployedCode> old = code(from);
    Set<String> takers = new HashSet<>();
    regions.forEach(
        (to, shards) -> {
          boolean does =
              old.isEmpty() || code(to).map(code -> code.doesAllOf(old.get())).orElse(false);
          if (does && shards.size() < held && !drains.leaves(node(to))) takers.add(node(to));
        });
    return takers;
  }

  private Optional<DeployedCode> code(ActorRef region) {
    return Optional.ofNullable(deployments.cluster().nodes().get(node(region)));
  }

  /** The address of a node's region; that of the own node has no host. */
  private String node(ActorRef region) {
    return region.path().address().hasLocalScope() ? self : region.path().address().hostPort();
  }

  private static <K, V> scala.collection.immutable.Map<K, V> scalaMap(Map<K, V> map) {
    return scala.collection.immutable.Map$.MODULE$.from(CollectionConverters.asScala(map));
  }

  private static <T> scala.collection.immutable.Set<T> scalaSet(Set<T> set) {
    return scala.collection.immutable.Set$.MODULE$.from(CollectionConverters.asScala(set));
  }
}
