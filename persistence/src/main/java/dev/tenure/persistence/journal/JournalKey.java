package dev.tenure.persistence.journal;

import dev.tenure.persistence.key.KeyText;
import dev.tenure.workflow.WorkflowId;

/** How the journal's key names a workflow: as its row does. */
public final class JournalKey {
  private JournalKey() {}

  public static String of(WorkflowId id) {
    return KeyText.column(id.value());
  }

  /**
   * The workflow whose rows have this key.
   *
   * @throws DamagedJournalError when no workflow has
   */
  public static WorkflowId workflow(String persistenceId) {
    try {
      return new WorkflowId(KeyText.ofColumn(persistenceId));
    } catch (RuntimeException e) {
      throw DamagedJournalError.foreignKey(persistenceId);
    }
  }
}
