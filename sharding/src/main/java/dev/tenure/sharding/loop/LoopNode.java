package dev.tenure.sharding.loop;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.recovery.Recoveries;
import dev.tenure.persistence.shard.ShardOf;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.sharding.activity.Activities;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.activity.EffectKeeper;
import dev.tenure.sharding.branch.ExecutionGate;
import dev.tenure.sharding.code.WorkflowTypes;
import dev.tenure.sharding.deployment.ClusterCode;
import dev.tenure.sharding.host.Futures;
import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.host.HostDependencies;
import dev.tenure.sharding.host.WorkflowSettings;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.message.WorkflowTransport;
import dev.tenure.sharding.pool.CodeThreads;
import dev.tenure.sharding.recovery.Suspects;
import dev.tenure.sharding.recovery.Trials;
import dev.tenure.sharding.wake.WakeScans;
import dev.tenure.sharding.workflow.Workflows;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowRegistration;
import dev.tenure.workflow.kernel.Kernel;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * A node without a cluster, which runs one task after the other on a {@link Loop}. Owners, kernel
 * and code runner are those of any node; {@link Around} takes the place of actors, threads and a
 * network. Only the loop's thread may use this class.
 */
public final class LoopNode {
  /** The network and the other nodes, as a test or the simulation plays them. */
  public interface Around {
    /**
     * Carries a message to its receiver: at once, later, more than once or never.
     *
     * @param arrival runs at the receiver
     */
    void carry(String what, Runnable arrival);

    /**
     * Carries an answer of the store to the caller: at once, later or never.
     *
     * @param silence runs instead of the answer when the caller does not wait any more
     */
    default void answers(String what, Runnable answer, Runnable silence) {
      answer.run();
    }

    /** The node that gets the messages for a shard at this moment; empty when no node does. */
    Optional<LoopNode> holderOf(int shard);

    /**
     * A node has got a request, and has to answer it or send it on.
     *
     * @param request the same object each time that it arrives
     */
    default void arrived(LoopNode node, WorkflowId id, Object request) {}

    /** A request that arrived is answered, or sent on. */
    default void settled(Object request) {}

    /** A client is told to come later, because so many wait already. */
    default void busy(int limit) {}

    /** A node takes a workflow up, for the first time or again. */
    default void takenUp(LoopNode node, WorkflowId id) {}

    /**
     * An owner has ended.
     *
     * @param waiting how many requests are counted as waiting for it still
     */
    default void ended(WorkflowId id, int waiting) {}

    /** What the nodes of the cluster have, as far as this one knows: at least what it has. */
    default ClusterCode code(LoopNode node) {
      return node.ownCode();
    }

    /** The future that a client waits for. */
    default <T> CompletableFuture<T> future() {
      return new CompletableFuture<>();
    }

    /** An owner failed unexpectedly, and begins again. */
    void defect(WorkflowId id, RuntimeException defect);
  }

  /** The code and the kernel that a node runs. */
  public record Program(
      Collection<? extends WorkflowRegistration<?>> types,
      Collection<? extends ActivityRegistration<?, ?>> activities,
      Kernel kernel) {}

  private static final Duration RETRY_PAUSE = Duration.ofMillis(200);

  final String name;
  final Loop loop;
  final Around around;
  final Storage storage;
  final int shards;
  final Host host;
  private final ClusterCode ownCode;
  private final Map<Integer, Fence> tenures = new TreeMap<>();
  private final Map<WorkflowId, LoopEntity> entities = new LinkedHashMap<>();
  private final LoopWorkers workers;
  private final WakeScans scans;
  private final Workflows workflows;
  private final Trials trials;
  private boolean triesSuspects;
  private boolean crashed;
  private boolean overdue;

  /**
   * @param gate the loop, or a gate around it
   */
  public LoopNode(
      String name,
      Loop loop,
      Around around,
      Storage storage,
      int shards,
      WorkflowSettings settings,
      Program program,
      ExecutionGate gate) {
    this.name = name;
    this.loop = loop;
    this.around = around;
    this.storage = storage;
    this.shards = shards;
    LoopLedger ledger = new LoopLedger(storage.activities());
    EffectKeeper effects =
        new EffectKeeper(
            ledger,
            task -> soon("an effect", task),
            (pause, task) -> after(pause, "an effect", task),
            settings.failpoints());
    Activities activities =
        new Activities(
            program.activities,
            settings.codec(),
            settings.interceptors(),
            this::soon,
            loop.clocks(settings.clock()),
            ledger,
            effects,
            tenure -> fenceOf(tenure.shard()).equals(Optional.of(tenure)),
            activity -> false,
            settings.failpoints());
    this.workers = new LoopWorkers(this, activities, program.activities);
    HostDependencies dependencies =
        new HostDependencies(
            program.kernel,
            (pause, task) -> after(pause, "a timer", task),
            loop::nanos,
            task -> soon("a read", task),
            new Futures() {
              @Override
              public <T> CompletableFuture<T> make() {
                return around.future();
              }
            },
            gate,
            new LoopSignals(this),
            task -> soon("an answer", task),
            new LoopInboxes(this),
            CodeThreads.JDK,
            activities,
            effects,
            workers,
            storage.tasks()::standing,
            new Suspects(id -> ShardOf.workflow(id.value(), shards)),
            () -> around.code(this),
            () -> {});
    this.host =
        new Host(
            new LoopTransport(this),
            storage,
            shards,
            settings,
            new WorkflowTypes(program.types),
            dependencies);
    this.ownCode = ClusterCode.alone(name, host.code());
    this.trials =
        new Trials(
            host.suspects,
            storage.recoveries(),
            tenures::containsKey,
            id -> host.transport.tell(id, Message.WakeUp.WAKE_UP),
            loop::nanos);
    this.scans = new WakeScans(storage, new LoopWakes(this), settings.clock().instant());
    this.workflows = new Workflows(host);
  }

