package dev.tenure.workflow;

/** A piece of ordinary code without a result. */
@FunctionalInterface
public interface StepAction<X extends Exception> {
  void run() throws X;
}
