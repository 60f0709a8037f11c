package dev.tenure.workflow;

/** A piece of ordinary code with a result. It may call out, fail, and run again after a crash. */
@FunctionalInterface
public interface StepBody<T, X extends Exception> {
  T run() throws X;
}
