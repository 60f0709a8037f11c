package dev.tenure.simulation;

import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.audit.Violation;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts how often a workflow was taken up without a commit or a request: no loop runs without
 * progress.
 */
final class Rounds {
  /** The most take-ups of a workflow that gets no request and commits nothing. */
  private static final int MAX = 60;

  private final Map<String, Integer> rounds = new HashMap<>();

  /** The workflow has committed, or got a request. */
  void moves(String workflow) {
    rounds.remove(workflow);
  }

  void takenUp(WorkflowId id) {
    int times = rounds.merge(id.value(), 1, Integer::sum);
    Violation.require(
        times <= MAX, "I20", id + " was taken up " + times + " times, and nothing came of it");
  }
}
