package dev.tenure.sharding.task;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** A queue that workers ask, on this node. Guarded by the lock of {@link Polls}. */
final class PolledQueue {
  final String name;
  private final Map<Set<String>, Line> lines = new HashMap<>();

  /** Polls that are not answered. */
  int open;

  PolledQueue(String name) {
    this.name = name;
  }

  Line line(Set<String> activities) {
    return lines.computeIfAbsent(activities, key -> new Line(this, key));
  }

  /** One of its polls is answered. Workers may ask with ever other activities. */
  void answered(Line line) {
    open--;
    if (--line.open == 0) lines.remove(line.activities, line);
  }

  Collection<Line> lines() {
    return lines.values();
  }

  boolean hasWaiting() {
    return lines.values().stream().anyMatch(Line::hasWaiting);
  }

  /** Whether a poll waits that would have got what a poll for these activities would get. */
  boolean hasNothingFor(Set<String> activities) {
    return lines.values().stream().anyMatch(line -> line.knowsNothingFor(activities));
  }
}
