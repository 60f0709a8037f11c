package dev.tenure.persistence.retention;

import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import java.time.Instant;

/**
 * A closed workflow, as a removal sees it.
 *
 * @param type the name of its type
 * @param closedAt tells it from another workflow with the same id: a later start of the id closes
 *     later
 * @param number decides between those that closed at the same time
 */
public record ClosedWorkflow(
    WorkflowId id, String type, Status status, Instant closedAt, long number) {
  /** Where a walk goes on behind it. */
  public Removals.Place place() {
    return new Removals.Place(closedAt, number);
  }
}
