package dev.tenure.persistence.proof;

import dev.tenure.workflow.WorkflowId;
import java.util.Optional;

/** The heads of histories, as the store keeps them beside the journal. */
@FunctionalInterface
public interface Heads {
  /** Empty when the store has no row of the workflow. */
  Optional<RecordedHead> find(WorkflowId id);
}
