package dev.tenure.sharding.context;

import dev.tenure.sharding.branch.BranchScheduler;
import dev.tenure.sharding.branch.OperationIdSequence;
import dev.tenure.sharding.branch.PendingStep;
import dev.tenure.sharding.branch.SneakyThrow;
import dev.tenure.sharding.branch.WorkflowThread;
import dev.tenure.sharding.branch.WorkflowThreadStopped;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.ActivityFailedException;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Saga;
import dev.tenure.workflow.StepAction;
import dev.tenure.workflow.StepBody;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.TypeRef;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** A saga: the steps that undo what it did, run in reverse order (I12). */
final class SagaRun implements Saga {
  static final String UNDO = "undo ";

  private record Undo(
      String name, StepOptions options, StepAction<?> action, OperationSpec.Undo recorded) {}

  private final BranchScheduler scheduler;
  private final Calls calls;
  private final String id;
  private final Deque<Undo> undos = new ArrayDeque<>(4);
  private int registered;

  /** Steps of the saga that run now, in any branch. Their undo is not registered yet. */
  private int underWay;

  private boolean compensates;
  private boolean over;

  private SagaRun(WorkflowThread me, Calls calls) {
    this.scheduler = me.scheduler;
    this.calls = calls;
    this.id = me.ids.saga();
  }

  static <T, X extends Exception> T run(WorkflowThread me, Calls calls, Body<T, X> body) throws X {
    SagaRun saga = new SagaRun(me, calls);
    try {
      T result = me.in(me.scope.within(), () -> body.run(saga));
      saga.awaitSteps(me);
      saga.over = true;
      return result;
    } catch (WorkflowThreadStopped end) {
      throw end;
    } catch (Throwable thrown) {
      // The mended code goes on from here: nothing is undone for a bug.
      me.scheduler.entryPoints.stopAtBug(thrown);
      saga.awaitSteps(me);
      saga.over = true;
      saga.undoAll(me, thrown);
      throw SneakyThrow.raise(thrown);
    }
  }

  private WorkflowThread actor() {
    WorkflowThread me = scheduler.actor();
    if (over)
      throw new IllegalStateException(
          "This saga is over: what is done now would never be undone. Start a saga of its own.");
    return me;
  }

  @Override
  public <X extends Exception> void compensateWith(
      String name, StepOptions options, StepAction<X> compensation) {
    actor();
    register(name, options, Optional.empty(), compensation);
  }

  @Override
  public <T, X extends Exception> T step(
      String name,
      StepOptions options,
      StepBody<T, X> body,
      StepOptions undoOptions,
      Compensation<T> undo)
      throws X {
    return step(name, Optional.empty(), options, body, undoOptions, undo, Optional.empty());
  }

  @Override
  public <T, X extends Exception> T step(
      String name,
      TypeRef<T> type,
      StepOptions options,
      StepBody<T, X> body,
      StepOptions undoOptions,
      Compensation<T> undo)
      throws X {
    return step(name, Optional.of(type), options, body, undoOptions, undo, Optional.empty());
  }

  @Override
  public <T, X extends Exception> T stepUndoneEvenIfFailed(
      String name,
      StepOptions options,
      StepBody<T, X> body,
      StepOptions undoOptions,
      Compensation<Optional<T>> undo)
      throws X {
    return step(
        name,
        Optional.empty(),
        options,
        body,
        undoOptions,
        result -> undo.undo(Optional.ofNullable(result)),
        Optional.of(() -> undo.undo(Optional.empty())));
  }

  private <T, X extends Exception> T step(
      String name,
      Optional<TypeRef<T>> type,
      StepOptions options,
      StepBody<T, X> body,
      StepOptions undoOptions,
      Compensation<T> undo,
      Optional<StepAction<?>> undoFailed)
      throws X {
    WorkflowThread me = actor();
    me.scope.throwIfCancelled();
    String undoName = UNDO + name;
    StepOptions keyed =
        undoOptions.key().isPresent()
            ? undoOptions
            : new StepOptions(options.key(), undoOptions.retry(), undoOptions.timeouts());
    requireName(undoName, keyed);
    OperationSpec.Step spec = OperationSpec.Step.ofSaga(options.retry(), options.timeouts(), id);
    underWay++;
    try {
      // Shielded: a cancellation in the middle would leave the step done and its undo not
      // registered.
      return me.in(
          me.scope.shielded(),
          () -> {
            PendingStep<T> step = calls.stepDone(me, name, type, options.key(), body, spec);
            try {
              T result = step.get();
              register(undoName, keyed, Optional.of(step.id), () -> undo.undo(result));
              return result;
            } catch (WorkflowThreadStopped end) {
              throw end;
            } catch (Throwable failed) {
              undoFailed.ifPresent(
                  action -> register(undoName, keyed, Optional.of(step.id), action));
              throw SneakyThrow.raise(failed);
            }
          });
    } finally {
      underWay--;
      scheduler.markConditionsDirty();
    }
  }

