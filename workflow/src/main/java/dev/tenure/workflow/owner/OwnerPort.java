package dev.tenure.workflow.owner;

import java.time.Duration;
import java.util.Optional;

/**
 * What an {@link OwnerLoop} needs of its surroundings: an actor on a node, one thread for all in
 * the testkit and the simulation. Nothing here blocks. A method that takes a number is answered
 * later, by the method of the loop that is named, with the same number, and on the thread that
 * calls the loop.
 *
 * @param <M> the type of the owner's messages
 * @param <E> what the journal stores of one commit
 * @param <S> the type of snapshots
 */
public interface OwnerPort<M, E, S> {
  /**
   * A workflow that this node takes up.
   *
   * @param fresh whether it is taken for new, so that there is no history to read
   */
  record TakenUp<M, E, S>(Decider<M, E, S> decider, boolean fresh) {}

  /**
   * Takes the workflow up, under the tenure that the node has now; empty when it has none.
   *
   * @param failure why the decider is to raise an incident instead of going on, if it is
   */
  Optional<TakenUp<M, E, S>> takeUp(Optional<String> failure);

  /**
   * Reads the history, once it has a permit. Answered by any number of {@link OwnerLoop#entryRead},
   * with at most one {@link OwnerLoop#snapshotRead} among them, then by one {@link
   * OwnerLoop#historyRead} or {@link OwnerLoop#historyFailed}; or by {@link
   * OwnerLoop#journalSilent} when there was no word for too long.
   */
  void readHistory(long number);

  /**
   * Writes one commit. Answered by one {@link OwnerLoop#commitStands}, {@link
   * OwnerLoop#commitRefused}, {@link OwnerLoop#commitInvalid} or {@link OwnerLoop#commitUncertain};
   * or by {@link OwnerLoop#journalSilent} when there was no answer for too long.
   */
  void write(E entry, long number);

  /** Answered by {@link OwnerLoop#pauseOver}. */
  void pause(Duration pause, long number);

  /** What is wrong with the history when reading it fails with this; empty when it may pass. */
  Optional<String> damage(Throwable failure);

  /** Whether a failure to read is of a kind that passes, because the store is away. */
  boolean mayPass(Throwable failure);

  /**
   * Makes the stand-in that answers instead of the owner. When the history was restored, {@link
   * OwnerLoop#restored} is called with the number; {@link OwnerLoop#unneeded} when nothing is left
   * to answer for.
   */
  StandIn<M> standIn(String evidence, long number);

  /**
   * Asks to be stopped without losing a message, because nothing is left to do: {@link
   * OwnerLoop#stop} follows, and messages until then.
   */
  void leave();

  /** As {@link #leave}, because this owner cannot go on; it takes up nothing any more. */
  void letGo();

  /** An unexpected failure, to be logged. */
  void failed(RuntimeException failure);

  /** The owner has ended; it gives back messages that arrive from now on. */
  void ended();
}
