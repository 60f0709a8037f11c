package dev.tenure.simulation;

import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.WorkflowState;
import java.util.List;

/** Told by the checker of each commit that stands. */
@FunctionalInterface
interface CommitObserver {
  CommitObserver NONE = (id, events, state) -> {};

  /**
   * @param state of the workflow after it
   */
  void committed(String id, List<Event> events, WorkflowState state);
}
