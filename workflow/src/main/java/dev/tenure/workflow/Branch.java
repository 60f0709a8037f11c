package dev.tenure.workflow;

/**
 * A part of a workflow's own code, as deterministic as the rest of it: it uses the context for all
 * that is not.
 */
@FunctionalInterface
public interface Branch<T, X extends Exception> {
  T run() throws X;
}
