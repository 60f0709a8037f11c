package dev.tenure.sharding.owner;

import java.util.Optional;

/**
 * The messages that an owner has and did not bring to an end. It outlives restarts.
 *
 * @param <M> what they are
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
   * For now nothing is taken up: what another can take up is sent there, the oldest first. The rest
   * waits on.
   */
  void sendElsewhere();

  /** From now on the owner is about to go: what others send goes to the next owner. */
  void leaves();

  /** Gives all messages back: each sender is answered, or the message is sent on. */
  void giveBack(String why);

  /** Gives back a message that arrived after the end. */
  void giveBack(M message, String why);
}
