package dev.tenure.testkit;

import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.persistence.visibility.StoredTime;
import dev.tenure.persistence.visibility.WakeUp;
import dev.tenure.persistence.visibility.WorkflowFilter;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.sharding.loop.Loop;
import dev.tenure.sharding.loop.LoopNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Makes things happen, and turns the loop's clock to what is due next when nothing else can. */
final class Clock {
  /** A test that asks for so long without success waits for something that does not come. */
  private static final Duration IN_VAIN_MAX = Duration.ofHours(2);

  /** So often the clock is turned without a commit. */
  private static final int TURNS_IN_VAIN_MAX = 5_000;

  private static final Duration SCAN_EVERY = Duration.ofSeconds(1);

  private static final int LISTED_MAX = 20;

  /** More in one moment is a workflow that never waits. */
  private static final int MOVES_MAX = 5_000_000;

  private final Loop loop;
  private final CrashingStorage storage;
  private final Duration restLimit;
  private final Supplier<LoopNode> owner;
  private Thread driver;
  private int depth;
  private long commits;
  private Instant movedAt;
  private Instant scannedAt;

  /**
   * @param restLimit how long what sleeps stays in memory
   */
  Clock(Loop loop, CrashingStorage storage, Duration restLimit, Supplier<LoopNode> owner) {
    this.loop = loop;
    this.movedAt = loop.instant();
    this.scannedAt = loop.instant();
    this.storage = storage;
    this.restLimit = restLimit;
    this.owner = owner;
  }

  private synchronized void enter() {
    if (driver != null && driver != Thread.currentThread())
      throw new IllegalStateException(
          "A step must not wait for the engine that waits for it: do it with engine.soon(…).");
    driver = Thread.currentThread();
    depth++;
  }

  private synchronized void leave() {
    if (--depth == 0) driver = null;
  }

  /** Also lets time pass; when it is reached, all that can happen without time has happened. */
  void driveUntil(BooleanSupplier reached) {
    enter();
    try {
      int turns = 0;
      while (!reached.getAsBoolean()) {
        if (loop.doNext(Loop.Choice.OLDEST).isPresent()) continue;
        if (storage.commits() != commits) {
          commits = storage.commits();
          movedAt = loop.instant();
          turns = 0;
        }
        if (turns++ > TURNS_IN_VAIN_MAX) throw new NothingHappensException(waiting());
        if (advance(Instant.MAX)) continue;
        Optional<Instant> limit = loop.nextLimit();
        boolean inVain = loop.instant().isAfter(movedAt.plus(IN_VAIN_MAX));
        if (inVain || limit.isEmpty()) {
          movedAt = loop.instant();
          throw new NothingHappensException(waiting());
        }
        loop.passTo(limit.get());
      }
      settle();
    } finally {
      leave();
    }
  }

  void pass(Duration span) {
    enter();
    try {
      settle();
      Instant end = loop.instant().plus(span);
      while (advance(end)) settle();
      loop.passTo(end);
      owner.get().look();
      settle();
    } finally {
      leave();
    }
  }

  private void settle() {
    for (int moves = 0; loop.doNext(Loop.Choice.OLDEST).isPresent(); moves++)
      if (moves > MOVES_MAX)
        throw new IllegalStateException(
            "More than " + MOVES_MAX + " things happened at one moment of the clock: " + waiting());
  }

  /** Turns the clock to what is due next, if that is by then; false when it is not. */
  private boolean advance(Instant end) {
    LoopNode node = owner.get();
    if (!loop.instant().isBefore(scannedAt.plus(SCAN_EVERY))) {
      scannedAt = loop.instant();
      node.scan();
      if (loop.hasNext()) return true;
    }
    Optional<Instant> next =
        Stream.of(node.nextDue(), loop.nextTimer(), nextRow())
            .flatMap(Optional::stream)
            .min(Instant::compareTo);
    if (next.isEmpty() || next.get().isAfter(end)) return false;
    Instant now = loop.instant();
    // What would have left the memory on a node leaves it here: its code is replayed afterwards.
    if (next.get().isAfter(now.plus(restLimit))) {
      loop.passTo(now.plus(restLimit));
      node.look();
      settle();
      now = loop.instant();
    }
    // What is due and does not move is told again a moment later.
    loop.passTo(next.get().isAfter(now) ? next.get() : now.plus(SCAN_EVERY));
    owner.get().look();
    return true;
  }

  private Optional<Instant> nextRow() {
    return storage
        .workflows()
        .due(Set.of(0), WakeUp.Point.before(loop.instant()), StoredTime.LATEST, 1)
        .stream()
        .map(WakeUp::at)
        .findFirst();
  }

  private List<String> waiting() {
    return storage
        .workflows()
        .list(WorkflowFilter.ALL, PageRequest.first(LISTED_MAX))
        .rows()
        .stream()
        .filter(row -> !row.status().isFinal())
        .map(this::waiting)
        .toList();
  }

  private String waiting(WorkflowRow row) {
    return "%s (%s) is %s, %s"
        .formatted(row.id(), row.type(), row.status(), OpenOperations.of(storage, row.id()));
  }
}
