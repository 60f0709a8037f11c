package dev.tenure.sharding.retention;

import dev.tenure.persistence.retention.ClosedWorkflow;
import dev.tenure.persistence.retention.Removals;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Removes closed workflows whose time is over. For each time that some rule names it walks along
 * the closed workflows in the order of their closes, up to those that closed that time ago, and
 * goes on behind that place in the next round. Once a day it begins at the oldest again: a row may
 * have been locked when the walk came by, and a type may have another rule since a restart.
 */
final class ClosedWorkflows {
  static final Duration WALK_EVERY = Duration.ofDays(1);

  private static final class Walk {
    Removals.Place place = Removals.Place.BEGINNING;
    Optional<Instant> begun = Optional.empty();
  }

  private final Removals removals;
  private final WorkflowRetention retention;
  private final Duration idKeptFor;
  private final InstantSource clock;
  private final int batch;
  private final Map<Duration, Walk> walks = new HashMap<>();

  /**
   * @param clock the store's time
   * @param batch how many one transaction removes at most
   */
  ClosedWorkflows(
      Removals removals,
      WorkflowRetention retention,
      Duration idKeptFor,
      InstantSource clock,
      int batch) {
    this.removals = removals;
    this.retention = retention;
    this.idKeptFor = idKeptFor;
    this.clock = clock;
    this.batch = batch;
  }

  /** The times for which something is kept: each has a walk of its own. */
  List<Duration> times() {
    return List.copyOf(retention.times());
  }

  /** What one step of a walk came to. */
  record Step(int looked, int removed) {}

  /** Looks at a batch of those that are kept for this time, and removes what it may. */
  Step step(Duration keep) {
    Instant now = clock.instant();
    Walk walk = walks.computeIfAbsent(keep, time -> new Walk());
    List<ClosedWorkflow> page = removals.closed(walk.place, now.minus(keep), batch);
    List<ClosedWorkflow> over =
        page.stream()
            .filter(one -> retention.keep(one.type(), one.status()).equals(Optional.of(keep)))
            .toList();
    int removed = removals.remove(over, idKeptFor);
    if (!page.isEmpty()) walk.place = page.getLast().place();
    if (page.size() < batch) rest(walk, now);
    return new Step(page.size(), removed);
  }

  /** The walk has come to its end for now. */
  private static void rest(Walk walk, Instant now) {
    if (walk.begun.isEmpty()) walk.begun = Optional.of(now);
    if (now.isBefore(walk.begun.get().plus(WALK_EVERY))) return;
    walk.place = Removals.Place.BEGINNING;
    walk.begun = Optional.of(now);
  }
}
