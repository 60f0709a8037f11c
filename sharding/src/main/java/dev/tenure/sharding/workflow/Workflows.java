package dev.tenure.sharding.workflow;

import dev.tenure.persistence.signal.SignalRequest;
import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.persistence.visibility.Page;
import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.persistence.visibility.WorkflowFilter;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.sharding.activity.Activities;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.cluster.ClusterRuntime;
import dev.tenure.sharding.code.Inquiry;
import dev.tenure.sharding.code.WorkflowTypes;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowRegistration;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Start;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** How one turns to workflows, from any node. */
public final class Workflows implements AutoCloseable {
  /** After that whoever asked is told nothing, and asks again. */
  public static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);

  private final Host host;
  private final Wakes wakes;

  private Workflows(Host host, Wakes wakes) {
    this.host = host;
    this.wakes = wakes;
  }

  /**
   * Lets a node own workflows.
   *
   * @param shards as the store was told
   */
  public static Workflows on(
      ClusterRuntime node,
      int shards,
      WorkflowSettings settings,
      Collection<? extends WorkflowRegistration<?>> workflows,
      Collection<? extends ActivityRegistration<?, ?>> activities) {
    Host host =
        new Host(
            node.system(),
            shards,
            settings,
            new WorkflowTypes(workflows),
            new Activities(activities, settings.codec()));
    host.reachedThrough(node.shard(WorkflowEntity.entity(host)));
    return new Workflows(host, new Wakes(host));
  }

  /** Starts a workflow, or says that its id is taken. The request tells a repetition from that. */
  public CompletionStage<Answer> start(
      WorkflowId id, WorkflowType type, Object input, Optional<String> request) {
    Start start =
        new Start(
            id,
            host.ids.get(),
            type,
            payload(input, "the input of " + id),
            host.seeds.getAsLong(),
            request,
            Optional.empty(),
            Optional.empty(),
            Map.of());
    return tell(id, new Command.StartWorkflow(start));
  }

  /** Accepts a signal durably; the workflow gets it when it waits for one of that name. */
  public CompletionStage<SignalResult> signal(
      WorkflowId id, String name, Optional<String> signalId, Object payload) {
    return host.signals
        .submit(
            new SignalRequest(
                id.value(), name, signalId, payload(payload, "the payload of signal " + name)))
        .thenApply(
            result -> {
              if (result instanceof SignalResult.Accepted) host.tell(id, Message.WakeUp.WAKE_UP);
              return result;
            });
  }

  public CompletionStage<Answer> query(WorkflowId id, String name, Object input) {
    Inquiry inquiry = new Inquiry(name, payload(input, "the input of query " + name));
    return host.ask(id, replyTo -> new Message.Query(inquiry, replyTo), ANSWER_LIMIT);
  }

  /** Hands an update in; {@link #updated} has its answer when this says that it is pending. */
  public CompletionStage<Answer> update(WorkflowId id, String updateId, String name, Object input) {
    return tell(
        id, new Command.Update(updateId, name, payload(input, "the input of update " + name)));
  }

  public CompletionStage<Answer> updated(WorkflowId id, String updateId) {
    return host.ask(id, replyTo -> new Message.AwaitUpdate(updateId, replyTo), ANSWER_LIMIT);
  }

  public CompletionStage<Answer> cancel(WorkflowId id, String reason) {
    return tell(id, new Command.Cancel(reason));
  }

  public CompletionStage<Answer> terminate(WorkflowId id, String reason) {
    return tell(id, new Command.Terminate(reason));
  }

  public CompletionStage<Answer> pause(WorkflowId id, String reason) {
    return tell(id, new Command.Pause(reason));
  }

  public CompletionStage<Answer> resume(WorkflowId id) {
    return tell(id, new Command.Resume());
  }

  public CompletionStage<Answer> describe(WorkflowId id) {
    return host.ask(id, Message.Describe::new, ANSWER_LIMIT);
  }

  /** Answered when the outcome is decided. */
  public CompletionStage<Answer> result(WorkflowId id) {
    return host.ask(id, Message.AwaitEnd::new, ANSWER_LIMIT);
  }

  /** Asks the store, and waits for it: not for threads of actors. */
  public Page<WorkflowRow> list(WorkflowFilter filter, PageRequest page) {
    return host.storage.workflows().list(filter, page);
  }

  private CompletionStage<Answer> tell(WorkflowId id, Command command) {
    return host.ask(id, replyTo -> new Message.Tell(command, replyTo), ANSWER_LIMIT);
  }

  private Payload payload(Object value, String what) {
    return value == null ? Payload.NONE : host.codec.write(value, value.getClass(), what);
  }

  /** Call it after the node has stopped. */
  @Override
  public void close() {
    wakes.close();
    host.close();
  }
}
