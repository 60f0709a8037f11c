package dev.tenure.simulation;

import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.audit.Violation;
import java.util.HashMap;
import java.util.Map;

/** How often a workflow was taken up without anything that came of it: no loop has no progress. */
final class Rounds {
  /** The most, of a workflow that nobody asks anything and that commits nothing. */
  private static final int MAX = 60;

  private final Map<String, Integer> rounds = new HashMap<>();

  /** Something was committed, or somebody asked. */
  void moves(String workflow) {
    rounds.remove(workflow);
  }

  void takenUp(WorkflowId id) {
    int times = rounds.merge(id.value(), 1, Integer::sum);
    Violation.require(
        times <= MAX, "I20", id + " was taken up " + times + " times, and nothing came of it");
  }
}
