package dev.tenure.sharding.context;

import dev.tenure.sharding.branch.BranchScheduler;
import dev.tenure.sharding.branch.ContinueAsNewUnwind;
import dev.tenure.sharding.branch.OperationIdSequence;
import dev.tenure.sharding.branch.OutcomeReader;
import dev.tenure.sharding.branch.PendingOperation;
import dev.tenure.sharding.branch.PendingResult;
import dev.tenure.sharding.branch.PendingStep;
import dev.tenure.sharding.branch.SneakyThrow;
import dev.tenure.sharding.branch.WorkflowThread;
import dev.tenure.sharding.branch.WorkflowThreadStopped;
import dev.tenure.sharding.payload.Failures;
import dev.tenure.sharding.payload.ThrowableText;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.ActivityFailedException;
import dev.tenure.workflow.CancelledException;
import dev.tenure.workflow.ChildCall;
import dev.tenure.workflow.ChildFailedException;
import dev.tenure.workflow.ChildHandle;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.OperationTimedOutException;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.SignalDefinition;
import dev.tenure.workflow.StepBody;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.TypeRef;
import dev.tenure.workflow.UndeliverableException;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowRegistration;
import dev.tenure.workflow.kernel.Wish;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Makes operations of what the code asks the context for, and values of what they come to. */
final class Calls {
  static final String CANCELLED = "tenure.Cancelled";
  static final String TERMINATED = "tenure.Terminated";

  /** The shortest wait for a signal: long enough to see one that is there already. */
  private static final Duration WAIT_MIN = Duration.ofMillis(1);

  private final BranchScheduler stage;

  Calls(BranchScheduler stage) {
    this.stage = stage;
  }

  private <T> PendingOperation<T> open(
      WorkflowThread me, OperationId id, OperationSpec spec, OutcomeReader<T> reading) {
    me.scope.throwIfCancelled();
    PendingOperation<T> pending = new PendingOperation<>(stage, id, me.scope, reading);
    stage.schedule(pending, spec);
    return pending;
  }

  // --- steps and activities

  <T> PendingStep<T> step(
      WorkflowThread me,
      String name,
      Optional<TypeRef<T>> type,
      StepOptions options,
      StepBody<T, ?> body) {
    return step(me, name, type, options.key(), body, spec(options));
  }

  private static OperationSpec.Step spec(StepOptions options) {
    return options.retry() == RetryPolicy.DEFAULT && options.timeouts() == Timeouts.DEFAULT
        ? OperationSpec.Step.DEFAULT
        : new OperationSpec.Step(options.retry(), options.timeouts());
  }

  private <T> PendingStep<T> step(
      WorkflowThread me,
      String name,
      Optional<TypeRef<T>> type,
      Optional<String> key,
      StepBody<T, ?> body,
      OperationSpec.Step spec) {
    me.scope.throwIfCancelled();
    OperationId id = me.names.next(OperationIdSequence.keyed(name, key));
    PendingStep<T> pending =
        new PendingStep<>(
            stage,
            id,
            me.scope,
            outcome -> stepResult(id, type, outcome),
            new PendingStep.Code<>(name, key, body, type));
    stage.schedule(pending, spec);
    return pending;
  }

  /** A step that is over. */
  <T> PendingStep<T> stepDone(
      WorkflowThread me,
      String name,
      Optional<TypeRef<T>> type,
      Optional<String> key,
      StepBody<T, ?> body,
      OperationSpec.Step spec) {
    PendingStep<T> step = step(me, name, type, key, body, spec);
    step.host = me;
    me.awaitEnd(step);
    return step;
  }

  <T, X extends Exception> T stepNow(
      String name, Optional<TypeRef<T>> type, StepOptions options, StepBody<T, X> body) throws X {
    return stepDone(stage.actor(), name, type, options.key(), body, spec(options)).get();
  }

  @SuppressWarnings("unchecked")
  private <T> T stepResult(OperationId id, Optional<TypeRef<T>> type, Outcome outcome)
      throws Throwable {
    String what = "the result of step " + id;
    return switch (outcome) {
      // What is read back here is what every replay reads: never the object that the step made.
      case Outcome.Succeeded(Payload value) ->
          (T)
              (type.isPresent()
                  ? stage.codec().read(value, type.get().type(), what)
                  : stage.codec().readNamed(value, what));
      case Outcome.Failed(Failure failure) ->
          throw Failures.asRecorded(failure, "Step " + id, stage.program().loader());
      case Outcome.TimedOut(String why) ->
          throw new OperationTimedOutException("Step " + id + ": " + why);
      case Outcome.Cancelled(String reason) -> throw new CancelledException(reason);
      case Outcome.Terminated(String reason) -> throw new CancelledException(reason);
    };
  }

  <I, O> PendingOperation<O> activity(
      ActivityDefinition<I, O> definition, Optional<String> key, I input) {
    WorkflowThread me = stage.actor();
    OperationId id = me.names.next(OperationIdSequence.keyed(definition.name(), key));
    Payload written =
        stage.codec().writeKept(input, definition.input().type(), "the input of activity " + id);
    return open(
        me,
        id,
        new OperationSpec.Activity(
            definition.name(), written, definition.retry(), definition.timeouts()),
        outcome -> activityResult(id, definition.output(), outcome));
  }

