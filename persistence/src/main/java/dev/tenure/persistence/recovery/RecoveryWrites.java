package dev.tenure.persistence.recovery;

import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.commit.SideWrite;
import dev.tenure.persistence.key.KeyText;
import dev.tenure.workflow.WorkflowId;
import java.util.List;

/** The change of {@code recovery} that rides in a commit. */
public final class RecoveryWrites {
  static final SideWrite PROGRESSED =
      new SideWrite(
          "recovery-progressed",
          "DELETE FROM recovery WHERE workflow_id = ANY (?::text[])",
          List.of("text"));

  private RecoveryWrites() {}

  /** It went on after all, or a person decides about it from here on: nothing counts any more. */
  public static SideRow progressed(WorkflowId id) {
    return SideRow.of(PROGRESSED, KeyText.column(id.value()));
  }
}
