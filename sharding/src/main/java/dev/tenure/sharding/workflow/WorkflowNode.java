package dev.tenure.sharding.workflow;

import dev.tenure.sharding.activity.Activities;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.cluster.ClusterRuntime;
import dev.tenure.sharding.code.WorkflowTypes;
import dev.tenure.workflow.WorkflowRegistration;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;

/** What of a node runs workflows: the shards it holds, their code, and what wakes them. */
public final class WorkflowNode implements AutoCloseable {
  private final Host host;
  private final Workflows workflows;
  private final AtomicBoolean closed = new AtomicBoolean();

  private WorkflowNode(Host host) {
    this.host = host;
    this.workflows = new Workflows(host);
  }

  /** Begins to run workflows on a node. It ends with the node's actor system. */
  public static WorkflowNode start(
      ClusterRuntime runtime,
      WorkflowSettings settings,
      Collection<? extends WorkflowRegistration<?>> types,
      Collection<? extends ActivityRegistration<?, ?>> activities) {
    Host host =
        new Host(
            runtime.system(),
            runtime.shards(),
            settings,
            new WorkflowTypes(types),
            new Activities(activities, settings.codec()));
    WorkflowNode node = new WorkflowNode(host);
    host.reachedThrough(runtime.shard(WorkflowEntity.entity(host)));
    runtime.terminated().whenComplete((done, failure) -> node.close());
    return node;
  }

  public Workflows workflows() {
    return workflows;
  }

  /** How many workflows are in memory. */
  public int resident() {
    return host.residents.size();
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) host.close();
  }
}
