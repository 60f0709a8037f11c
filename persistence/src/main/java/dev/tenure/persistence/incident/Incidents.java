package dev.tenure.persistence.incident;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.visibility.Page;
import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.workflow.WorkflowId;
import java.util.Optional;

/** The incidents there are, as {@link IncidentWrites} left them. */
public interface Incidents {
  Optional<IncidentRow> find(WorkflowId id);

  /**
   * Those that match, the newest first. One that stays stands on exactly one page, whatever is
   * raised or resolved between two pages.
   */
  Page<IncidentRow> list(IncidentFilter filter, PageRequest page);

  /** Those that match by their cause, in the order of their fingerprints. */
  Page<IncidentGroup> groups(IncidentFilter filter, PageRequest page);

  /**
   * Raises one for a workflow whose history cannot be read, so that no commit of it can: its row
   * says so from now on, and nothing wakes it. False when the fence does not hold (I16) or the
   * workflow is closed (I4); then nothing was written.
   */
  boolean raiseWithoutHistory(IncidentRow row, Fence fence);
}
