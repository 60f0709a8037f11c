package dev.tenure.sharding.lease;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.pekko.StorageExtension;
import dev.tenure.persistence.shard.ShardOf;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.sharding.recovery.CountedLeases;
import dev.tenure.sharding.recovery.Suspects;
import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.apache.pekko.actor.AbstractExtensionId;
import org.apache.pekko.actor.ClassicActorSystemProvider;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.Extension;
import org.apache.pekko.cluster.Cluster;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which shards this node holds, and at which epochs: what entities stamp into their commits. */
public final class Tenures implements Extension {
  /** Where the settings of leases stand. */
  public static final String CONFIG = "tenure.shard-lease";

  private static final Logger log = LoggerFactory.getLogger(Tenures.class);
  private static final Id ID = new Id();

  /** A second one is sent when the connection of the first does not answer. */
  private static final int MAX_BEATS_UNDER_WAY = 2;

  private static final int RELEASES_AT_ONCE = 2;

  /** One may be late, and another one on its way. */
  private static final int UNANSWERED_BEATS = 2;

  private static final Duration EXPIRY_CHECK = Duration.ofMillis(100);

  private final Holder self;
  private final LeaseKeeper keeper;
  private final Suspects suspects;
  private final CountedLeases leases;
  private final ScheduledThreadPoolExecutor timer;
  private final ExecutorService beating;
  private final ExecutorService claiming;
  private final ExecutorService releasing;
  private final Semaphore beats = new Semaphore(MAX_BEATS_UNDER_WAY);
  private final AtomicReference<String> shardedType = new AtomicReference<>();
  private final Duration cutOffAfter;
  private volatile long beatAnsweredAt = System.nanoTime();

  private Tenures(ExtendedActorSystem system) {
    LeaseTimes times = LeaseTimes.of(system.settings().config().getConfig(CONFIG));
    cutOffAfter = times.renewEvery().multipliedBy(UNANSWERED_BEATS);
    Cluster cluster = Cluster.get(system);
    StorageExtension store = StorageExtension.of(system);
    Storage storage = store.storage();
    self = ClusterMembership.holder(cluster.selfUniqueAddress());
    // Threads of its own: a lease is given up in time however busy the dispatchers are.
    timer =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name(system.name() + "-leases").factory());
    timer.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
    // Not virtual ones: code that computes without a pause takes all carriers of those.
    beating = threads(system, "beats", MAX_BEATS_UNDER_WAY);
    claiming = threads(system, "claims", 1);
    releasing = threads(system, "releases", RELEASES_AT_ONCE);
    int shards = system.settings().config().getInt("pekko.cluster.sharding.number-of-shards");
    suspects = new Suspects(id -> ShardOf.workflow(id.value(), shards));
    leases = new CountedLeases(storage.leases(), storage.recoveries(), suspects, System::nanoTime);
    keeper =
        new LeaseKeeper(
            leases,
            self,
            new ClusterMembership(cluster),
            times,
            System::nanoTime,
            new Threads(),
            (asked, shown, answered) -> {
              beatAnsweredAt = answered;
              store.clock().looked(asked, shown, answered);
            });
    every(times.renewEvery(), this::beat);
    every(EXPIRY_CHECK, keeper::expire);
    system.registerOnTermination(this::stop);
  }

  private static ExecutorService threads(ExtendedActorSystem system, String name, int count) {
    return Executors.newFixedThreadPool(
        count,
        Thread.ofPlatform()
            .daemon()
            .name("%s-lease-%s-".formatted(system.name(), name), 0)
            .factory());
  }

  /** The extension of a system, typed or classic. */
  public static Tenures of(ClassicActorSystemProvider system) {
    return ID.get(system);
  }

  /** The epoch under which this node holds the shard; nothing when it does not, or no longer. */
  public OptionalLong epochOf(int shard) {
    return keeper.epochOf(shard);
  }

  /**
   * What an owner of the shard's workflows commits under; nothing when the node does not hold the
   * shard. An entity asks once, when it starts, and stops when there is none.
   */
  public Optional<Fence> fenceOf(int shard) {
    OptionalLong epoch = keeper.epochOf(shard);
    return epoch.isEmpty()
        ? Optional.empty()
        : Optional.of(new Fence(shard, epoch.getAsLong(), self.incarnation()));
  }

  /** The store refused a commit under this fence: checks now whether the shard is lost. */
  public void fenced(Fence fence) {
    keeper.fenced(fence.shard(), fence.epoch());
  }

  /** The workflows in the held shards that may have taken a node down. */
  public Suspects suspects() {
    return suspects;
  }

  /** Counts what was at work in these shards when nodes were lost; blocks. */
  public void countLosses(Set<Integer> shards, Consumer<WorkflowId> wake) {
    leases.countLosses(shards, wake);
  }

  /** Whether the store has answered none of the last beats. */
  public boolean isCutOff() {
    return System.nanoTime() - beatAnsweredAt > cutOffAfter.toNanos();
  }

  /** How many shards this node holds. */
  public int held() {
    return keeper.size();
  }

  /** The shards that this node holds. */
  public Set<Integer> shards() {
    return keeper.shards();
  }

  /**
   * Tells one listener of every shard that this node holds from now on, and of those that it holds
   * already. It must not block.
   */
  public void whenAcquired(IntConsumer listener) {
    keeper.whenGranted(listener);
  }

  /**
   * Notes that this entity type is sharded.
   *
   * @throws SecondShardedTypeError when another one is already
   */
  public void shard(String typeName) {
    String first = shardedType.compareAndExchange(null, typeName);
    if (first != null && !first.equals(typeName)) throw new SecondShardedTypeError(first, typeName);
  }

  /** The node hands its shards over from now on, and claims none. */
  public void drain() {
    keeper.drain();
  }

  /** Gives everything up at once, for a node that may not go on; it claims nothing any more. */
  public void loseAll(String reason) {
    keeper.loseAll(reason);
  }

  /**
   * Gives everything up, and may claim it again: what this node knows of it is not true any more.
   */
  public void giveUpAll(String reason) {
    keeper.giveUpAll(reason);
  }

  /** Completed when every release that is under way has ended. */
  public CompletionStage<Void> released() {
    return keeper.released();
  }

  LeaseKeeper keeper() {
    return keeper;
  }

  private void beat() {
    if (!beats.tryAcquire()) return;
    beating.execute(
        () -> {
          try {
            keeper.beat();
          } finally {
            beats.release();
          }
        });
  }

  private void every(Duration period, Runnable task) {
    timer.scheduleAtFixedRate(
        enduring(task), period.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
  }

  /**
   * A task that fails and is repeated nevertheless. A timer ends the repetitions of one that
   * throws, an error too: no lease would be renewed or given up any more.
   */
  static Runnable enduring(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        log.error("the care for leases failed", e);
      }
    };
  }

  private void stop() {
    keeper.loseAll("the actor system has ended");
    // Claims and releases that are under way end by themselves; none is started any more.
    timer.shutdownNow();
    for (ExecutorService threads : List.of(beating, claiming, releasing)) threads.shutdown();
  }

  /** JDBC blocks, so it runs on threads of its own, never on a dispatcher of actors. */
  private final class Threads implements LeaseWork {
    @Override
    public void blocking(Runnable task) {
      releasing.execute(task);
    }

    @Override
    public void claim(Runnable task) {
      claiming.execute(task);
    }

    @Override
    public void later(Duration delay, Runnable task) {
      timer.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  private static final class Id extends AbstractExtensionId<Tenures> {
    @Override
    public Tenures createExtension(ExtendedActorSystem system) {
      return new Tenures(system);
    }
  }
}
