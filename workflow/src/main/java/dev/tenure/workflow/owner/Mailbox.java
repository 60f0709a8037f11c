package dev.tenure.workflow.owner;

import java.util.Optional;

/**
 * The messages that an owner has not finished. It outlives restarts.
 *
 * @param <M> the type of the messages
 */
public interface Mailbox<M> {
  /** Whether there is room for the message; its sender is told when there is none. */
  boolean admits(M message);

  /** Keeps a message that was admitted, behind the others that were kept. */
  void keep(M message);

  /** Takes out the oldest message that was kept. */
  Optional<M> next();

  /** Takes out the oldest message of all, also of those that a decider had before. */
  Optional<M> nextUndecided();

  /**
   * The owner takes up nothing for now: puts waiting signals into the inbox, the oldest first. All
   * other messages wait on.
   */
  void sendElsewhere();

  /** The owner is about to leave: messages that arrive from now on go to the next owner. */
  void leaves();

  /** Gives all messages back: each sender is answered, or the message is sent on. */
  void giveBack(String why);

  /** Gives back a message that arrived after the end. */
  void giveBack(M message, String why);
}
