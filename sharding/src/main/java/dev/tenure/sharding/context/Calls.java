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
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.OperationTimedOutException;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.StepBody;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.TypeRef;
import dev.tenure.workflow.WorkflowRegistration;
import dev.tenure.workflow.kernel.Wish;
import dev.tenure.workflow.operation.Due;
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

/** Turns calls of the context into operations, and their outcomes into values. */
final class Calls {
  /** The shortest wait for a signal: long enough to see one that is there already. */
  private static final Duration WAIT_MIN = Duration.ofMillis(1);

  private final BranchScheduler scheduler;

  Calls(BranchScheduler scheduler) {
    this.scheduler = scheduler;
  }

  <T> PendingOperation<T> open(
      WorkflowThread me, OperationId id, OperationSpec spec, OutcomeReader<T> reading) {
    me.scope.throwIfCancelled();
    PendingOperation<T> pending = new PendingOperation<>(scheduler, id, me.scope, reading);
    scheduler.schedule(pending, spec);
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
    OperationId id = me.ids.next(OperationIdSequence.keyed(name, key));
    PendingStep<T> pending =
        new PendingStep<>(
            scheduler,
            id,
            me.scope,
            outcome -> stepResult(id, type, outcome),
            new PendingStep.Code<>(name, key, body, type));
    scheduler.schedule(pending, spec);
    return pending;
  }

