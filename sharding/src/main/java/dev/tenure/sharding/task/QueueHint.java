package dev.tenure.sharding.task;

import java.util.Set;

/**
 * What one node tells the others.
 *
 * @param from the node, by its address and incarnation
 * @param queues that have work
 */
record QueueHint(String from, Set<String> queues) {
  /** Names in one message: of the longest, some 320 KiB. */
  static final int QUEUES_MAX = 1_000;

  QueueHint {
    queues = Set.copyOf(queues);
  }
}
