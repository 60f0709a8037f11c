package dev.tenure.workflow;

/** Something of a workflow that goes on while its code does other things. */
public interface Handle<T> {
  /**
   * Waits for the result. When it failed, this throws what it failed with, each time it is asked.
   */
  T get();

  boolean isDone();

  /**
   * Cancels it, because the result is not wanted any more: the code that waits for it, and the code
   * within it, get a {@link CancelledException}.
   */
  void cancel(String reason);
}
