package dev.tenure.sharding.cluster;

import static dev.tenure.sharding.lease.ClusterMembership.holder;

import dev.tenure.persistence.format.EngineBuild;
import dev.tenure.persistence.format.EngineTooOldError;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.membership.Formation;
import dev.tenure.persistence.membership.Members;
import dev.tenure.persistence.membership.Newcomer;
import dev.tenure.persistence.membership.Roster;
import dev.tenure.persistence.membership.Standing;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.sharding.deployment.Deployments;
import dev.tenure.sharding.lease.ClusterMembership;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a node gets into the cluster and stays in it: it looks for members in the store and joins or
 * founds; then it gives signs of life there, removes the rows of nodes that the cluster removed,
 * and stops when it learns that it does not belong to the cluster any more.
 *
 * <p>Everything runs on one thread of its own, because the store blocks.
 */
final class Belonging {
  private static final Logger log = LoggerFactory.getLogger(Belonging.class);
  private static final Duration LOOK_EVERY = Duration.ofMillis(250);

  /** Also by a node that beats less often. */
  private static final Duration LOOK_AT_OTHERS_EVERY = Duration.ofSeconds(1);

  /** For as long as this, a node that ends tries to remove its row. */
  private static final Duration LEAVE_LIMIT = Duration.ofSeconds(4);

  /** Within that time, how long it waits for its last sign of life, which may have got stuck. */
  private static final Duration LAST_TURN_LIMIT = Duration.ofSeconds(3);

  private static final Duration LEAVE_PAUSE = Duration.ofMillis(200);

  /**
   * A request for the other nodes' code between two beats waits this long, and then goes on without
   * it.
   */
  private static final Duration EXCHANGE_LIMIT = Duration.ofSeconds(5);

  private final Cluster cluster;
  private final ClusterMembership view;
  private final Members members;
  private final Supplier<Duration> clockAhead;
  private final Holder self;
  private final Newcomer newcomer;
  private final Deployments deployments;
  private final Exchange exchange;
  private final Arbiter arbiter;
  private final Duration beatEvery;
  private final Duration enterLimit;
  private final LongSupplier nanoTime;
  private final Arrival arrival;
  private final Out out;
  private final ScheduledThreadPoolExecutor thread;

  private Phase phase = Phase.SEEKING;
  private long generation;
  private boolean founded;
  private long takenInAt;
  private long lastBeat;
  private List<String> asked = List.of();
  private Set<Holder> inCluster = Set.of();
  private final Set<Holder> toForget = new HashSet<>();

  private enum Phase {
    SEEKING,
    MEMBER,
    OUT
  }

  /** Told once, when this node must stop. */
  interface Out {
    /**
     * @param generation the cluster that may run
     */
    void superseded(long generation);

    /** It could not take part under its address, or as the engine that it is. */
    void refused(RuntimeException reason);
  }