  private <O> O activityResult(OperationId id, TypeRef<O> type, Outcome outcome) {
    return switch (outcome) {
      case Outcome.Succeeded(Payload value) -> read(value, type, "the result of activity " + id);
      case Outcome.Failed(Failure failure) ->
          throw new ActivityFailedException("Activity " + id, failure);
      case Outcome.TimedOut(String why) ->
          throw new OperationTimedOutException("Activity " + id + ": " + why);
      case Outcome.Cancelled(String reason) -> throw new CancelledException(reason);
      case Outcome.Terminated(String reason) -> throw new CancelledException(reason);
    };
  }

  @SuppressWarnings("unchecked")
  private <T> T read(Payload value, TypeRef<T> type, String what) {
    return (T) stage.codec().read(value, type.type(), what);
  }

  // --- time and signals

  /** At once when the span is negative: what is left of a time limit may be. */
  PendingOperation<Void> timer(String name, Duration span) {
    return timer(name, new OperationSpec.Due.After(span.isNegative() ? Duration.ZERO : span));
  }

  PendingOperation<Void> timer(String name, OperationSpec.Due due) {
    WorkflowThread me = stage.actor();
    return open(me, me.names.next(name), new OperationSpec.Timer(due), outcome -> null);
  }

  /** Whether the condition held before the time was over. */
  boolean await(Duration timeout, BooleanSupplier condition) {
    WorkflowThread me = stage.actor();
    if (condition.getAsBoolean()) return true;
    PendingOperation<Void> timer = timer("await", timeout);
    me.awaitCondition(() -> timer.done() || condition.getAsBoolean());
    // Both may have come about at once: what was waited for counts.
    boolean held = condition.getAsBoolean();
    if (!timer.done()) timer.cancelled(new CancelledException("The wait is over."));
    return held;
  }

  <T> PendingOperation<T> signal(String name, TypeRef<T> type) {
    WorkflowThread me = stage.actor();
    return open(
        me,
        me.names.next("signal:" + name),
        new OperationSpec.SignalWait(name, Optional.empty()),
        outcome -> signalValue(name, type, outcome).orElse(null));
  }

  <T> PendingOperation<Optional<T>> signal(String name, TypeRef<T> type, Duration timeout) {
    WorkflowThread me = stage.actor();
    // What is left of a time limit may be nothing, or less.
    Duration span = timeout.compareTo(WAIT_MIN) < 0 ? WAIT_MIN : timeout;
    return open(
        me,
        me.names.next("signal:" + name),
        new OperationSpec.SignalWait(name, Optional.of(span)),
        outcome -> signalValue(name, type, outcome));
  }

  private <T> Optional<T> signalValue(String name, TypeRef<T> type, Outcome outcome) {
    return switch (outcome) {
      case Outcome.Succeeded(Payload value) ->
          Optional.ofNullable(read(value, type, "the payload of signal " + name));
      case Outcome.TimedOut timedOut -> Optional.empty();
      case Outcome.Failed(Failure failure) ->
          throw new IllegalStateException("Signal " + name + " failed: " + failure);
      case Outcome.Cancelled(String reason) -> throw new CancelledException(reason);
      case Outcome.Terminated(String reason) -> throw new CancelledException(reason);
    };
  }

  // --- other workflows

  <T> ChildHandle<T> child(ChildCall<T> call) {
    WorkflowThread me = stage.actor();
    me.scope.throwIfCancelled();
    OperationId id = me.names.next(OperationIdSequence.keyed("child:" + call.type(), call.key()));
    WorkflowId child =
        call.id().isPresent() ? WorkflowId.of(call.id().get()) : ChildIds.of(stage.start(), id);
    Payload input =
        write(call.input().orElse(null), call.inputType(), "the input of child " + child);
    PendingChild<T> pending =
        new PendingChild<>(
            stage,
            id,
            me.scope,
            outcome -> childResult(child, call.result(), outcome),
            child,
            this);
    stage.schedule(
        pending,
        new OperationSpec.Child(
            child,
            call.type(),
            call.version(),
            input,
            call.onParentClose(),
            call.executionTimeout(),
            call.attributes(),
            call.policy()));
    return pending;
  }

  private <T> T childResult(WorkflowId child, TypeRef<T> type, Outcome outcome) {
    String what = "Child " + child;
    return switch (outcome) {
      case Outcome.Succeeded(Payload value) -> read(value, type, "the result of child " + child);
      case Outcome.Failed(Failure failure) -> throw new ChildFailedException(what, failure);
      case Outcome.Cancelled(String reason) ->
          throw new ChildFailedException(what, Failure.permanent(CANCELLED, reason));
      case Outcome.Terminated(String reason) ->
          throw new ChildFailedException(what, Failure.permanent(TERMINATED, reason));
      case Outcome.TimedOut(String why) ->
          throw new ChildFailedException(what, Failure.permanent(Failure.TIMEOUT, why));
    };
  }

