package dev.tenure.workflow.owner;

/**
 * Decides for one workflow, from a recovery until the owner gives up its memory. One thread at a
 * time calls it.
 *
 * @param <M> the type of its messages
 * @param <E> what the journal stores of one commit
 * @param <S> the type of snapshots
 */
public interface Decider<M, E, S> {
  /** Folds the next commit of the history. */
  void recover(E entry);

  /**
   * From the snapshot's commit on, its state is the workflow's. Commits before that one may follow,
   * or only those behind it.
   */
  void restore(S snapshot);

  /** The history is complete: begins, and takes up waiting messages. */
  Next<E> begin();

  /** Takes up a message, and those that wait. */
  Next<E> on(M message);

  /** Everything is committed: takes up waiting messages. */
  Next<E> goOn();

  /** The decider for the run that the last commit began; this one is not used any more. */
  Decider<M, E, S> carryOver();

  /** No owner can store the commit that this decider wanted last. {@link #end} follows. */
  void cannotCommit(RuntimeException why);

  /** The owner gives up this decider. Called once, and no other method after it. */
  void end(String why);
}
