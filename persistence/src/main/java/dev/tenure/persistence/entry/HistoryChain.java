package dev.tenure.persistence.entry;

import dev.tenure.workflow.WorkflowId;

/**
 * Compares the commits of one workflow with one another while a reader goes through them in order.
 * The reader may begin at any version.
 */
public final class HistoryChain {
  private final WorkflowId id;

  /** Null before the first one. */
  private JournalEntry last;

  public HistoryChain(WorkflowId id) {
    this.id = id;
  }

  /**
   * Returns the commit.
   *
   * @throws BrokenChainError when it does not follow the one before
   * @throws SealedHistoryError when it seals the history
   * @throws dev.tenure.persistence.journal.DamagedJournalError when it is of another workflow
   */
  public JournalEntry next(JournalEntry entry) {
    entry.requireNoSeal();
    entry.requireOf(id);
    if (last != null) entry.requireAfter(last);
    last = entry;
    return entry;
  }
}
