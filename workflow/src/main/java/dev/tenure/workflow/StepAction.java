package dev.tenure.workflow;

/** A piece of ordinary code without a result. */
@FunctionalInterface
public interface StepAction<X extends Exception> {
  void run() throws X;

  /** The same, as a step whose result is null. */
  default StepBody<Void, X> withoutResult() {
    return () -> {
      run();
      return null;
    };
  }
}
