package dev.tenure.sharding.node;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.pekko.StorageExtension;
import dev.tenure.persistence.task.TaskId;
import dev.tenure.persistence.task.TaskResult;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.activity.AttemptClocks;
import dev.tenure.sharding.branch.ExecutionGate;
import dev.tenure.sharding.cluster.ClusterRuntime;
import dev.tenure.sharding.code.WorkflowTypes;
import dev.tenure.sharding.deployment.Deployments;
import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.host.TaskQueues;
import dev.tenure.sharding.host.WorkflowSettings;
import dev.tenure.sharding.lease.ClusterMembership;
import dev.tenure.sharding.lease.Tenures;
import dev.tenure.sharding.message.ClusterTransport;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.message.WorkflowTransport;
import dev.tenure.sharding.pool.TaskKind;
import dev.tenure.sharding.recovery.TrialLooks;
import dev.tenure.sharding.recovery.Trials;
import dev.tenure.sharding.task.NodeTaskDesk;
import dev.tenure.sharding.task.Owners;
import dev.tenure.sharding.task.TaskDesk;
import dev.tenure.sharding.task.TaskSecrets;
import dev.tenure.sharding.wake.WakeScanner;
import dev.tenure.sharding.worker.NodeWorkers;
import dev.tenure.sharding.workflow.Workflows;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowRegistration;
import dev.tenure.workflow.WorkflowType;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.cluster.Cluster;

/**
 * The part of a node that runs workflows: the shards that it holds, their code, and the scanner
 * that wakes them.
 */
public final class WorkflowNode implements AutoCloseable {
  private final Host host;
  private final Workflows workflows;
  private final WakeScanner scanner;
  private final TrialLooks trials;
  private final TaskDesk tasks;
  private final NodeWorkers workers;
  private final AtomicBoolean closed = new AtomicBoolean();

  private WorkflowNode(Host host, ClusterRuntime runtime, Executor answers) {
    ActorSystem<?> system = runtime.system();
    this.host = host;
    this.tasks =
        NodeTaskDesk.start(
            system,
            host.storage.tasks(),
            new TaskSecrets(new SecureRandom()),
            new WokenOwners(host),
            host.timers::after,
            System::nanoTime,
            task -> Thread.ofVirtual().start(task),
            answers,
            host.codec::received);
    this.workers = new NodeWorkers(host, tasks, Cluster.get(system).selfUniqueAddress().toString());
    this.scanner =
        new WakeScanner(
            host.storage,
            new OnNode(host, runtime),
            host.clock.instant(),
            host.settings.scanEvery());
    this.trials =
        new TrialLooks(
            new Trials(
                host.suspects,
                host.storage.recoveries(),
                shard -> Tenures.of(system).epochOf(shard).isPresent(),
                id -> host.transport.tell(id, Message.WakeUp.WAKE_UP),
                System::nanoTime));
    this.workflows = new Workflows(host);
  }

  /** Begins to run workflows on a node. It ends with the node's actor system. */
  public static WorkflowNode start(
      ClusterRuntime runtime,
      WorkflowSettings settings,
      Collection<? extends WorkflowRegistration<?>> types,
      Collection<? extends ActivityRegistration<?, ?>> activities) {
    return start(runtime, settings, types, activities, ExecutionGate.FREE);
  }

  /** As above, with a gate that may run other code as a step. */
  public static WorkflowNode start(
      ClusterRuntime runtime,
      WorkflowSettings settings,
      Collection<? extends WorkflowRegistration<?>> types,
      Collection<? extends ActivityRegistration<?, ?>> activities,
      ExecutionGate gate) {
    AttemptClocks clocks =
        new AttemptClocks(System::nanoTime, settings.clock(), runtime.clock().machine());
    return start(runtime, settings, types, activities, gate, clocks);
  }

