package dev.tenure.sharding.cluster;

import com.typesafe.config.Config;
import dev.tenure.persistence.clock.StoreClock;
import dev.tenure.persistence.loss.LossReport;
import dev.tenure.persistence.loss.Losses;
import dev.tenure.persistence.merging.PipelineSettings;
import dev.tenure.persistence.pekko.StorageExtension;
import dev.tenure.persistence.pekko.StorageSetup;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.watch.LossWatch;
import dev.tenure.sharding.deployment.CodeAwareAllocation;
import dev.tenure.sharding.deployment.Deployments;
import dev.tenure.sharding.lease.Tenures;
import dev.tenure.sharding.pool.PoolSetup;
import dev.tenure.sharding.pool.TaskPool;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pekko.Done;
import org.apache.pekko.actor.BootstrapSetup;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.setup.ActorSystemSetup;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.sharding.typed.ShardingEnvelope;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.cluster.sharding.typed.javadsl.Entity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running node: an actor system in a cluster, over a storage. */
public final class ClusterRuntime {
  /** The name of the actor system: part of every address, so the same on all nodes for ever. */
  public static final String SYSTEM = "tenure";

  /** How long a node that ends waits for the releases of its leases. */
  private static final Duration RELEASE_LIMIT = Duration.ofSeconds(3);

  private static final Logger log = LoggerFactory.getLogger(ClusterRuntime.class);

  private final ClusterSettings settings;
  private final ActorSystem<Void> system;
  private final Deployments deployments;
  private final PoolSetup threads;
  private final LeavingNodes leaving;
  private final AtomicReference<Belonging> belonging = new AtomicReference<>();
  private final AtomicReference<StoreWatch> losses = new AtomicReference<>();
  private final AtomicReference<String> sharded = new AtomicReference<>();
  private final CompletableFuture<Done> up = new CompletableFuture<>();
  private volatile boolean left;

  /** The reason why an actor system ends by itself. */
  private record Superseded(long generation) implements CoordinatedShutdown.Reason {}

  private record Refused(RuntimeException why) implements CoordinatedShutdown.Reason {}

  private enum Stop implements CoordinatedShutdown.Reason {
    ASKED
  }

  /** Ends this node; no shard is handed over, because the others take no messages of it. */
  private final class Out implements Belonging.Out {
    private final Tenures tenures;
    private final CoordinatedShutdown shutdown;

    Out(Tenures tenures, CoordinatedShutdown shutdown) {
      this.tenures = tenures;
      this.shutdown = shutdown;
    }

    @Override
    public void superseded(long generation) {
      tenures.loseAll("cluster " + generation + " may run, this node is not part of it");
      end(new Superseded(generation));
    }

    @Override
    public void refused(RuntimeException reason) {
      up.completeExceptionally(reason);
      end(new Refused(reason));
    }

    private void end(CoordinatedShutdown.Reason reason) {
      shutdown.run(reason, Optional.of(CoordinatedShutdown.PhaseClusterShutdown()));
    }
  }

  private ClusterRuntime(ClusterSettings settings, ActorSystem<Void> system, PoolSetup threads) {
    this.settings = settings;
    this.system = system;
    this.deployments = new Deployments(self(system));
    this.threads = threads;
    this.leaving = LeavingNodes.start(system);
  }

  /**
   * Starts a node. It returns when the storage was found fit and is ready, and the node has begun
   * to look for its cluster; see {@link #up}. Nothing is claimed, joined or recovered before that:
   * a storage that lacks a capability is refused with an error that names it.
   *
   * @param pipeline how commits are merged
   * @param machine the clock of the machine, which people set: nothing is decided by it
   * @param configured what an operator configured for the actor system
   */
  public static ClusterRuntime start(
      ClusterSettings settings,
      Storage storage,
      PipelineSettings pipeline,
      InstantSource machine,
      Config configured) {
    settings.identity().mode().require(storage);
    settings.durability().require(storage);
    settings.durability().remarks(storage).forEach(remark -> log.warn("the storage: {}", remark));
    storage.prepare(settings.identity());
    PoolSetup threads = new PoolSetup();
    Storage watched = watched(storage, settings);
    ActorSystem<Void> system = create(settings, watched, pipeline, machine, configured, threads);
    system.getWhenTerminated().whenComplete((done, failure) -> threads.close());
    try {
      ClusterRuntime runtime = new ClusterRuntime(settings, system, threads);
      runtime.begin(watched);
      return runtime;
    } catch (RuntimeException e) {
      system.terminate();
      throw e;
    }
  }

  private static Storage watched(Storage storage, ClusterSettings settings) {
    return storage.losses() == Losses.IMPOSSIBLE
        ? storage
        : new LossWatch(storage, settings.host() + ":" + settings.port(), System::nanoTime);
  }

  private static String self(ActorSystem<?> system) {
    return Cluster.get(system).selfAddress().hostPort();
  }

  private static ActorSystem<Void> create(
      ClusterSettings settings,
      Storage storage,
      PipelineSettings pipeline,
      InstantSource machine,
      Config configured,
      PoolSetup threads) {
    try {
      return ActorSystem.create(
          Behaviors.empty(),
          SYSTEM,
          ActorSystemSetup.create(
              BootstrapSetup.create(NodeConfig.of(settings, configured)),
              new StorageSetup(storage, pipeline, machine),
              threads));
    } catch (RuntimeException e) {
      threads.close();
      throw e;
    }
  }

