package dev.tenure.persistence.postgres;

import dev.tenure.persistence.key.KeyText;
import dev.tenure.workflow.WorkflowId;
import java.util.List;

/** The change of {@code recovery} in a commit. */
final class RecoveryWrites {
  static final SideStatement PROGRESSED =
      new SideStatement(
          "recovery-progressed",
          "DELETE FROM recovery WHERE workflow_id = ANY (?::text[])",
          List.of("text"));

  private RecoveryWrites() {}

  static SideValues progressed(WorkflowId id) {
    return SideValues.of(PROGRESSED, KeyText.column(id.value()));
  }
}
