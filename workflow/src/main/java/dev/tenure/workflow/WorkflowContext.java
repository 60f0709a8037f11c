package dev.tenure.workflow;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * All that a workflow's code may depend on besides its input. What the context returns is recorded
 * and is the same again whenever the code is replayed; everything else belongs into a step.
 *
 * <p>Only the code that the engine calls may use it, on the thread the engine calls it on: a thread
 * of its own gets a {@link WrongThreadException}.
 */
// A reference to a run method fits one of the overloads: it returns something or it does not.
@SuppressWarnings("overloads")
public interface WorkflowContext extends WorkflowChildren, WorkflowHandlers {
  WorkflowInfo info();

  /**
   * The trace that the workflow belongs to: what its start came with, or its parent's. To be handed
   * on to what steps call, so unlike all else here it may be asked for inside a step, and on any
   * thread.
   */
  Optional<Trace> trace();

  // --- steps and activities

  /**
   * Runs a piece of ordinary code and records its result: it is run again after a crash or a
   * failure, and never once its result is recorded. When all attempts fail, this throws what the
   * last one threw.
   *
   * <p>The result's own class is recorded with it. For a generic type give a {@link TypeRef}.
   */
  default <T, X extends Exception> T step(String name, StepBody<T, X> body) throws X {
    return step(name, StepOptions.DEFAULT, body);
  }

  default <X extends Exception> void step(String name, StepAction<X> action) throws X {
    step(name, StepOptions.DEFAULT, action);
  }

  <T, X extends Exception> T step(String name, StepOptions options, StepBody<T, X> body) throws X;

  default <X extends Exception> void step(String name, StepOptions options, StepAction<X> action)
      throws X {
    this.<Void, X>step(name, options, action.withoutResult());
  }

  default <T, X extends Exception> T step(String name, TypeRef<T> type, StepBody<T, X> body)
      throws X {
    return step(name, type, StepOptions.DEFAULT, body);
  }

  <T, X extends Exception> T step(
      String name, TypeRef<T> type, StepOptions options, StepBody<T, X> body) throws X;

  /**
   * The key by which other systems recognise a step or an activity: {@code
   * tenure:{workflowId}:{runId}:{operationId}}. The key is the same over all attempts, owners and
   * crashes of one operation, and another one in every run, fork and reuse of an id.
   *
   * <p>Inside a step, on the step's own thread, this is the key of that step; the name must be its
   * name. Outside, it is the key of the next operation of that name in this branch:
   *
   * <pre>{@code
   * ctx.step("charge", () -> bank.charge(ctx.idempotencyKey("charge"), amount));
   * }</pre>
   *
   * <p>A step with an item key, or in a branch or scope of its own, is another operation. So it is
   * refused to ask for the same key again when other operations came in between and this one did
   * not: a loop would give all items one key.
   *
   * @throws IllegalStateException when the same key was asked for before, and other operations have
   *     begun since
   */
  String idempotencyKey(String name);

  /** As {@link #idempotencyKey(String)}, of an operation with an item key. */
  String idempotencyKey(String name, String key);

  /** A step that runs while the code does other things. */
  default <T, X extends Exception> Handle<T> stepAsync(String name, StepBody<T, X> body) {
    return stepAsync(name, StepOptions.DEFAULT, body);
  }

  default <X extends Exception> Handle<Void> stepAsync(String name, StepAction<X> action) {
    return stepAsync(name, StepOptions.DEFAULT, action);
  }

  default <X extends Exception> Handle<Void> stepAsync(
      String name, StepOptions options, StepAction<X> action) {
    return this.<Void, X>stepAsync(name, options, action.withoutResult());
  }

  default <T, X extends Exception> Handle<T> stepAsync(
      String name, TypeRef<T> type, StepBody<T, X> body) {
    return stepAsync(name, type, StepOptions.DEFAULT, body);
  }

  <T, X extends Exception> Handle<T> stepAsync(
      String name, StepOptions options, StepBody<T, X> body);

