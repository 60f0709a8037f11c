package dev.tenure.workflow.audit;

import dev.tenure.workflow.kernel.Start;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Counts the starts of an id that a run follows (I5): the kernel recognises the newest of them, and
 * takes one that it has dropped for a new start.
 */
final class StartAudit {
  private final int earlierMax;

  /** The keys of the starts whose runs this one follows, the oldest first. */
  private final Deque<String> earlier = new ArrayDeque<>();

  /** That of the run's own start. */
  private Optional<String> own = Optional.empty();

  /**
   * @param earlierMax so many starts before a run's own are still recognised
   */
  StartAudit(int earlierMax) {
    this.earlierMax = earlierMax;
  }

  /** A run begins with that start; says what is wrong with it. */
  Optional<String> begins(Start start) {
    Optional<String> key = start.origin().map(origin -> origin.guid().value()).or(start::request);
    own.ifPresent(earlier::add);
    boolean again = key.filter(earlier::contains).isPresent();
    while (earlier.size() > earlierMax) earlier.remove();
    own = key;
    return again ? Optional.of("one start begins two runs") : Optional.empty();
  }
}