  public String name() {
    return name;
  }

  /** The code of this node alone, before it has heard of other nodes. */
  public ClusterCode ownCode() {
    return ownCode;
  }

  public Workflows workflows() {
    return workflows;
  }

  /** Sends messages to workflows once, without repeating them. */
  public WorkflowTransport transport() {
    return host.transport;
  }

  /** Adds a task of this node; when the node has died by then, the task does nothing. */
  void soon(String what, Runnable task) {
    loop.soon(name + ": " + what, () -> run(task));
  }

  Runnable after(Duration pause, String what, Runnable task) {
    return loop.after(pause, name + ": " + what, () -> run(task));
  }

  Runnable limit(Duration pause, String what, Runnable task) {
    return loop.limit(pause, name + ": " + what, () -> run(task));
  }

  /** Delivers an answer of the store to this node. */
  void answers(String what, Runnable answer, Runnable silence) {
    around.answers(name + ": " + what, () -> run(answer), () -> run(silence));
  }

  private void run(Runnable task) {
    if (!crashed) task.run();
  }

  // --- its shards

  /**
   * The node holds the shard from now on, and wakes what must be awake.
   *
   * @param lost whether the holder before did not release the lease
   */
  public void holds(Fence tenure, boolean lost) {
    int shard = tenure.shard();
    var beginning = new Recoveries.Beginning(shard, tenure.epoch(), lost);
    host.suspects.begin(shard, storage.recoveries().takeOver(List.of(beginning)));
    if (lost) host.suspects.nodeLost(loop.nanos());
    // The node may not have heard that it lost the shard: its owners are of an older tenure.
    stopAll(shard);
    tenures.put(shard, tenure);
    if (!triesSuspects) trySuspects();
    scanSoon(shard);
  }

  private void scanSoon(int shard) {
    soon("a scan of shard " + shard, () -> scanTaken(shard));
  }

  /**
   * The scan wakes no workflow whose owner is at work, and an owner of an earlier tenure may be so
   * until its last commit is refused. In a cluster those owners have ended before the node takes
   * the shard. Here the scan waits for them.
   */
  private void scanTaken(int shard) {
    for (LoopEntity one : entities.values())
      if (one.shard() == shard && one.awaitsLastCommit()) return;
    scan(() -> scans.shards(Set.of(shard)));
    workers.lookForUntaken();
  }

  private void trySuspects() {
    triesSuspects = !trials.isIdle();
    if (!triesSuspects) return;
    trials.look();
    after(Trials.LOOK_EVERY, "a look at suspects", this::trySuspects);
  }

  /** The node learns that it does not hold the shard any more. */
  public void loses(int shard) {
    tenures.remove(shard);
    stopAll(shard);
  }

  private void stopAll(int shard) {
    for (LoopEntity one : List.copyOf(entities.values())) if (one.shard() == shard) one.stop();
  }

  public Set<Integer> held() {
    return Set.copyOf(tenures.keySet());
  }

  Optional<Fence> fenceOf(int shard) {
    return Optional.ofNullable(tenures.get(shard));
  }

  /** The node dies with everything that it has in memory, and no other node is told. */
  public void crash() {
    crashed = true;
    loop.silently(
        () -> {
          for (LoopEntity one : List.copyOf(entities.values())) one.killed();
          host.close();
        });
    tenures.clear();
  }

  public boolean isCrashed() {
    return crashed;
  }

  // --- its workflows

  /** A message has arrived for a workflow. It is lost when the node does not hold the shard. */
  void arrived(WorkflowId id, Message message) {
    LoopEntity entity = entities.get(id);
    if (entity == null) {
      entity = new LoopEntity(this, id);
      if (fenceOf(entity.shard()).isEmpty()) return;
      entities.put(id, entity);
      entity.begin();
    }
    if (message instanceof Message.Asked request && LoopTransport.isAnsweredSoon(request))
      around.arrived(this, id, request.replyTo());
    entity.tell(message);
  }

  void gone(LoopEntity entity) {
    entities.remove(entity.id(), entity);
    boolean holds = !crashed && tenures.containsKey(entity.shard());
    if (holds && entity.awaitsLastCommit()) scanSoon(entity.shard());
  }

  void tellsOverdue() {
    overdue = true;
  }

  public boolean isInMemory(WorkflowId id) {
    return entities.containsKey(id);
  }

  /** How many workflows are in memory. */
  public int resident() {
    return entities.size();
  }

  // --- time

  /** The check that a node makes of its workflows in memory several times a second. */
  public void look() {
    if (crashed) return;
    host.look();
    workers.timePasses();
  }

  /** Makes the check, and says whether the code of a workflow was given up by it. */
  public boolean looksForHangingCode() {
    overdue = false;
    look();
    return overdue;
  }

  /** The scans that a node makes about every second, for workflows that must be awake. */
  public void scan() {
    scan(scans::due);
    scanForCode();
    if (!crashed) workers.look();
  }

  /** As {@link #scan}, only for workflows that wait for code. */
  public void scanForCode() {
    scan(scans::blocked);
  }

  private void scan(Runnable scan) {
    if (crashed) return;
    try {
      scan.run();
    } catch (StorageException e) {
      after(RETRY_PAUSE, "a scan", () -> scan(scan));
    }
  }

  /** When the next of the workflows in memory is due. */
  public Optional<Instant> nextDue() {
    return crashed ? Optional.empty() : host.residents.nextDue();
  }
}
