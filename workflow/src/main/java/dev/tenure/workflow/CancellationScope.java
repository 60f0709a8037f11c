package dev.tenure.workflow;

/** A part of a workflow that can be cancelled by itself. */
public interface CancellationScope {
  /** All code that waits within the scope gets a {@link CancelledException}. */
  void cancel(String reason);

  boolean isCancelled();

  /** What runs in a scope. */
  @FunctionalInterface
  interface Body<T, X extends Exception> {
    T run(CancellationScope scope) throws X;
  }
}