  /** Of that type, or of the value's own class where nobody named one. */
  private Payload write(Object value, Optional<Type> type, String what) {
    return value == null
        ? Payload.NONE
        : stage.codec().write(value, type.orElse(value.getClass()), what);
  }

  /** Whom a signal is for: whatever has the id, or nobody but the child that was started. */
  record Target(WorkflowId id, Optional<OperationId> child) {
    static Target of(WorkflowId id) {
      return new Target(id, Optional.empty());
    }
  }

  void signalOther(Target target, String signal, Object payload) {
    signalOther(target, signal, payload, Optional.empty());
  }

  <T> void signalOther(Target target, SignalDefinition<T> signal, T payload) {
    signalOther(target, signal.name(), payload, Optional.of(signal.payload().type()));
  }

  private void signalOther(Target target, String signal, Object payload, Optional<Type> type) {
    Payload written = write(payload, type, "the payload of signal " + signal);
    var content = new OperationSpec.Content.Signal(signal, written, target.child());
    message(target.id(), "signal:" + signal, content).get();
  }

  PendingOperation<Void> message(WorkflowId target, String name, OperationSpec.Content content) {
    WorkflowThread me = stage.actor();
    return open(
        me,
        me.names.next("send:" + name),
        new OperationSpec.Message(target, content),
        outcome -> {
          if (outcome instanceof Outcome.Failed(Failure failure))
            throw new UndeliverableException("Workflow " + target, failure);
          return null;
        });
  }

  // --- the next run

  /**
   * Ends this run: throw what this returns.
   *
   * @param code what takes the input
   * @param only whether the input is of the type that this code declares; if not, another version
   *     may take it, and it may be of that version's
   */
  ContinueAsNewUnwind renew(WorkflowRegistration<?> code, Object input, boolean only) {
    WorkflowThread me = stage.actor();
    me.scope.throwIfCancelled();
    String own = stage.start().type().name();
    if (!code.type().name().equals(own))
      throw new IllegalArgumentException(
          "%s is the workflow \"%s\", and this one is \"%s\": it cannot continue as another."
              .formatted(code.workflow().getName(), code.type().name(), own));
    Optional<Type> declared = code.input().filter(type -> only || stage.codec().isOf(type, input));
    return stage.renew(me, write(input, declared, "the input of the next run"));
  }

  // --- many at once

  @SuppressWarnings("unchecked")
  private static <T> PendingResult<? extends T> slot(Handle<? extends T> handle) {
    if (handle instanceof PendingResult<?> slot) return (PendingResult<? extends T>) slot;
    throw new IllegalArgumentException("This handle is not one of this workflow's context.");
  }

  <T> List<T> all(List<? extends Handle<? extends T>> handles) {
    WorkflowThread me = stage.actor();
    List<PendingResult<? extends T>> slots = new ArrayList<>(handles.size());
    for (Handle<? extends T> handle : handles) slots.add(slot(handle));
    List<T> results = new ArrayList<>(slots.size());
    try {
      me.awaitAll(slots);
      for (PendingResult<? extends T> slot : slots) results.add(slot.result());
      return results;
    } catch (WorkflowThreadStopped end) {
      throw end;
    } catch (Throwable failed) {
      if (me.awaitCancelledBranches(slots, failed)) throw SneakyThrow.raise(failed);
      if (!slots.stream().allMatch(slot -> slot.done() && !slot.holdsSignal()))
        stage.play.stopAtBug(failed);
      for (PendingResult<? extends T> slot : slots)
        slot.giveUp(
            new CancelledException("Another one of these failed: " + ThrowableText.line(failed)));
      me.awaitEnds(slots);
      throw SneakyThrow.raise(failed);
    }
  }

  <T> Handle<? extends T> any(List<? extends Handle<? extends T>> handles) {
    WorkflowThread me = stage.actor();
    if (handles.isEmpty()) throw new IllegalArgumentException("There is nothing to wait for.");
    List<PendingResult<? extends T>> slots = new ArrayList<>(handles.size());
    for (Handle<? extends T> handle : handles) slots.add(slot(handle));
    PendingResult<? extends T> first = me.awaitAny(slots);
    first.noticed();
    return first;
  }

  // --- values

  <T> T value(String name, TypeRef<T> type, Supplier<T> made) {
    WorkflowThread me = stage.actor();
    OperationId id = me.names.next("value:" + name);
    String what = "the value " + id;
    return switch (stage.recordedValue(id)) {
      case Outcome.Succeeded(Payload recorded) -> {
        stage.wish(new Wish.Schedule(id, new OperationSpec.Value(recorded)));
        yield stage
            .program()
            .readOrStop(() -> read(stage.program().work().load(recorded), type, what));
      }
      case null -> {
        Payload written = stage.codec().writeKept(made.get(), type.type(), what);
        // Before it is recorded: what cannot be read must not become part of the run.
        T value = read(written, type, what);
        stage.wish(new Wish.Schedule(id, new OperationSpec.Value(written)));
        yield value;
      }
      default -> throw new IllegalStateException(what + " came out as no value can.");
    };
  }
}
