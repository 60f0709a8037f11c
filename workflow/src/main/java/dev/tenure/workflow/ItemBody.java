package dev.tenure.workflow;

/** What {@link WorkflowContext#forEach} runs for each item: a part of the workflow's own code. */
@FunctionalInterface
public interface ItemBody<I, O, X extends Exception> {
  O run(I item) throws X;
}
