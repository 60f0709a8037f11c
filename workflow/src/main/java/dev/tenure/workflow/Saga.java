package dev.tenure.workflow;

import java.util.Optional;

/**
 * Collects what undoes what was done. When the saga's body throws, the saga waits until its
 * branches and its steps are over. Then the compensations run, one after the other, in the reverse
 * order of the completion of what they undo (I12).
 *
 * <p>A compensation is one step of the history. It is shielded from cancellation, and its body runs
 * at least once, like that of any step: it has to bear a repetition. When its retry policy gives
 * up, or says that a failure is final, the workflow stands still as an incident until a person has
 * it tried again: no compensation is skipped. One that is allowed to fail catches what it throws.
 */
public interface Saga {
  /**
   * How a compensation is run when nothing else is said: ten attempts within some nine minutes,
   * which is less than the ten minutes that a workflow has after its execution timeout. Then it is
   * an incident.
   */
  StepOptions COMPENSATION = StepOptions.retry(RetryPolicy.COMPENSATION);

  /** To be undone by this from now on. Call it after what it undoes has succeeded. */
  default <X extends Exception> void compensateWith(String name, StepAction<X> compensation) {
    compensateWith(name, COMPENSATION, compensation);
  }

  /**
   * As {@link #compensateWith(String, StepAction)}, with options of its own. A compensation that
   * gives up is an incident under every retry policy.
   */
  <X extends Exception> void compensateWith(
      String name, StepOptions options, StepAction<X> compensation);

  /**
   * A step together with what undoes it; the compensation gets the step's result. A cancellation
   * waits until the step is over, and then it has been registered. In a scope that is cancelled
   * already, this throws {@link CancelledException} and starts nothing.
   */
  default <T, X extends Exception> T step(
      String name, StepBody<T, X> body, Compensation<T> compensation) throws X {
    return step(name, StepOptions.DEFAULT, body, compensation);
  }

  default <T, X extends Exception> T step(
      String name, StepOptions options, StepBody<T, X> body, Compensation<T> compensation)
      throws X {
    return step(name, options, body, COMPENSATION, compensation);
  }

  /** As {@link #step(String, StepBody, Compensation)}, with options for both. */
  <T, X extends Exception> T step(
      String name,
      StepOptions options,
      StepBody<T, X> body,
      StepOptions compensationOptions,
      Compensation<T> compensation)
      throws X;

  /** For a result of a generic type. */
  <T, X extends Exception> T step(
      String name,
      TypeRef<T> type,
      StepOptions options,
      StepBody<T, X> body,
      StepOptions compensationOptions,
      Compensation<T> compensation)
      throws X;

  /**
   * A step that is undone even when it failed or timed out, because it may have had its effect all
   * the same: the money may be taken, and the answer lost. The compensation gets the step's result,
   * or nothing when the step failed, when its outcome is unknown, or when it returned null.
   */
  default <T, X extends Exception> T stepUndoneEvenIfFailed(
      String name, StepBody<T, X> body, Compensation<Optional<T>> compensation) throws X {
    return stepUndoneEvenIfFailed(name, StepOptions.DEFAULT, body, compensation);
  }

  default <T, X extends Exception> T stepUndoneEvenIfFailed(
      String name, StepOptions options, StepBody<T, X> body, Compensation<Optional<T>> compensation)
      throws X {
    return stepUndoneEvenIfFailed(name, options, body, COMPENSATION, compensation);
  }

  <T, X extends Exception> T stepUndoneEvenIfFailed(
      String name,
      StepOptions options,
      StepBody<T, X> body,
      StepOptions compensationOptions,
      Compensation<Optional<T>> compensation)
      throws X;

  /**
   * An activity together with what undoes it, see {@link ActivityDefinition#withCompensation}. It
   * is undone when it succeeded, and when it failed or timed out and may have had its effect all
   * the same. A cancellation waits until the activity is over, as it does for a step.
   */
  default <I, O> O activity(ActivityDefinition<I, O> definition, I input) {
    return activity(definition, Optional.empty(), input);
  }

  /**
   * @param key tells the calls of a loop apart
   */
  <I, O> O activity(ActivityDefinition<I, O> definition, Optional<String> key, I input);

  /**
   * Compensates now, without an exception: waits for the saga's steps that are under way, and
   * undoes all that was registered until then.
   */
  void compensate();

  /** What undoes a step, given what the step returned. */
  @FunctionalInterface
  interface Compensation<T> {
    void undo(T result) throws Exception;
  }

  /** What runs as a saga. */
  @FunctionalInterface
  interface Body<T, X extends Exception> {
    T run(Saga saga) throws X;
  }
}
