package dev.tenure.simulation;

import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.sharding.loop.Loop;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.audit.Violation;
import dev.tenure.workflow.kernel.Wake;
import dev.tenure.workflow.kernel.WorkflowState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Finds workflows that should have moved without a look at their rows: those in memory, by their
 * own timers (I8) and the signals that they were told of (I13), and those that have to be in memory
 * and are not.
 */
final class Standstill {
  private static final Duration MOVES_WITHIN = Duration.ofMinutes(5);

  private final Loop loop;
  private final Cluster cluster;
  private final Checker checker;
  private final Supplier<List<WorkflowRow>> rows;

  /** Since when no message is lost. */
  private Instant calmSince;

  /** When all nodes looked for due rows in the calm. */
  private Instant lookedAt = Instant.MIN;

  Standstill(Loop loop, Cluster cluster, Checker checker, Supplier<List<WorkflowRow>> rows) {
    this.loop = loop;
    this.cluster = cluster;
    this.checker = checker;
    this.rows = rows;
    this.calmSince = loop.instant();
  }

  void calms() {
    calmSince = loop.instant();
  }

  /** All nodes look for due rows. */
  void looks() {
    lookedAt = loop.instant();
  }

  void requireNone() {
    for (WorkflowRow row : rows.get()) if (row.closedAt().isEmpty()) requireMoved(row.id());
  }

  private void requireMoved(WorkflowId id) {
    WorkflowState state = Checker.fold(checker.events(id.value()));
    Instant latest = loop.instant().minus(MOVES_WITHIN);
    if (state.at().isAfter(latest)) return;
    boolean inMemory = cluster.nodeOf(id).filter(node -> node.isInMemory(id)).isPresent();
    switch (state.wakeAt()) {
      case Wake.Now _ ->
          throw new Violation(
              "I8",
              "%s stands still since %s, and is %s memory"
                  .formatted(id, state.at(), inMemory ? "in" : "not in"));
      case Wake.At(Instant due) ->
          Violation.require(
              !inMemory || due.isAfter(latest), "I8", id + " is in memory, and was due at " + due);
      case Wake.Never _ -> {}
    }
    if (inMemory && !state.isHeld())
      for (String name : state.awaitedSignals()) requireReceived(id, name, latest);
  }

  private void requireReceived(WorkflowId id, String name, Instant latest) {
    checker
        .inboxes()
        .pending(id.value(), name)
        .filter(key -> isKnown(id, checker.inboxes().acceptedAt(key), latest))
        .findFirst()
        .ifPresent(
            key -> {
              throw new Violation("I13", id + " is in memory, and asleep beside " + key);
            });
  }

  /**
   * Whether its owner was told of a signal that was accepted then: at once, unless the message was
   * lost or the node died that had to send it; or by the last look at due rows. A node that does
   * not know yet that another one has taken its shard over tells its own owner instead, whose
   * commits are refused; the owner on the other node learns of it from the row.
   */
  private boolean isKnown(WorkflowId id, Instant acceptedAt, Instant latest) {
    if (acceptedAt.isBefore(lookedAt)) return true;
    Instant told =
        Stream.of(Optional.of(calmSince), cluster.lastCrash(), cluster.lastLoss(id))
            .flatMap(Optional::stream)
            .max(Instant::compareTo)
            .orElseThrow();
    return acceptedAt.isAfter(told) && !acceptedAt.isAfter(latest);
  }
}