  <T, X extends Exception> Handle<T> stepAsync(
      String name, TypeRef<T> type, StepOptions options, StepBody<T, X> body);

  /** Runs registered code. When all attempts fail, this throws {@link ActivityFailedException}. */
  <I, O> O activity(ActivityDefinition<I, O> definition, I input);

  /**
   * As {@link #activity(ActivityDefinition, Object)}, with a key that tells the rounds of a loop
   * apart, in any order: the item's own id, for example.
   */
  <I, O> O activity(ActivityDefinition<I, O> definition, String key, I input);

  <I, O> Handle<O> activityAsync(ActivityDefinition<I, O> definition, I input);

  <I, O> Handle<O> activityAsync(ActivityDefinition<I, O> definition, String key, I input);

  // --- time

  /** The workflow's own time: when what it reacts to was committed. */
  Instant now();

  /** Waits, for seconds or for years; a workflow that sleeps costs a row and no memory. */
  void sleep(Duration span);

  void sleepUntil(Instant instant);

  /** A timer that runs while the code does other things. */
  Handle<Void> timer(String name, Duration span);

  /** Waits until the condition holds; asked again whenever something of the workflow changed. */
  void await(BooleanSupplier condition);

  /** Says whether the condition held before the time was over. */
  boolean await(Duration timeout, BooleanSupplier condition);

  // --- signals

  /** Waits for the oldest signal of that name that was not received yet. */
  default <T> T awaitSignal(String name, Class<T> type) {
    return awaitSignal(name, TypeRef.of(type));
  }

  <T> T awaitSignal(String name, TypeRef<T> type);

  default <T> T awaitSignal(SignalDefinition<T> signal) {
    return awaitSignal(signal.name(), signal.payload());
  }

  /** Empty when none came in time. */
  default <T> Optional<T> awaitSignal(String name, Class<T> type, Duration timeout) {
    return awaitSignal(name, TypeRef.of(type), timeout);
  }

  <T> Optional<T> awaitSignal(String name, TypeRef<T> type, Duration timeout);

  default <T> Optional<T> awaitSignal(SignalDefinition<T> signal, Duration timeout) {
    return awaitSignal(signal.name(), signal.payload(), timeout);
  }

  default <T> SignalChannel<T> signals(String name, Class<T> type) {
    return signals(name, TypeRef.of(type));
  }

  <T> SignalChannel<T> signals(String name, TypeRef<T> type);

  default <T> SignalChannel<T> signals(SignalDefinition<T> signal) {
    return signals(signal.name(), signal.payload());
  }

  // --- branches

  /**
   * Starts a branch of this workflow's code. Branches run one at a time, and in an order that
   * depends on the history alone; operations within it are named within it.
   *
   * <p>A branch belongs to the block of code that started it: a scope, a saga, another branch, a
   * handler, or the workflow's own method. The block is over when its branches are. A branch that
   * still runs when the code of the block has come to its end is cancelled and waited for; {@link
   * #shielded} code waits for its branches without cancelling them.
   */
  <T, X extends Exception> Handle<T> async(String name, Branch<T, X> branch);

  /** As {@link #async(String, Branch)}, with a key that tells the rounds of a loop apart. */
  <T, X extends Exception> Handle<T> async(String name, String key, Branch<T, X> branch);

  /**
   * Waits for all, and returns their results in the order given. As soon as one fails, the others
   * are cancelled; once they have come to their end, this throws what the first failed with.
   */
  <T> List<T> all(List<? extends Handle<? extends T>> handles);

  /** Waits for the first that is done; the others go on. */
  <T> Handle<? extends T> any(List<? extends Handle<? extends T>> handles);

  /**
   * Runs the body for each item, in a branch of its own that the item's key names, and returns the
   * results in the order of the items. At most {@code limit} branches exist at a time. As soon as
   * one fails, no other begins, those in work are cancelled, and once they have come to their end
   * this throws what the first failed with.
   *
   * @param key another one for each item, and the same in every replay
   */
  <I, O, X extends Exception> List<O> forEach(
      Collection<? extends I> items,
      int limit,
      Function<? super I, String> key,
      ItemBody<? super I, ? extends O, X> body)
      throws X;

