package dev.tenure.sharding.loop;

import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.recovery.Recoveries;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.sharding.activity.Activities;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.branch.ExecutionGate;
import dev.tenure.sharding.code.WorkflowTypes;
import dev.tenure.sharding.deployment.ClusterCode;
import dev.tenure.sharding.deployment.Deployments;
import dev.tenure.sharding.host.Futures;
import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.host.HostDependencies;
import dev.tenure.sharding.host.WorkflowSettings;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.message.WorkflowTransport;
import dev.tenure.sharding.pool.CodeThreads;
import dev.tenure.sharding.recovery.Suspects;
import dev.tenure.sharding.recovery.Trials;
import dev.tenure.sharding.wake.WakeScanner;
import dev.tenure.sharding.wake.WakeScans;
import dev.tenure.sharding.workflow.Workflows;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowRegistration;
import dev.tenure.workflow.WorkflowType;
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
 * A node without a cluster, where one thing happens after the other on a {@link Loop}: the same
 * owners, the same kernel, the same runner of code as on any node, and instead of actors, threads
 * and a network whatever it is given. Everything here is for the loop's thread.
 */
public final class LoopNode {
  /** What lies around a node. */
  public interface Around {
    /**
     * Carries something to where it arrives: at once, later, more than once or never.
     *
     * @param arrival what happens there
     */
    void carry(String what, Runnable arrival);

    /**
     * Carries what the store answers to who asked it: at once, later or never.
     *
     * @param silence what follows when nothing comes for so long that nothing is expected any more
     */
    default void answers(String what, Runnable answer, Runnable silence) {
      answer.run();
    }

    /** Who gets what is sent to a shard at this moment, if anybody does. */
    Optional<LoopNode> holderOf(int shard);

    /**
     * A node has got a request, and is to answer it, or to send it on.
     *
     * @param request the same each time that it arrives
     */
    default void arrived(LoopNode node, WorkflowId id, Object request) {}

    /** A request that arrived is answered, or sent on. */
    default void settled(Object request) {}

    /** A node takes a workflow up, for the first time or again. */
    default void takenUp(WorkflowId id) {}

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

    /** What those wait for who asked something. */
    default <T> CompletableFuture<T> future() {
      return new CompletableFuture<>();
    }

    /** An owner failed in a way that nobody foresaw; it begins again. */
    void defect(WorkflowId id, RuntimeException defect);
  }

  /** What a node runs. */
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
  private final Map<Integer, Long> epochs = new TreeMap<>();
  private final Map<WorkflowId, LoopEntity> entities = new LinkedHashMap<>();
  private final WakeScans scans;
  private final Workflows workflows;
  private final Trials trials;
  private boolean triesSuspects;
  private boolean crashed;
  private boolean overdue;

