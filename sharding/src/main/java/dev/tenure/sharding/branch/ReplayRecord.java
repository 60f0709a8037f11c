package dev.tenure.sharding.branch;

import dev.tenure.workflow.kernel.News;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a replay has on record, before the code has come to it. */
final class ReplayRecord {
  /** Of code that is not replayed. */
  static final ReplayRecord NONE = new ReplayRecord(Map.of(), Set.of());

  /** Marks a recorded value that the code has already read in this replay. */
  private static final Outcome FOUND = new Outcome.TimedOut("found");

  /** All recorded outcomes. The code finds a value here when it asks for it. */
  private final Map<OperationId, Outcome> outcomes;

  /** The operations on record that the code has not asked for yet. */
  private final Set<OperationId> notAskedYet;

  private ReplayRecord(Map<OperationId, Outcome> outcomes, Set<OperationId> notAskedYet) {
    this.outcomes = outcomes;
    this.notAskedYet = notAskedYet;
  }

  static ReplayRecord of(List<News> history, Set<OperationId> operations) {
    Map<OperationId, Outcome> outcomes = new HashMap<>();
    for (News one : history)
      if (one instanceof News.Completed c) outcomes.put(c.operation(), c.outcome());
    return new ReplayRecord(outcomes, new HashSet<>(operations));
  }

  /** The code asks for the operation. */
  void asked(OperationId id) {
    notAskedYet.remove(id);
  }

  /** Whether the operation is on record, and the code has not asked for it yet. */
  boolean awaits(OperationId id) {
    return notAskedYet.contains(id);
  }

  /** The recorded value, for code that asks for it; null when there is none. */
  Outcome find(OperationId id) {
    return outcomes.replace(id, FOUND);
  }

  /**
   * Whether it says of a value that it was recorded, and the code has found that value. The code
   * made the value itself and went on at once, so it learned nothing by this, and no time either.
   */
  boolean wasFound(News one) {
    return one instanceof News.Completed c && outcomes.get(c.operation()) == FOUND;
  }

  /**
   * Whether nothing is on record after the point that the code has come to.
   *
   * @param left the news that the code has not learned
   */
  boolean endsHere(Iterable<News> left) {
    if (!notAskedYet.isEmpty()) return false;
    for (News one : left) if (!wasFound(one)) return false;
    return true;
  }
}
