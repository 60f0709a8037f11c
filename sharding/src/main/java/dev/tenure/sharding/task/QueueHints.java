package dev.tenure.sharding.task;

import java.util.Set;

/** Tells the desks of the other nodes that queues have work. */
@FunctionalInterface
public interface QueueHints {
  /** Where there is no other node. */
  QueueHints NONE = queues -> {};

  /**
   * Returns at once. A hint may get lost: every desk also looks by itself, each {@link
   * TaskDesk#LOOK_EVERY}.
   */
  void send(Set<String> queues);
}