  @Override
  public <I, O> O activity(ActivityDefinition<I, O> definition, Optional<String> key, I input) {
    WorkflowThread me = actor();
    me.scope.throwIfCancelled();
    ActivityDefinition.Undo<I, O> undo =
        definition
            .undo()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "Activity %s has no compensation: say withCompensation, or call it outside of the saga."
                            .formatted(definition.name())));
    String undoName = UNDO + definition.name();
    StepOptions options = key.map(COMPENSATION::withKey).orElse(COMPENSATION);
    requireName(undoName, options);
    underWay++;
    try {
      return me.in(
          me.scope.shielded(),
          () -> {
            try {
              O result = calls.activity(definition, key, input).get();
              register(
                  undoName,
                  options,
                  Optional.empty(),
                  () -> undo.undo(input, Optional.ofNullable(result)));
              return result;
            } catch (WorkflowThreadStopped end) {
              throw end;
            } catch (Throwable failed) {
              if (!hadNoEffect(failed))
                register(
                    undoName, options, Optional.empty(), () -> undo.undo(input, Optional.empty()));
              throw SneakyThrow.raise(failed);
            }
          });
    } finally {
      underWay--;
      scheduler.markConditionsDirty();
    }
  }

  private static boolean hadNoEffect(Throwable failed) {
    return failed instanceof ActivityFailedException activity
        && activity.failure().outside() == Failure.OutsideEffect.NONE;
  }

  /** Checked before the step runs: after it, the name is needed to undo it. */
  private static void requireName(String name, StepOptions options) {
    OperationId.of(
        "", options.key().map(key -> OperationIdSequence.keyed(name, key)).orElse(name), 1);
  }

  private void register(
      String name, StepOptions options, Optional<OperationId> step, StepAction<?> action) {
    requireName(name, options);
    // An undo that fails for good is an incident under every policy: no caller would learn of the
    // // failure otherwise.
    StepOptions lasting = options.withRetry(options.retry().thenIncident());
    undos.push(new Undo(name, lasting, action, new OperationSpec.Undo(id, ++registered, step)));
  }

  @Override
  public void compensate() {
    WorkflowThread me = actor();
    awaitSteps(me);
    Throwable failed = undoAll(me, null);
    if (failed != null) throw SneakyThrow.raise(failed);
  }

  private Void undo(WorkflowThread me, Undo one) {
    StepOptions options = one.options;
    StepBody<Void, ?> body =
        () -> {
          one.action.run();
          return null;
        };
    OperationSpec.Step spec =
        OperationSpec.Step.compensation(options.retry(), options.timeouts(), one.recorded);
    return calls.stepDone(me, one.name, Optional.empty(), options.key(), body, spec).get();
  }

  private void awaitSteps(WorkflowThread me) {
    if (underWay > 0 || compensates) me.awaitOnly(() -> underWay == 0 && !compensates);
  }

  /** Runs all undos. One that fails is added to {@code noteIn}, and the others run all the same. */
  private Throwable undoAll(WorkflowThread me, Throwable noteIn) {
    if (undos.isEmpty()) return noteIn;
    compensates = true;
    Throwable first = noteIn;
    try {
      // Removed before it runs, so that each is asked for at most once.
      for (Undo undo = undos.poll(); undo != null; undo = undos.poll()) {
        Undo one = undo;
        try {
          me.in(me.scope.shielded(), () -> undo(me, one));
        } catch (WorkflowThreadStopped end) {
          throw end;
        } catch (Throwable failed) {
          if (first == null) first = failed;
          else if (first != failed) first.addSuppressed(failed);
        }
      }
      return first;
    } finally {
      compensates = false;
      scheduler.markConditionsDirty();
    }
  }
}
