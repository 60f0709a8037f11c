package dev.tenure.persistence.incident;

import dev.tenure.persistence.visibility.Page;
import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.workflow.WorkflowId;
import java.util.Optional;

/** The incidents there are, as commits left them. */
public interface Incidents {
  Optional<IncidentRow> find(WorkflowId id);

  /**
   * Those that match, the newest first. An incident that stays open is on exactly one page, also
   * when others are raised or resolved between two pages.
   */
  Page<IncidentRow> list(IncidentFilter filter, PageRequest page);

  /** Those that match by their cause, in the order of their fingerprints. */
  Page<IncidentGroup> groups(IncidentFilter filter, PageRequest page);
}
