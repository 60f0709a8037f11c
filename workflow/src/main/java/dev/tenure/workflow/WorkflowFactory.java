package dev.tenure.workflow;

/**
 * Makes a workflow's object for one run, with whatever it needs injected: any container's lookup
 * fits. Called again after each replay, so an object is never shared between runs.
 */
@FunctionalInterface
public interface WorkflowFactory<W> {
  W create();
}