  /**
   * @param pace the loop, or what hands on to it
   */
  public LoopNode(
      String name,
      Loop loop,
      Around around,
      Storage storage,
      int shards,
      WorkflowSettings settings,
      Program program,
      ExecutionGate pace) {
    this.name = name;
    this.loop = loop;
    this.around = around;
    this.storage = storage;
    this.shards = shards;
    HostDependencies fittings =
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
            pace,
            new LoopSignals(this),
            task -> soon("an answer", task),
            new LoopInboxes(this),
            CodeThreads.JDK,
            new Activities(
                program.activities, settings.codec(), settings.interceptors(), this::soon),
            new Suspects(),
            () -> around.code(this),
            () -> {});
    this.host =
        new Host(
            new LoopTransport(this),
            storage,
            shards,
            settings,
            new WorkflowTypes(program.types),
            fittings);
    this.ownCode = ClusterCode.alone(name, host.code());
    this.trials =
        new Trials(
            host.suspects,
            storage.recoveries(),
            epochs::containsKey,
            id -> host.post.tell(id, Message.WakeUp.WAKE_UP),
            loop::nanos);
    this.scans = new WakeScans(storage, new Seen(), settings.clock());
    this.workflows = new Workflows(host);
  }

  public String name() {
    return name;
  }

  /** What it knows that has heard of no other node. */
  public ClusterCode ownCode() {
    return ownCode;
  }

  public Workflows workflows() {
    return workflows;
  }

  /** The way to workflows, for who wants no repetition. */
  public WorkflowTransport post() {
    return host.post;
  }

  /** To be done by this node; a node that has died does nothing any more. */
  void soon(String what, Runnable task) {
    loop.soon(name + ": " + what, () -> run(task));
  }

  Runnable after(Duration pause, String what, Runnable task) {
    return loop.after(pause, name + ": " + what, () -> run(task));
  }

  Runnable limit(Duration pause, String what, Runnable task) {
    return loop.limit(pause, name + ": " + what, () -> run(task));
  }

  /** What the store answers to this node. */
  void answers(String what, Runnable answer, Runnable silence) {
    around.answers(name + ": " + what, () -> run(answer), () -> run(silence));
  }

  private void run(Runnable task) {
    if (!crashed) task.run();
  }

  // --- its shards

  /**
   * It holds the shard from now on, under this epoch; what must be awake there is woken.
   *
   * @param lost whether the one before did not give it up in order
   */
  public void holds(int shard, long epoch, boolean lost) {
    host.suspects.begin(
        shard,
        storage.recoveries().takeOver(List.of(new Recoveries.Beginning(shard, epoch, lost))));
    if (lost) host.suspects.nodeLost(loop.nanos());
    // It may have lost the shard and not heard of it: what it has in memory is of an older tenure.
    stopAll(shard);
    epochs.put(shard, epoch);
    if (!triesSuspects) trySuspects();
    soon("a scan of shard " + shard, () -> scan(() -> scans.shards(Set.of(shard))));
  }

  private void trySuspects() {
    triesSuspects = !trials.isIdle();
    if (!triesSuspects) return;
    trials.look();
    after(Trials.LOOK_EVERY, "a look at suspects", this::trySuspects);
  }

  /** It learns that it does not hold the shard any more. */
  public void loses(int shard) {
    epochs.remove(shard);
    stopAll(shard);
  }

  private void stopAll(int shard) {
    for (LoopEntity one : List.copyOf(entities.values())) if (one.shard() == shard) one.stop();
  }

  public Set<Integer> held() {
    return Set.copyOf(epochs.keySet());
  }

  Optional<Long> epochOf(int shard) {
    return Optional.ofNullable(epochs.get(shard));
  }

  /** Dies, with everything that is in memory. Nobody hears of it. */
  public void crash() {
    crashed = true;
    loop.silently(
        () -> {
          for (LoopEntity one : List.copyOf(entities.values())) one.killed();
          host.close();
        });
    epochs.clear();
  }

  public boolean isCrashed() {
    return crashed;
  }

  // --- its workflows

  /** Something has arrived for a workflow; it is lost when the node does not hold the shard. */
  void arrived(WorkflowId id, Message message) {
    LoopEntity entity = entities.get(id);
    if (entity == null) {
      entity = new LoopEntity(this, id);
      if (epochOf(entity.shard()).isEmpty()) return;
      entities.put(id, entity);
      entity.begin();
    }
    if (message instanceof Message.Asked request && LoopTransport.isAnsweredSoon(request))
      around.arrived(this, id, request.replyTo());
    entity.tell(message);
  }

  void gone(LoopEntity entity) {
    entities.remove(entity.id(), entity);
  }

  void tellsOverdue() {
    overdue = true;
  }

  /** How many workflows are in memory. */
  public int resident() {
    return entities.size();
  }

  // --- time

  /** What a node does several times a second: looks who is due, who rests, whose code hangs. */
  public void look() {
    if (!crashed) host.look();
  }

  /** Looks, and says whether somebody's code did not come back. */
  public boolean looksForHangingCode() {
    overdue = false;
    look();
    return overdue;
  }

  /** What a node does every second or so: looks for what must be awake and is not in memory. */
  public void scan() {
    scan(scans::due);
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

  /** When the next of those in memory is due. */
  public Optional<Instant> nextDue() {
    long ms = crashed ? Long.MAX_VALUE : host.residents.nextDueMs();
    return ms == Long.MAX_VALUE ? Optional.empty() : Optional.of(Instant.ofEpochMilli(ms));
  }

  private final class Seen implements WakeScanner.Node {
    @Override
    public Set<Integer> owned() {
      return held();
    }

    @Override
    public int shards() {
      return shards;
    }

    @Override
    public boolean mayHave(WorkflowType type) {
      return host.programs.mayHave(type);
    }

    @Override
    public boolean leads() {
      return false;
    }

    @Override
    public boolean isGone(Holder holder) {
      return false;
    }

    @Override
    public boolean isAtWork(WorkflowId id) {
      return host.residents.isAtWork(id);
    }

    @Override
    public void wakeUnreadable(WorkflowId id) {
      host.suspects.noteUnreadable(id);
      wake(id);
    }

    @Override
    public void blocked(Set<Deployments.Blocked> shards) {
      // Where shards are is not for a node of the loop to say.
    }

    @Override
    public void wake(WorkflowId id) {
      host.post.tell(id, Message.WakeUp.WAKE_UP);
    }
  }
}