  // --- cancellation and compensation

  /** Whether this workflow was asked to cancel. */
  boolean isCancelRequested();

  /**
   * Runs the body in a scope that can be cancelled by itself. It is over when the branches that it
   * started are.
   */
  <T, X extends Exception> T scope(String name, CancellationScope.Body<T, X> body) throws X;

  /** Runs the body and its branches to their end, even if code is cancelled or ends around them. */
  <T, X extends Exception> T shielded(Branch<T, X> body) throws X;

  default <X extends Exception> void shielded(StepAction<X> body) throws X {
    shielded(
        () -> {
          body.run();
          return null;
        });
  }

  /** Runs the body, and undoes what it did when it throws. */
  <T, X extends Exception> T saga(Saga.Body<T, X> body) throws X;

  // --- a run's length and its code's changes

  /**
   * Ends this run and starts the next one, of the same id and with an empty history, in one commit:
   * {@code return ctx.continueAsNew(state)}. Signals that were not received wait for the next run,
   * attributes stay, the parent goes on waiting. Branches and update handlers that still run are
   * cancelled and waited for first; a cancellation of the workflow that comes meanwhile is thrown
   * here. Operations that are open then are given up, and children that this run does not wait for
   * any more follow their {@link ParentClosePolicy}. The next run is one of the newest version of
   * the code. Never returns.
   *
   * <p>The input is written as run declares it, unless it is of another type: then as its own
   * class, for a newer version that takes such.
   */
  <T> T continueAsNew(Object input);

  /**
   * As {@link #continueAsNew(Object)}, checked by the compiler and written as run declares it:
   * {@code return ctx.continueAsNew(Subscription::run, state)}. The reference names this very
   * workflow, in this or in another version of its code; the next run is one of the newest version
   * all the same, which has to take the input.
   */
  default <W, I, T> T continueAsNew(RunMethod.WithInput<W, I, T> run, I input) {
    return continueAsNew((RunMethod) run, input);
  }

  default <W, I> void continueAsNew(RunMethod.WithInputOnly<W, I> run, I input) {
    continueAsNew((RunMethod) run, input);
  }

  /** The common form of the two others, without types: the compiler checks nothing here. */
  <T> T continueAsNew(RunMethod run, Object input);

  /**
   * Whether this run has a change of its code: true for runs that come here for the first time,
   * false for those that came past here before the change was made. Decided where the run asks
   * first, and then the same for all of the run.
   *
   * <pre>{@code
   * if (ctx.changed("check stock first")) ctx.step("check stock", this::checkStock);
   * }</pre>
   */
  boolean changed(String changeId);

  // --- chance and recorded values

  /** Random numbers that are the same in every replay. */
  RandomGenerator random();

  UUID uuid();

  /** A value that is cheap to make and different each time: recorded without a step of its own. */
  default <T> T record(String name, Class<T> type, Supplier<T> value) {
    return record(name, TypeRef.of(type), value);
  }

  <T> T record(String name, TypeRef<T> type, Supplier<T> value);

  // --- what others see and ask

  /** Sets what the workflow can be found by; a value of null takes the attribute away. */
  void attributes(Map<String, ?> changes);

  default void attribute(String name, Object value) {
    java.util.HashMap<String, Object> one = new java.util.HashMap<>();
    one.put(name, value);
    attributes(one);
  }

  /**
   * Logs under the name of the workflow's class, and not in replays: a line is written when the
   * code first comes by. Inside steps it can be used as anywhere. Lines carry {@code workflow_id}
   * and {@code run_id}, as those of any other logger do on the threads of a workflow, its steps and
   * its activities.
   */
  System.Logger logger();

  /** Whether the code is being replayed. */
  boolean isReplaying();
}
