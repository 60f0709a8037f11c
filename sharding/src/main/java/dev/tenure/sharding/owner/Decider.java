package dev.tenure.sharding.owner;

import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.entry.Snapshot;

/**
 * Decides for one workflow, from a recovery until the owner gives up its memory. One thread at a
 * time calls it.
 *
 * @param <M> the type of its messages
 */
public interface Decider<M> {
  /** Folds the next commit of the history. */
  void recover(JournalEntry entry);

  /**
   * From the snapshot's commit on, its state is the workflow's. Commits before that one may follow,
   * or only those behind it.
   */
  void restore(Snapshot snapshot);

  /** The history is complete: begins, and takes up waiting messages. */
  Next begin();

  /** Takes up a message, and those that wait. */
  Next on(M message);

  /** Everything is committed: takes up waiting messages. */
  Next goOn();

  /** The decider for the run that the last commit began; this one is not used any more. */
  Decider<M> carryOver();

  /** No owner can store the commit that this decider wanted last. {@link #end} follows. */
  void cannotCommit(RuntimeException why);

  /** The owner gives up this decider. Called once, and no other method after it. */
  void end(String why);
}
