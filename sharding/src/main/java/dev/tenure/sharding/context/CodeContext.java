package dev.tenure.sharding.context;

import dev.tenure.sharding.branch.BranchHandle;
import dev.tenure.sharding.branch.BranchScheduler;
import dev.tenure.sharding.branch.IdempotencyKeys;
import dev.tenure.sharding.branch.OperationIdSequence;
import dev.tenure.sharding.branch.Scope;
import dev.tenure.sharding.branch.WorkflowThread;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.Branch;
import dev.tenure.workflow.CancellationScope;
import dev.tenure.workflow.ChildCall;
import dev.tenure.workflow.ChildHandle;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.ItemBody;
import dev.tenure.workflow.QueryDefinition;
import dev.tenure.workflow.RunMethod;
import dev.tenure.workflow.Saga;
import dev.tenure.workflow.SignalChannel;
import dev.tenure.workflow.SignalDefinition;
import dev.tenure.workflow.StepBody;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.Trace;
import dev.tenure.workflow.TypeRef;
import dev.tenure.workflow.UpdateDefinition;
import dev.tenure.workflow.UpdateHandler;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowInfo;
import dev.tenure.workflow.kernel.Start;
import dev.tenure.workflow.kernel.Wish;
import dev.tenure.workflow.operation.Due;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** The context that workflow code gets: one for all threads of a run. */
final class CodeContext implements WorkflowContext {
  final BranchScheduler scheduler;
  private final WorkflowInvoker invoker;
  private final Calls calls;
  private final OtherWorkflows others;
  private final System.Logger logger;

  CodeContext(BranchScheduler scheduler, WorkflowInvoker invoker) {
    this.scheduler = scheduler;
    this.invoker = invoker;
    this.calls = new Calls(scheduler);
    this.others = new OtherWorkflows(scheduler, calls);
    this.logger = new ReplaySilentLogger(scheduler);
  }

  @Override
  public WorkflowInfo info() {
    scheduler.me();
    Start start = scheduler.start();
    return new WorkflowInfo(
        start.id(),
        start.runId(),
        start.type(),
        scheduler.startedAt(),
        start.origin().map(origin -> origin.parent()),
        start.executionTimeout().map(scheduler.startedAt()::plus),
        scheduler.length.events(),
        scheduler.length.bytes());
  }

  @Override
  public Optional<Trace> trace() {
    // Set before any code runs, and never again.
    return scheduler.start().trace();
  }

  // --- steps and activities

  @Override
  public String idempotencyKey(String name) {
    return IdempotencyKeys.of(scheduler, name, Optional.empty());
  }

  @Override
  public String idempotencyKey(String name, String key) {
    return IdempotencyKeys.of(scheduler, name, Optional.of(key));
  }

  @Override
  public <T, X extends Exception> T step(String name, StepOptions options, StepBody<T, X> body)
      throws X {
    return calls.stepNow(name, Optional.empty(), options, body);
  }

  @Override
  public <T, X extends Exception> T step(
      String name, TypeRef<T> type, StepOptions options, StepBody<T, X> body) throws X {
    return calls.stepNow(name, Optional.of(type), options, body);
  }

  @Override
  public <T, X extends Exception> Handle<T> stepAsync(
      String name, StepOptions options, StepBody<T, X> body) {
    return calls.step(scheduler.actor(), name, Optional.empty(), options, body);
  }

  @Override
  public <T, X extends Exception> Handle<T> stepAsync(
      String name, TypeRef<T> type, StepOptions options, StepBody<T, X> body) {
    return calls.step(scheduler.actor(), name, Optional.of(type), options, body);
  }

  @Override
  public <I, O> O activity(ActivityDefinition<I, O> definition, I input) {
    return calls.activity(definition, Optional.empty(), input).get();
  }

  @Override
  public <I, O> O activity(ActivityDefinition<I, O> definition, String key, I input) {
    return calls.activity(definition, Optional.of(key), input).get();
  }

  @Override
  public <I, O> Handle<O> activityAsync(ActivityDefinition<I, O> definition, I input) {
    return calls.activity(definition, Optional.empty(), input);
  }

  @Override
  public <I, O> Handle<O> activityAsync(ActivityDefinition<I, O> definition, String key, I input) {
    return calls.activity(definition, Optional.of(key), input);
  }

  // --- time

  @Override
  public Instant now() {
    scheduler.me();
    return scheduler.at();
  }

  @Override
  public void sleep(Duration span) {
    calls.timer("sleep", span).get();
  }

  @Override
  public void sleepUntil(Instant instant) {
    calls.timer("sleep", new Due.At(instant)).get();
  }

  @Override
  public Handle<Void> timer(String name, Duration span) {
    return calls.timer("timer:" + name, span);
  }

  @Override
  public void await(BooleanSupplier condition) {
    scheduler.actor().awaitCondition(condition);
  }

  @Override
  public boolean await(Duration timeout, BooleanSupplier condition) {
    return calls.await(timeout, condition);
  }

  // --- signals

  @Override
  public <T> T awaitSignal(String name, TypeRef<T> type) {
    return signalAsync(name, type).get();
  }

  @Override
  public <T> Optional<T> awaitSignal(String name, TypeRef<T> type, Duration timeout) {
    return calls.signal(name, type, timeout).get();
  }

  <T> Handle<T> signalAsync(String name, TypeRef<T> type) {
    return calls.signal(name, type);
  }

  @Override
  public <T> SignalChannel<T> signals(String name, TypeRef<T> type) {
    return new Channel<>(this, name, type);
  }

  // --- other workflows

