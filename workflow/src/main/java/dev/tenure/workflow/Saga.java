package dev.tenure.workflow;

/**
 * Collects what undoes what was done. When the saga's body throws, for whatever reason, the
 * compensations run in reverse order, each at most once, shielded from cancellation; one that fails
 * does not keep the others from running (I12).
 */
public interface Saga {

  /** To be undone by this from now on. Call it after what it undoes has succeeded. */
  <X extends Exception> void compensateWith(String name, StepAction<X> compensation);

  /** A step together with what undoes it; the compensation gets the step's result. */
  <T, X extends Exception> T step(String name, StepBody<T, X> body, Compensation<T> compensation)
      throws X;

  /** Compensates now, without an exception. */
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