  /** As above, with clocks for the times of attempts that a test may turn. */
  public static WorkflowNode start(
      ClusterRuntime runtime,
      WorkflowSettings settings,
      Collection<? extends WorkflowRegistration<?>> types,
      Collection<? extends ActivityRegistration<?, ?>> activities,
      ExecutionGate gate,
      AttemptClocks clocks) {
    ClusterTransport cluster = new ClusterTransport(runtime);
    DeskOfNode queues = new DeskOfNode();
    Host host =
        Host.ofANode(
            cluster,
            StorageExtension.of(runtime.system()).storage(),
            runtime.shards(),
            settings,
            new WorkflowTypes(types),
            activities,
            Tenures.of(runtime.system()).suspects(),
            tenure -> holds(runtime, tenure),
            gate,
            runtime.deployments(),
            queues,
            clocks,
            runtime.pool());
    cluster.reachedThrough(
        runtime.shard(WorkflowEntity.entity(host, runtime.system(), cluster.shardActors())));
    Executor answers =
        runtime
            .pool()
            .<Executor>map(pool -> pool.executor(TaskKind.ANSWER))
            .orElseGet(() -> new CompletableFuture<>().defaultExecutor());
    WorkflowNode node = new WorkflowNode(host, runtime, answers);
    queues.desk = node.tasks;
    node.workers.start();
    Tenures.of(runtime.system()).whenAcquired(node.scanner::acquired);
    runtime.terminated().whenComplete((done, failure) -> node.close());
    return node;
  }

  private static boolean holds(ClusterRuntime runtime, Fence tenure) {
    return Tenures.of(runtime.system())
        .epochOf(tenure.shard())
        .equals(OptionalLong.of(tenure.epoch()));
  }

  public Workflows workflows() {
    return workflows;
  }

  /** Hands tasks to workers. */
  public TaskDesk tasks() {
    return tasks;
  }

  /** The number of workflows in memory. */
  public int resident() {
    return host.residents.size();
  }

  /** Sends messages to workflows once, without repeating them. */
  public WorkflowTransport transport() {
    return host.transport;
  }

  public Host host() {
    return host;
  }

  /** Threads of workflow code that were given up and still run. */
  public int spinners() {
    return host.carriers.spinners();
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) return;
    scanner.close();
    trials.close();
    workers.close();
    tasks.close();
    host.close();
  }

  /**
   * Tells the desk, once there is one. No owner of this node commits before, and what it were to
   * offer the desk's first look would find.
   */
  private static final class DeskOfNode implements TaskQueues {
    private volatile TaskDesk desk;

    @Override
    public void offered(String queue) {
      TaskDesk known = desk;
      if (known != null) known.offered(Set.of(queue));
    }
  }

  /** Owners find what is stored for them when they are woken. */
  private record WokenOwners(Host host) implements Owners {
    @Override
    public void ended(TaskResult result) {
      look(result.id());
    }

    @Override
    public void look(TaskId task) {
      host.transport.tell(task.workflow(), Message.WakeUp.WAKE_UP);
    }
  }

  /** The node as the scanner sees it. */
  private record OnNode(Host host, ClusterRuntime runtime) implements WakeScanner.Node {
    private Tenures tenures() {
      return Tenures.of(runtime.system());
    }

    @Override
    public Set<Integer> owned() {
      return tenures().shards();
    }

    @Override
    public int shards() {
      return host.shards;
    }

    @Override
    public boolean mayHave(WorkflowType type) {
      return host.programs.mayHave(type);
    }

    @Override
    public boolean leads() {
      return runtime.leads();
    }

    @Override
    public boolean isGone(Holder holder) {
      return new ClusterMembership(Cluster.get(runtime.system())).isGone(holder);
    }

    @Override
    public boolean isAtWork(WorkflowId id) {
      return host.residents.isAtWork(id);
    }

    @Override
    public void countLosses(Set<Integer> shards) {
      tenures().countLosses(shards, this::wake);
    }

    @Override
    public boolean isHeldBack(WorkflowId id) {
      return host.suspects.isHeldBack(id);
    }

    @Override
    public boolean mayStart(WorkflowId id) {
      return host.starts.take(id);
    }

    @Override
    public Object code() {
      return runtime.deployments().cluster().nodes();
    }

    @Override
    public void wakeUnreadable(WorkflowId id) {
      host.suspects.noteUnreadable(id);
      wake(id);
    }

    @Override
    public void blocked(Set<Deployments.Blocked> shards) {
      runtime.deployments().blocked(shards);
    }

    @Override
    public void woken(Set<Integer> shards) {
      if (runtime.isAnyDrained()) host.starts.whenBegun(() -> runtime.haveBegun(shards));
    }

    @Override
    public void wake(WorkflowId id) {
      host.transport.tell(id, Message.WakeUp.WAKE_UP);
    }
  }
}
