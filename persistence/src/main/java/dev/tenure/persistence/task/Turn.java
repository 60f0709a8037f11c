package dev.tenure.persistence.task;

import java.util.Optional;

/**
 * Whose turn it was last among the fairness keys of one priority. The keys are in an order that
 * goes round.
 *
 * @param within empty when the next key comes next. Otherwise the key has so many lanes that not
 *     all were looked at: those behind this one come next
 */
public record Turn(int priority, String fairnessKey, Optional<Within> within) {
  /** A lane of the key. */
  public record Within(String activity, String scope) {}

  static Turn of(String fairnessKey, int priority) {
    return new Turn(priority, fairnessKey, Optional.empty());
  }

  /** The lanes behind this one come next. */
  public static Turn behind(Lane lane) {
    Within within = new Within(lane.activity(), lane.limits().scope());
    return new Turn(lane.priority(), lane.fairnessKey(), Optional.of(within));
  }
}
