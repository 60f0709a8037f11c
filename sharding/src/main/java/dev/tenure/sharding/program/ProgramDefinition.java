package dev.tenure.sharding.program;

import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;

/** The program of one workflow type: a Java class, or a document that was read. */
public interface ProgramDefinition {
  /**
   * Makes a new run of it, which knows nothing yet.
   *
   * @param type the type that the run is pinned to; the definition may only be compatible with that
   *     type
   */
  ProgramRun begin(WorkflowId id, WorkflowType type, ProgramReports reports);
}
