package dev.tenure.sharding.workflow;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What outlives an owner that starts anew within its actor: who waits, and what must be decided
 * before anything else is.
 */
final class Carry {
  /** Not taken up yet, the oldest first. */
  final Deque<Message.Turn> waiting = new ArrayDeque<>();

  /** Taken up by the last owner, who could not bring it to an end. */
  final Deque<Message.Turn> first = new ArrayDeque<>();

  /** Asked messages that arrived and were not taken up: in the mailbox's stash or waiting here. */
  private int asked;

  /** False when too many wait. */
  boolean arrives() {
    if (asked >= WorkflowSettings.WAITING_MAX) return false;
    asked++;
    return true;
  }

  void takenUp(Message message) {
    // What was put back and is taken up again was counted when it arrived.
    if (message instanceof Message.Asked && asked > 0) asked--;
  }
}
