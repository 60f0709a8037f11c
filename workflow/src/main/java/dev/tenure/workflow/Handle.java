package dev.tenure.workflow;

/** Something of a workflow that goes on while its code does other things. */
public interface Handle<T> {
  /**
   * Waits for the result. When it failed, this throws what it failed with, each time it is asked.
   */
  T get();

  boolean isDone();

  /**
   * Nobody wants it any more: whoever waits for it, and the code within it, see a {@link
   * CancelledException}.
   */
  void cancel(String reason);
}
