package dev.tenure.sharding.client;

import dev.tenure.persistence.visibility.Page;
import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.persistence.visibility.WorkflowFilter;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.sharding.workflow.StartRequest;
import dev.tenure.sharding.workflow.StartResult;
import dev.tenure.sharding.workflow.WorkflowError;
import dev.tenure.sharding.workflow.Workflows;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.RunMethod;
import dev.tenure.workflow.TypeRef;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowRegistration;
import java.lang.reflect.Type;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Starts workflows and finds them, from any node. Calls block until the answer is there, which is
 * durable then; {@link #async} is the same without blocking. A call that fails throws a {@link
 * WorkflowError}, or what the storage says.
 *
 * <pre>{@code
 * WorkflowHandle<Receipt> order = workflows.start(Order::run, "order-17", new PlaceOrder(…));
 * order.signal("approval", new Approval(true, "boss"));
 * Receipt receipt = order.result();
 * }</pre>
 */
// A reference to a run method fits one of the overloads: it returns something or it does not.
@SuppressWarnings("overloads")
public final class WorkflowClient {
  private static final int LIST_ROWS = 200;

  private final Workflows workflows;
  private final PayloadCodec codec;

  public WorkflowClient(Workflows workflows, PayloadCodec codec) {
    this.workflows = workflows;
    this.codec = codec;
  }

  /**
   * Starts it, once: when the id is taken, and the request does not say otherwise with {@link
   * StartRequest#ifTaken}, this throws {@link WorkflowError.AlreadyStarted}, and nothing was
   * changed.
   */
  public <W, I, R> WorkflowHandle<R> start(RunMethod.WithInput<W, I, R> run, String id, I input) {
    return start(run, id, Optional.ofNullable(input));
  }

  public <W, I> WorkflowHandle<Void> start(RunMethod.WithInputOnly<W, I> run, String id, I input) {
    return start(run, id, Optional.ofNullable(input));
  }

  public <W, R> WorkflowHandle<R> start(RunMethod.Plain<W, R> run, String id) {
    return start(run, id, Optional.empty());
  }

  public <W> WorkflowHandle<Void> start(RunMethod.Only<W> run, String id) {
    return start(run, id, Optional.empty());
  }

  private <R> WorkflowHandle<R> start(RunMethod run, String id, Optional<?> input) {
    WorkflowRegistration<?> described = RunMethod.describe(run);
    StartRequest request =
        StartRequest.of(id, described.type().name(), payload(input, described, id))
            .version(described.type().version());
    return start(request, described.output());
  }

  private Payload payload(Optional<?> input, WorkflowRegistration<?> described, String id) {
    if (input.isEmpty() || described.input().isEmpty()) return Payload.NONE;
    return codec.write(input.get(), described.input().get(), "the input of workflow " + id);
  }

  /**
   * A start to which options can be added: a version, a key that makes it repeatable, a timeout,
   * attributes.
   */
  public StartRequest request(Class<?> workflow, String id, Object input) {
    Workflow annotation = workflow.getAnnotation(Workflow.class);
    if (annotation == null)
      throw new IllegalArgumentException(
          workflow.getName() + " is no workflow: annotate it with @Workflow(name = …).");
    return request(annotation.name(), id, input).version(annotation.version());
  }

  /** By name, when its class is not known here; the owner decides the version. */
  public StartRequest request(String type, String id, Object input) {
    Payload payload =
        input == null
            ? Payload.NONE
            : codec.write(input, input.getClass(), "the input of workflow " + id);
    return StartRequest.of(id, type, payload);
  }

  public <R> WorkflowHandle<R> start(StartRequest request, Class<R> result) {
    return start(request, (Type) result);
  }

  public <R> WorkflowHandle<R> start(StartRequest request, TypeRef<R> result) {
    return start(request, result.type());
  }

  private <R> WorkflowHandle<R> start(StartRequest request, Type result) {
    return switch (Answers.of(workflows.start(request))) {
      case StartResult.Started started ->
          new WorkflowHandle<>(
              workflows, codec, started.id(), result, Optional.of(started.runId()));
      case StartResult.Duplicate taken ->
          throw new WorkflowError.AlreadyStarted(taken.id(), taken.runId(), taken.status());
    };
  }

  /** A workflow that was started before, here or elsewhere; nothing is asked for yet. */
  public <R> WorkflowHandle<R> handle(String id, Class<R> result) {
    return handle(WorkflowId.of(id), result);
  }

  public <R> WorkflowHandle<R> handle(String id, TypeRef<R> result) {
    return handle(WorkflowId.of(id), result.type());
  }

  private <R> WorkflowHandle<R> handle(WorkflowId id, Type result) {
    return new WorkflowHandle<>(workflows, codec, id, result, Optional.empty());
  }

  /** One page of those that match, the newest first. */
  public Page<WorkflowRow> list(WorkflowFilter filter, PageRequest page) {
    return Answers.of(workflows.list(filter, page));
  }

  /** All that match, the newest first, read page by page as far as the stream is. */
  public Stream<WorkflowRow> list(WorkflowFilter filter) {
    return Stream.iterate(
            Optional.of(list(filter, PageRequest.first(LIST_ROWS))),
            Optional::isPresent,
            page -> page.get().next().map(next -> list(filter, PageRequest.after(next, LIST_ROWS))))
        .flatMap(page -> page.get().rows().stream());
  }

  /** The same without blocking and without types: what gateways are built on. */
  public Workflows async() {
    return workflows;
  }
}