  private void begin(Storage storage) {
    Cluster cluster = Cluster.get(system);
    Tenures tenures = Tenures.of(system);
    CoordinatedShutdown shutdown = CoordinatedShutdown.get(system);
    Belonging place =
        new Belonging(
            cluster,
            storage.members(),
            storage.engine(),
            () -> clock().machineAhead(),
            settings,
            deployments,
            System::nanoTime,
            new Out(tenures, shutdown));
    HandOver handOver =
        new HandOver(cluster, leaving, tenures, storage.leases(), system.settings().config());
    shutdown.addTask(
        CoordinatedShutdown.PhaseBeforeClusterShutdown(),
        "tenure-hand-over",
        () ->
            // Not a virtual thread: code that computes without a pause takes all carriers of those.
            CompletableFuture.runAsync(handOver::run, Thread.ofPlatform().daemon()::start)
                .thenApply(nothing -> Done.getInstance()));
    shutdown.addTask(
        CoordinatedShutdown.PhaseBeforeActorSystemTerminate(),
        "tenure-leave",
        () ->
            released(tenures)
                .thenRunAsync(() -> left = place.leave(), Thread::startVirtualThread)
                .thenApply(nothing -> Done.getInstance()));
    shutdown.addTask(
        CoordinatedShutdown.PhaseBeforeClusterShutdown(),
        "tenure-drain",
        () -> {
          tenures.drain();
          return CompletableFuture.completedStage(Done.getInstance());
        });
    if (storage instanceof LossWatch watch) watch(watch, tenures);
    cluster.registerOnMemberUp(() -> up.complete(Done.getInstance()));
    system
        .getWhenTerminated()
        .whenComplete(
            (done, failure) ->
                up.completeExceptionally(
                    new IllegalStateException("the node stopped before it was in a cluster")));
    belonging.set(place);
    place.start();
  }

  private void watch(LossWatch watch, Tenures tenures) {
    StoreWatch looks = new StoreWatch(watch, tenures, system.name());
    losses.set(looks);
    system.getWhenTerminated().whenComplete((done, failure) -> looks.close());
    looks.start();
  }

  /**
   * What the store has lost of what it acknowledged to nodes, as far as nobody removed the reports.
   */
  public List<LossReport> losses() {
    StoreWatch looks = losses.get();
    return looks == null ? List.of() : looks.reports();
  }

  /** The row of the node says more than its leases: a store that does not answer has no time. */
  private static CompletionStage<Void> released(Tenures tenures) {
    if (tenures.isCutOff()) return CompletableFuture.completedStage(null);
    return tenures
        .released()
        .toCompletableFuture()
        .completeOnTimeout(null, RELEASE_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * Whether this node does what one node has to do for all: it has the lowest address of those
   * whose signs of life reach the storage. For a moment there may be two of them, or none.
   */
  public boolean leads() {
    Belonging place = belonging.get();
    return place != null && place.leads();
  }

  /**
   * Completed when this node is a full member of a cluster; failed when it stopped before, with an
   * {@link AddressConflictError} when its address was the reason, and with a {@link
   * dev.tenure.persistence.format.EngineTooOldError} when its release was.
   */
  public CompletionStage<Done> up() {
    return up.minimalCompletionStage();
  }

  public ActorSystem<Void> system() {
    return system;
  }

  /**
   * The time that the node's workflows go by: that of the storage, as this node reckons it. It is
   * the clock to give to {@link dev.tenure.sharding.host.WorkflowSettings}.
   */
  public StoreClock clock() {
    return StorageExtension.of(system).clock();
  }

  /** What code the nodes have. */
  public Deployments deployments() {
    return deployments;
  }

  /** The threads that its actors run on; empty when it was configured to use others. */
  public Optional<TaskPool> pool() {
    return threads.pool();
  }

  /** Into how many shards the store's workflows are spread. */
  public int shards() {
    return settings.identity().shards();
  }

  /**
   * Spreads the entities of this type over the cluster, by {@link
   * dev.tenure.persistence.shard.ShardOf} of their ids.
   *
   * @throws dev.tenure.sharding.lease.SecondShardedTypeError when another type is sharded already
   */
  public <M> ActorRef<ShardingEnvelope<M>> shard(Entity<M, ShardingEnvelope<M>> entity) {
    Tenures.of(system).shard(entity.typeKey().name());
    ActorRef<ShardingEnvelope<M>> region =
        ClusterSharding.get(system)
            .init(
                entity
                    .withMessageExtractor(new ShardExtractor<>(settings.identity().shards()))
                    .withAllocationStrategy(
                        CodeAwareAllocation.of(deployments, self(system), leaving, system)));
    sharded.set(entity.typeKey().name());
    return region;
  }

  /** Whether a node of the cluster is being drained, and waits for what its shards do elsewhere. */
  public boolean isAnyDrained() {
    return leaving.any();
  }

  /** What was due in these shards, which this node took, has begun here. */
  public void haveBegun(Set<Integer> shards) {
    leaving.announceBegun(shards);
  }

  /** Whether this node was given shards, and holds the lease of none of them. */
  public CompletionStage<Boolean> lacksLeases() {
    String type = sharded.get();
    return type == null ? CompletableFuture.completedStage(false) : LeaseWaits.of(system, type);
  }

  /** Leaves: every shard finishes what it is committing and is handed over, then the node ends. */
  public CompletionStage<Done> stop() {
    return CoordinatedShutdown.get(system).runAll(Stop.ASKED).thenCompose(done -> terminated());
  }

  /**
   * Of a node that has ended: whether the database says so. If not, its row stays behind until the
   * other nodes see that it is gone.
   */
  public boolean hasLeft() {
    return left;
  }

  /** Completed when the actor system has ended, asked or not. */
  public CompletionStage<Done> terminated() {
    return system.getWhenTerminated();
  }
}
