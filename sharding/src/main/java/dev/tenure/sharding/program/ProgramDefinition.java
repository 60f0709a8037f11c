package dev.tenure.sharding.program;

import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;

/** What runs of one type run: a Java class, or a document that was read. */
public interface ProgramDefinition {
  /**
   * A new run of it, which knows nothing yet.
   *
   * @param type what the run is pinned to; the definition may only be compatible with that
   */
  ProgramRun begin(WorkflowId id, WorkflowType type, ProgramReports reports);
}
