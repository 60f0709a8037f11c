package dev.tenure.testkit;

/** A step that is about to run, as its fake sees it. */
public interface StepCall {
  String workflowId();

  /** As the workflow's code names it. */
  String name();

  /** Counts from 1. */
  int attempt();

  /** Runs what the workflow's code says. */
  Object genuine() throws Exception;
}