  /** A step whose result is known already. */
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
    return stepDone(scheduler.actor(), name, type, options.key(), body, spec(options)).get();
  }

  @SuppressWarnings("unchecked")
  private <T> T stepResult(OperationId id, Optional<TypeRef<T>> type, Outcome outcome)
      throws Throwable {
    String what = "the result of step " + id;
    return switch (outcome) {
      // The value is read from the recorded bytes, as every replay reads it. It is never the object
      // that the step returned.
      case Outcome.Succeeded(Payload value) ->
          (T)
              (type.isPresent()
                  ? scheduler.codec().read(value, type.get().type(), what)
                  : scheduler.codec().readNamed(value, what));
      case Outcome.Failed(Failure failure) ->
          throw Failures.asRecorded(failure, "Step " + id, scheduler.program().loader());
      case Outcome.TimedOut(String why) ->
          throw new OperationTimedOutException("Step " + id + ": " + why);
      case Outcome.Cancelled(String reason) -> throw new CancelledException(reason);
      case Outcome.Terminated(String reason) -> throw new CancelledException(reason);
    };
  }

  <I, O> PendingOperation<O> activity(
      ActivityDefinition<I, O> definition, Optional<String> key, I input) {
    WorkflowThread me = scheduler.actor();
    OperationId id = me.ids.next(OperationIdSequence.keyed(definition.name(), key));
    Payload written =
        scheduler
            .codec()
            .writeKept(input, definition.input().type(), "the input of activity " + id);
    return open(
        me,
        id,
        new OperationSpec.Activity(
            definition.name(),
            written,
            definition.retry(),
            definition.timeouts(),
            ActivityCalls.call(definition, input)),
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
  <T> T read(Payload value, TypeRef<T> type, String what) {
    return (T) scheduler.codec().read(value, type.type(), what);
  }

  // --- time and signals

  /** Fires at once when the span is negative: the rest of a time limit may be. */
  PendingOperation<Void> timer(String name, Duration span) {
    return timer(name, new Due.After(span.isNegative() ? Duration.ZERO : span));
  }

  PendingOperation<Void> timer(String name, Due due) {
    WorkflowThread me = scheduler.actor();
    return open(me, me.ids.next(name), new OperationSpec.Timer(due), outcome -> null);
  }

  /** Whether the condition held before the time was over. */
  boolean await(Duration timeout, BooleanSupplier condition) {
    WorkflowThread me = scheduler.actor();
    if (condition.getAsBoolean()) return true;
    PendingOperation<Void> timer = timer("await", timeout);
    me.awaitCondition(() -> timer.done() || condition.getAsBoolean());
    // The timer and the condition may have come together: then the condition counts.
    boolean held = condition.getAsBoolean();
    if (!timer.done()) timer.cancelled(new CancelledException("The wait is over."));
    return held;
  }

  <T> PendingOperation<T> signal(String name, TypeRef<T> type) {
    WorkflowThread me = scheduler.actor();
    return open(
        me,
        me.ids.next("signal:" + name),
        new OperationSpec.SignalWait(name, Optional.empty()),
        outcome -> signalValue(name, type, outcome).orElse(null));
  }

  <T> PendingOperation<Optional<T>> signal(String name, TypeRef<T> type, Duration timeout) {
    WorkflowThread me = scheduler.actor();
    // The rest of a time limit may be nothing, or less.
    Duration span = timeout.compareTo(WAIT_MIN) < 0 ? WAIT_MIN : timeout;
    return open(
        me,
        me.ids.next("signal:" + name),
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

  /** Writes the value as that type, or as its own class where the caller named none. */
  Payload write(Object value, Optional<Type> type, String what) {
    return value == null
        ? Payload.NONE
        : scheduler.codec().write(value, type.orElse(value.getClass()), what);
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
    WorkflowThread me = scheduler.actor();
    me.scope.throwIfCancelled();
    String own = scheduler.start().type().name();
    if (!code.type().name().equals(own))
      throw new IllegalArgumentException(
          "%s is the workflow \"%s\", and this one is \"%s\": it cannot continue as another."
              .formatted(code.workflow().getName(), code.type().name(), own));
    Optional<Type> declared =
        code.input().filter(type -> only || scheduler.codec().isOf(type, input));
    return scheduler.renew(me, write(input, declared, "the input of the next run"));
  }

  // --- many at once

  @SuppressWarnings("unchecked")
  private static <T> PendingResult<? extends T> awaited(Handle<? extends T> handle) {
    if (handle instanceof PendingResult<?> awaited) return (PendingResult<? extends T>) awaited;
    throw new IllegalArgumentException("This handle is not one of this workflow's context.");
  }

  <T> List<T> all(List<? extends Handle<? extends T>> handles) {
    WorkflowThread me = scheduler.actor();
    List<PendingResult<? extends T>> all = new ArrayList<>(handles.size());
    for (Handle<? extends T> handle : handles) all.add(awaited(handle));
    List<T> results = new ArrayList<>(all.size());
    try {
      me.awaitAll(all);
      for (PendingResult<? extends T> awaited : all) results.add(awaited.result());
      return results;
    } catch (WorkflowThreadStopped end) {
      throw end;
    } catch (Throwable failed) {
      if (me.awaitCancelledBranches(all, failed)) throw SneakyThrow.raise(failed);
      if (!all.stream().allMatch(awaited -> awaited.done() && !awaited.holdsSignal()))
        scheduler.entryPoints.stopAtBug(failed);
      for (PendingResult<? extends T> awaited : all)
        awaited.giveUp(
            new CancelledException("Another one of these failed: " + ThrowableText.line(failed)));
      me.awaitEnds(all);
      throw SneakyThrow.raise(failed);
    }
  }

  <T> Handle<? extends T> any(List<? extends Handle<? extends T>> handles) {
    WorkflowThread me = scheduler.actor();
    if (handles.isEmpty()) throw new IllegalArgumentException("There is nothing to wait for.");
    List<PendingResult<? extends T>> all = new ArrayList<>(handles.size());
    for (Handle<? extends T> handle : handles) all.add(awaited(handle));
    PendingResult<? extends T> first = me.awaitAny(all);
    first.noticed();
    return first;
  }

  // --- values

  <T> T value(String name, TypeRef<T> type, Supplier<T> made) {
    WorkflowThread me = scheduler.actor();
    OperationId id = me.ids.next("value:" + name);
    String what = "the value " + id;
    return switch (scheduler.recordedValue(id)) {
      case Outcome.Succeeded(Payload recorded) -> {
        scheduler.wish(new Wish.Schedule(id, new OperationSpec.Value(recorded)));
        yield scheduler
            .program()
            .readOrStop(() -> read(scheduler.program().work().load(recorded), type, what));
      }
      case null -> {
        Payload written = scheduler.codec().writeKept(made.get(), type.type(), what);
        // The value is read back before it is recorded: a value that cannot be read must not become
        // part of the run.
        T value = read(written, type, what);
        scheduler.wish(new Wish.Schedule(id, new OperationSpec.Value(written)));
        yield value;
      }
      case Outcome.Failed _, Outcome.Cancelled _, Outcome.Terminated _, Outcome.TimedOut _ ->
          throw new IllegalStateException(what + " is recorded with an outcome that no value has.");
    };
  }
}