  @Override
  public <T> T child(ChildCall<T> call) {
    return others.child(call).get();
  }

  @Override
  public <T> ChildHandle<T> childAsync(ChildCall<T> call) {
    return others.child(call);
  }

  @Override
  public void signalWorkflow(WorkflowId target, String signal, Object payload) {
    others.signal(OtherWorkflows.SignalTarget.of(target), signal, payload);
  }

  @Override
  public <T> void signalWorkflow(WorkflowId target, SignalDefinition<T> signal, T payload) {
    others.signal(OtherWorkflows.SignalTarget.of(target), signal, payload);
  }

  @Override
  public void cancelWorkflow(WorkflowId target, String reason) {
    others.cancel(target, reason);
  }

  @Override
  public void awaitHandlers() {
    scheduler.handlers.await(scheduler.actor());
  }

  // --- branches

  @Override
  public <T, X extends Exception> Handle<T> async(String name, Branch<T, X> branch) {
    WorkflowThread me = scheduler.actor();
    if (name.startsWith(OperationIdSequence.RESERVED))
      throw new IllegalArgumentException(
          "A branch's name cannot begin with \"%s\": \"%s\"."
              .formatted(OperationIdSequence.RESERVED, name));
    me.scope.throwIfCancelled();
    return BranchHandle.start(me, me.ids.branch(name), branch);
  }

  @Override
  public <T, X extends Exception> Handle<T> async(String name, String key, Branch<T, X> branch) {
    return async(OperationIdSequence.keyed(name, key), branch);
  }

  @Override
  public <T> List<T> all(List<? extends Handle<? extends T>> handles) {
    return calls.all(handles);
  }

  @Override
  public <T> Handle<? extends T> any(List<? extends Handle<? extends T>> handles) {
    return calls.any(handles);
  }

  @Override
  public <I, O, X extends Exception> List<O> forEach(
      Collection<? extends I> items,
      int limit,
      Function<? super I, String> key,
      ItemBody<? super I, ? extends O, X> body)
      throws X {
    return new ForEach<I, O>(scheduler.actor(), items, limit, key, body).run();
  }

  // --- cancellation and compensation

  @Override
  public boolean isCancelRequested() {
    scheduler.me();
    return scheduler.isCancelRequested();
  }

  @Override
  public <T, X extends Exception> T scope(String name, CancellationScope.Body<T, X> body) throws X {
    WorkflowThread me = scheduler.actor();
    OperationIdSequence outer = me.ids;
    Scope scope = me.scope.within();
    me.ids = outer.branch(name);
    try {
      return me.in(scope, () -> body.run(scope));
    } finally {
      me.ids = outer;
    }
  }

  @Override
  public <T, X extends Exception> T shielded(Branch<T, X> body) throws X {
    WorkflowThread me = scheduler.actor();
    return me.in(me.scope.shielded(), body);
  }

  @Override
  public <T, X extends Exception> T saga(Saga.Body<T, X> body) throws X {
    return SagaRun.run(scheduler.actor(), calls, body);
  }

  // --- a run's length and its code's changes

  @Override
  public <T> T continueAsNew(Object input) {
    throw calls.renew(scheduler.program().workflow(), input, false);
  }

  @Override
  public <T> T continueAsNew(RunMethod run, Object input) {
    throw calls.renew(RunMethod.describe(run), input, true);
  }

  @Override
  public boolean changed(String changeId) {
    scheduler.actor();
    return scheduler.decidedChanges.has(changeId);
  }

  // --- chance and recorded values

  @Override
  public RandomGenerator random() {
    return scheduler.me().random();
  }

  @Override
  public UUID uuid() {
    return scheduler.me().random().nextUuid();
  }

  @Override
  public <T> T record(String name, TypeRef<T> type, Supplier<T> value) {
    return calls.value(name, type, value);
  }

  // --- what others see and ask

  @Override
  public void attributes(Map<String, ?> changes) {
    scheduler.actor();
    Map<String, Attribute> set = new LinkedHashMap<>();
    changes.forEach((name, value) -> set.put(name, Attribute.of(value)));
    scheduler.wish(new Wish.SetAttributes(set));
  }

  @Override
  public <O> void onQuery(String name, Supplier<O> answer) {
    scheduler.actor();
    invoker.onQuery(name, TypeRef.of(void.class), Optional.empty(), nothing -> answer.get());
  }

  @Override
  public <I, O> void onQuery(String name, TypeRef<I> input, Function<I, O> answer) {
    scheduler.actor();
    invoker.onQuery(name, input, Optional.empty(), answer);
  }

  @Override
  public <I, O> void onQuery(QueryDefinition<I, O> query, Function<I, O> answer) {
    scheduler.actor();
    invoker.onQuery(query.name(), query.input(), Optional.of(query.answer()), answer);
  }

  @Override
  public <I, O> void onUpdate(
      String name,
      TypeRef<I> input,
      UpdateHandler.Validator<I> validator,
      UpdateHandler<I, O> handler) {
    scheduler.actor();
    invoker.onUpdate(name, input, Optional.empty(), validator, handler);
  }

  @Override
  public <I, O> void onUpdate(
      UpdateDefinition<I, O> update,
      UpdateHandler.Validator<I> validator,
      UpdateHandler<I, O> handler) {
    scheduler.actor();
    invoker.onUpdate(
        update.name(), update.input(), Optional.of(update.answer()), validator, handler);
  }

  @Override
  public System.Logger logger() {
    return logger;
  }

  @Override
  public boolean isReplaying() {
    scheduler.me();
    return scheduler.isReplaying();
  }
}