  /**
   * @param engine what this node is
   * @param clockAhead by how much the clock of this machine is ahead of the store's
   */
  Belonging(
      Cluster cluster,
      Members members,
      EngineBuild engine,
      Supplier<Duration> clockAhead,
      ClusterSettings settings,
      Deployments deployments,
      LongSupplier nanoTime,
      Out out) {
    this.cluster = cluster;
    this.view = new ClusterMembership(cluster);
    this.members = members;
    this.clockAhead = clockAhead;
    this.self = holder(cluster.selfUniqueAddress());
    this.newcomer = new Newcomer(members, self, settings.silence(), nanoTime);
    this.deployments = deployments;
    this.exchange = new Exchange(members, self, engine, deployments);
    ArbiterTimes times =
        ArbiterTimes.of(
            cluster.system().settings().config().getConfig(ArbiterTimes.CONFIG),
            settings.beatEvery());
    this.arbiter = new Arbiter(cluster, members, times, nanoTime, this::lookSoon);
    this.beatEvery = settings.beatEvery();
    this.enterLimit = settings.silence();
    this.nanoTime = nanoTime;
    this.arrival = new Arrival(self, beatEvery, nanoTime);
    this.out = out;
    this.thread =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("tenure-membership").factory());
    // A turn that is under way when the node leaves is the last one.
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    thread.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
  }

  void start() {
    deployments.exchangedBy(this::exchangeSoon);
    thread.execute(this::turn);
  }

  /** Whether this node does what one node has to do for all. */
  boolean leads() {
    return arbiter.leads();
  }

  private void lookSoon() {
    thread.execute(() -> attempt(this::lookAtOthers));
  }

  /** Between two beats: a shard is about to be allocated, or this node's code has become known. */
  private CompletionStage<Void> exchangeSoon() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    thread.execute(
        () -> {
          exchange.looksNext();
          attempt(this::exchange);
          done.complete(null);
        });
    return done.completeOnTimeout(null, EXCHANGE_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Removes the node's row; this is the last statement of a node. False when it stays behind. */
  boolean leave() {
    long begun = nanoTime.getAsLong();
    thread.shutdown();
    arbiter.close();
    try {
      // A turn that is under way would announce the node again.
      if (!thread.awaitTermination(LAST_TURN_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
        log.warn("the store has not answered this node's last sign of life");
      }
      while (!hasLeft(begun)) TimeUnit.MILLISECONDS.sleep(LEAVE_PAUSE.toMillis());
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (StorageException e) {
      // The others take it out when they see that we are gone.
      log.warn("this node's row stays behind: {}", e.getMessage());
      return false;
    }
  }

  /** Throws what the store throws when there is no time for another attempt. */
  private boolean hasLeft(long begun) {
    try {
      members.leave(self);
      return true;
    } catch (StorageException e) {
      if (nanoTime.getAsLong() - begun >= LEAVE_LIMIT.toNanos()) throw e;
      return false;
    }
  }

  private void turn() {
    attempt(
        () -> {
          switch (phase) {
            case SEEKING -> seekAllowed();
            case MEMBER -> {
              if (untilNextBeat() <= 0) beat();
              lookAtOthers();
            }
            case OUT -> {}
          }
        });
    if (phase == Phase.OUT) return;
    long pause =
        phase == Phase.MEMBER
            ? Math.clamp(untilNextBeat(), 0, LOOK_AT_OTHERS_EVERY.toNanos())
            : LOOK_EVERY.toNanos();
    thread.schedule(this::turn, pause, TimeUnit.NANOSECONDS);
  }

  private long untilNextBeat() {
    return beatEvery.toNanos() - (nanoTime.getAsLong() - lastBeat);
  }

  private static void attempt(Runnable work) {
    try {
      work.run();
    } catch (StorageException e) {
      log.warn("{}", e.getMessage());
    } catch (RuntimeException | Error e) {
      // What is thrown here ends the turns: the node would give no more signs of life, and stay.
      log.error("looking after this node's membership failed, and is tried again", e);
    }
  }

  /** While this node was starting, the floor may have risen above what it reads. */
  private void seekAllowed() {
    try {
      seek();
    } catch (EngineTooOldError e) {
      refused(e);
    }
  }

  private void refused(RuntimeException reason) {
    phase = Phase.OUT;
    log.error("{}", reason.getMessage());
    out.refused(reason);
  }

  private void seek() {
    if (!cluster.selfMember().status().equals(MemberStatus.removed())) {
      enter();
      return;
    }
    if (!mayAnnounce()) return;
    switch (newcomer.look()) {
      case Formation.Join join -> ask(join.generation(), join.nodes());
      case Formation.Reach reach -> {
        if (!reach.nodes().equals(asked)) {
          log.info(
              "the members {} are silent; trying to reach them for up to {}",
              reach.nodes(),
              reach.atMost());
        }
        ask(reach.generation(), reach.nodes());
      }
      case Formation.Found found -> {
        generation = found.generation();
        founded = true;
        log.info("{} founds cluster {}: {}", self.node(), generation, found.reason());
        cluster.join(cluster.selfAddress());
      }
    }
    // The row is there now. The node that takes this one in must know its code.
    exchange.tell();
  }

  private boolean mayAnnounce() {
    arrival.begin();
    try {
      return arrival.mayAnnounce(members.roster());
    } catch (StorageException e) {
      arrival.failed();
      throw e;
    } catch (AddressConflictError e) {
      refused(e);
      return false;
    }
  }

  /** Another node took this one in, or this one founded the cluster. */
  private void enter() {
    OptionalLong belongsTo = founded ? OptionalLong.of(generation) : generationOfOthers();
    if (belongsTo.isEmpty()) {
      enterLater();
      return;
    }
    generation = belongsTo.getAsLong();
    stand(members.joined(self, generation));
    if (phase == Phase.SEEKING) {
      phase = Phase.MEMBER;
      lastBeat = nanoTime.getAsLong();
      log.info("{} is in cluster {}", self.node(), generation);
      exchange();
    }
  }

  /**
   * The generation of the cluster that took this node in is that of the other nodes in it. The one
   * that this node was about to join may be another: a founding may have come between.
   */
  private OptionalLong generationOfOthers() {
    Set<Holder> others = new HashSet<>();
    for (Member member : cluster.state().getMembers()) others.add(holder(member.uniqueAddress()));
    others.remove(self);
    Roster roster = members.roster();
    return roster.members().stream().anyMatch(row -> others.contains(row.node()))
        ? OptionalLong.of(roster.generation())
        : OptionalLong.empty();
  }

  /** A cluster none of whose nodes has a row is not the one that may run. */
  private void enterLater() {
    if (takenInAt == 0) takenInAt = nanoTime.getAsLong();
    if (nanoTime.getAsLong() - takenInAt < enterLimit.toNanos()) return;
    log.warn("no node of the cluster that took {} in is a member by the store", self.node());
    stand(new Standing.Superseded(members.roster().generation()));
  }

  private void ask(long ofGeneration, List<String> nodes) {
    generation = ofGeneration;
    // Once asked, Pekko repeats it by itself; asking anew would start over.
    if (nodes.equals(asked)) return;
    asked = nodes;
    log.info("{} joins {} of cluster {}", self.node(), nodes, ofGeneration);
    cluster.joinSeedNodes(nodes.stream().map(Arbiter::address).toList());
  }

  private void beat() {
    view.living()
        .ifPresent(
            now -> {
              for (Holder before : inCluster) if (!now.contains(before)) toForget.add(before);
              inCluster = now;
            });
    try {
      // First, because forgetting waits for a lock, and a row that stands still is a reason to end
      // it.
      stand(members.beat(self, generation, clockAhead.get()));
      if (phase == Phase.MEMBER && !toForget.isEmpty()) {
        // Kept until it went through: the store may be away just now.
        stand(members.forget(self, generation, toForget));
        toForget.clear();
      }
    } finally {
      lastBeat = nanoTime.getAsLong();
    }
    exchange();
  }

  private void lookAtOthers() {
    if (phase == Phase.MEMBER) stand(arbiter.look(generation));
  }

  private void exchange() {
    if (phase == Phase.MEMBER) exchange.make(view.living().orElse(inCluster));
  }

  private void stand(Standing standing) {
    switch (standing) {
      case Standing.Current current -> {}
      case Standing.Superseded by -> {
        phase = Phase.OUT;
        // The other nodes remove the row of a node that they saw leave, perhaps before that node
        // does.
        if (cluster.isTerminated()) log.info("{} has left cluster {}", self.node(), generation);
        else
          log.error(
              "{} does not belong to cluster {} any more: cluster {} may run, this node stops",
              self.node(),
              generation,
              by.generation());
        out.superseded(by.generation());
      }
    }
  }
}
