package dev.tenure.persistence.memory;

import dev.tenure.persistence.bulk.BulkOperation;
import dev.tenure.persistence.bulk.BulkOperation.Progress;
import dev.tenure.persistence.bulk.BulkOperations;
import dev.tenure.persistence.bulk.BulkState;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The bulk operations of a storage inside one process. */
final class MemoryBulkOperations implements BulkOperations {
  private static final Progress NONE = new Progress(0, Optional.empty(), 0, 0, 0, Optional.empty());

  private record Kept(BulkOperation operation, String confirmation, Instant beatAt) {
    Kept as(BulkState state, Progress progress, Instant now) {
      return new Kept(
          new BulkOperation(
              operation.id(),
              state,
              operation.request(),
              operation.createdAt(),
              operation.counted(),
              progress),
          confirmation,
          now);
    }
  }

  private final Object lock;
  private final InstantSource clock;
  private final Map<String, Kept> operations = new LinkedHashMap<>();

  MemoryBulkOperations(Object lock, InstantSource clock) {
    this.lock = lock;
    this.clock = clock;
  }

  @Override
  public void propose(String id, String confirmation, String request, long counted) {
    synchronized (lock) {
      Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
      operations.put(
          id,
          new Kept(
              new BulkOperation(id, BulkState.PROPOSED, request, now, counted, NONE),
              confirmation,
              now));
    }
  }

  @Override
  public Optional<BulkOperation> confirm(String confirmation) {
    synchronized (lock) {
      Instant oldest = clock.instant().minus(PROPOSAL_LIMIT);
      Optional<Kept> found =
          operations.values().stream()
              .filter(kept -> kept.confirmation.equals(confirmation))
              .findFirst();
      if (found.isEmpty()) return Optional.empty();
      BulkOperation operation = found.get().operation;
      if (operation.state() != BulkState.PROPOSED) return Optional.of(operation);
      if (!operation.createdAt().isAfter(oldest)) return Optional.empty();
      // No node has it yet: the first node that looks takes it.
      Kept running = found.get().as(BulkState.RUNNING, operation.progress(), Instant.MIN);
      operations.put(operation.id(), running);
      return Optional.of(running.operation);
    }
  }

  @Override
  public Optional<BulkOperation> find(String id) {
    synchronized (lock) {
      return Optional.ofNullable(operations.get(id)).map(Kept::operation);
    }
  }

  @Override
  public Optional<BulkOperation> take(Duration silence) {
    synchronized (lock) {
      Instant now = clock.instant();
      Instant silentSince = now.minus(silence);
      Optional<Kept> longest =
          operations.values().stream()
              .filter(kept -> kept.operation.state() == BulkState.RUNNING)
              .filter(kept -> kept.beatAt.isBefore(silentSince))
              .min(Comparator.comparing(Kept::beatAt));
      return longest.map(
          kept -> {
            Progress was = kept.operation.progress();
            Progress mine =
                new Progress(
                    was.turn() + 1,
                    was.cursor(),
                    was.applied(),
                    was.unchanged(),
                    was.failed(),
                    was.failure());
            Kept taken = kept.as(BulkState.RUNNING, mine, now);
            operations.put(kept.operation.id(), taken);
            return taken.operation;
          });
    }
  }

  @Override
  public boolean advance(String id, BulkState state, Progress progress) {
    synchronized (lock) {
      Kept kept = operations.get(id);
      boolean mine =
          kept != null
              && kept.operation.state() == BulkState.RUNNING
              && kept.operation.progress().turn() == progress.turn();
      if (mine) operations.put(id, kept.as(state, progress, clock.instant()));
      return mine;
    }
  }

  @Override
  public int purge(Duration retention, int limit) {
    synchronized (lock) {
      Instant now = clock.instant();
      List<String> gone =
          operations.values().stream()
              .filter(kept -> isOver(kept, now, retention))
              .map(kept -> kept.operation.id())
              .limit(limit)
              .toList();
      gone.forEach(operations::remove);
      return gone.size();
    }
  }

  private static boolean isOver(Kept kept, Instant now, Duration retention) {
    return switch (kept.operation.state()) {
      case FINISHED -> !kept.beatAt.isAfter(now.minus(retention));
      case PROPOSED -> !kept.operation.createdAt().isAfter(now.minus(PROPOSAL_KEPT_FOR));
      case RUNNING -> false;
    };
  }
}
