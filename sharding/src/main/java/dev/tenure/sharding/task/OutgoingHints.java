package dev.tenure.sharding.task;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * Collects for some milliseconds which queues have work, so that thousands of tasks are one hint.
 */
final class OutgoingHints {
  private static final Duration PAUSE = Duration.ofMillis(5);

  private final QueueHints hints;
  private final TaskDesk.Pauses pauses;
  private Set<String> collected = new HashSet<>();

  OutgoingHints(QueueHints hints, TaskDesk.Pauses pauses) {
    this.hints = hints;
    this.pauses = pauses;
  }

  void add(Collection<String> queues) {
    if (hints == QueueHints.NONE) return;
    boolean first;
    synchronized (this) {
      first = collected.isEmpty();
      collected.addAll(queues);
    }
    if (first) pauses.after(PAUSE, this::send);
  }

  private void send() {
    Set<String> all;
    synchronized (this) {
      all = collected;
      collected = new HashSet<>();
    }
    hints.send(all);
  }
}
