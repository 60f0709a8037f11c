package dev.tenure.sharding.owner;

import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.entry.Snapshot;

/**
 * Decides for one workflow, from a recovery until the memory of it is given up. One thread at a
 * time calls it.
 *
 * @param <M> what it is told
 */
public interface Decider<M> {
  /** Folds the next commit of the history. */
  void recover(JournalEntry entry);

  /**
   * From the snapshot's commit on, its state is the workflow's. Commits before that one may follow,
   * or only those behind it.
   */
  void restore(Snapshot snapshot);

  /** The history is complete; also takes up what waits. */
  Next begin();

  /** Takes up a message, and what waits. */
  Next on(M message);

  /** Everything is committed: takes up what waits. */
  Next goOn();

  /** The decider for the run that the last commit began; this one is not used any more. */
  Decider<M> carryOver();

  /** Nobody can store the commit that it wanted last. {@link #end} follows. */
  void cannotCommit(RuntimeException why);

  /** What it has in memory is given up; called once, and nothing after it. */
  void end(String why);
}
