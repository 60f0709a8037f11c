package dev.tenure.persistence.memory;

import dev.tenure.persistence.visibility.BlockedType;
import dev.tenure.persistence.visibility.Cursor;
import dev.tenure.persistence.visibility.Page;
import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.persistence.visibility.RunCount;
import dev.tenure.persistence.visibility.StatusCode;
import dev.tenure.persistence.visibility.StoredTime;
import dev.tenure.persistence.visibility.WakeUp;
import dev.tenure.persistence.visibility.WorkflowChange;
import dev.tenure.persistence.visibility.WorkflowFilter;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.persistence.visibility.Workflows;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Status;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The rows of workflows of a storage inside one process. */
final class MemoryWorkflows implements Workflows {
  /**
   * @param signals the position of the newest signal that was accepted for it
   * @param before the position of the newest one before the newest start of the id
   * @param number decides between rows of the same moment
   */
  private record Kept(WorkflowRow row, long signals, long before, long number) {
    Kept with(WorkflowRow changed) {
      return new Kept(changed, signals, before, number);
    }

    Cursor cursor() {
      return new Cursor(row.startedAt(), number);
    }
  }

  private static final Comparator<Cursor> OLDEST_FIRST =
      Comparator.comparing(Cursor::startedAt).thenComparing(Cursor::number);
  private static final Comparator<WakeUp.Point> DUE_FIRST =
      Comparator.comparing(WakeUp.Point::at).thenComparing(WakeUp.Point::number);

  private final Object lock;
  private final InstantSource clock;
  private final Map<String, Kept> rows = new HashMap<>();
  private long lastNumber;

  /**
   * @param lock what the storage holds while it commits
   */
  MemoryWorkflows(Object lock, InstantSource clock) {
    this.lock = lock;
    this.clock = clock;
  }

  /** Whether there is a row, so that the id cannot be started. The lock is held. */
  boolean has(WorkflowId id) {
    return rows.containsKey(id.value());
  }

  /** Called with the lock held, as all that changes rows. */
  void start(WorkflowRow row) {
    rows.put(row.id().value(), new Kept(row, 0, 0, ++lastNumber));
  }

  void startAgain(WorkflowRow again) {
    rows.computeIfPresent(
        again.id().value(),
        (id, kept) -> {
          WorkflowRow row =
              new WorkflowRow(
                  again.id(),
                  kept.row.shard(),
                  again.runId(),
                  again.type(),
                  again.status(),
                  wakeAt(kept, again.wakeAt(), 0),
                  again.startedAt(),
                  Optional.empty(),
                  again.parent(),
                  again.attributes());
          // What was accepted until now was not for this run.
          return new Kept(row, kept.signals, kept.signals, kept.number);
        });
  }

  void change(WorkflowChange change) {
    rows.computeIfPresent(change.id().value(), (id, kept) -> changed(kept, change));
  }

  private Kept changed(Kept kept, WorkflowChange change) {
    WorkflowRow row = kept.row;
    WorkflowRow changed = row;
    if (row.closedAt().isEmpty()) { // I4
      changed =
          new WorkflowRow(
              row.id(),
              row.shard(),
              row.runId(),
              row.type(),
              change.status(),
              wakeAt(kept, change.wakeAt(), change.signalsSeen()),
              row.startedAt(),
              change.closedAt(),
              row.parent(),
              change.attributes().orElse(row.attributes()));
    }
    if (change.run().isEmpty()) return kept.with(changed);
    WorkflowChange.Run run = change.run().get();
    return kept.with(
        new WorkflowRow(
            changed.id(),
            changed.shard(),
            run.runId(),
            new WorkflowType(changed.type().name(), run.version()),
            changed.status(),
            changed.wakeAt(),
            changed.startedAt(),
            changed.closedAt(),
            changed.parent(),
            changed.attributes()));
  }

  /** A signal that the owner has not seen keeps the workflow due. */
  private Optional<Instant> wakeAt(Kept kept, Optional<Instant> wanted, long signalsSeen) {
    boolean unseen = kept.signals > Math.max(signalsSeen, kept.before);
    return unseen ? Optional.of(earlier(wanted, now())) : wanted;
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  private static Instant earlier(Optional<Instant> wakeAt, Instant now) {
    return wakeAt.filter(now::isAfter).orElse(now);
  }

  /** Whether the workflow is closed; empty when there is none. The lock is held. */
  Optional<Boolean> isClosed(String id) {
    return Optional.ofNullable(rows.get(id)).map(kept -> kept.row.closedAt().isPresent());
  }

  /** Whether the workflow's outcome is decided; empty when there is none. The lock is held. */
  Optional<Boolean> hasEnded(String id) {
    return Optional.ofNullable(rows.get(id)).map(kept -> kept.row.status().isFinal());
  }

  /** An open workflow is due from now on. The lock is held. */
  void makeDue(WorkflowId id) {
    rows.computeIfPresent(
        id.value(),
        (key, kept) ->
            kept.row.closedAt().isPresent()
                ? kept
                : kept.with(dueAt(kept.row, earlier(kept.row.wakeAt(), now()))));
  }

  private static WorkflowRow dueAt(WorkflowRow row, Instant wakeAt) {
    return new WorkflowRow(
        row.id(),
        row.shard(),
        row.runId(),
        row.type(),
        row.status(),
        Optional.of(wakeAt),
        row.startedAt(),
        row.closedAt(),
        row.parent(),
        row.attributes());
  }

  /** Counts a signal for an open workflow, which is due from now on. The lock is held. */
  long signalled(String id, Instant now) {
    Kept kept = rows.get(id);
    WorkflowRow due = dueAt(kept.row, earlier(kept.row.wakeAt(), now));
    rows.put(id, new Kept(due, kept.signals + 1, kept.before, kept.number));
    return kept.signals + 1;
  }

  /** Whether the workflow is open and its next signal gets that position. The lock is held. */
  boolean isNextSignal(WorkflowId id, long position) {
    Kept kept = rows.get(id.value());
    return kept != null && kept.row.closedAt().isEmpty() && kept.signals == position - 1;
  }

  /** Whether no signal was accepted for it behind that position. The lock is held. */
  boolean isNewestSignal(WorkflowId id, long position) {
    Kept kept = rows.get(id.value());
    return kept != null && kept.signals == position;
  }

  /** Counts a signal that its workflow took itself. The lock is held. */
  void took(WorkflowId id, long position) {
    rows.computeIfPresent(
        id.value(), (key, kept) -> new Kept(kept.row, position, kept.before, kept.number));
  }

  @Override
  public Optional<WorkflowRow> find(WorkflowId id) {
    synchronized (lock) {
      return Optional.ofNullable(rows.get(id.value())).map(Kept::row);
    }
  }

  @Override
  public Page<WorkflowRow> list(WorkflowFilter filter, PageRequest page) {
    Cursor before = Cursor.of(page).before(filter.startedBefore());
    synchronized (lock) {
      List<Kept> found =
          rows.values().stream()
              .filter(kept -> filter.matches(kept.row))
              .filter(kept -> OLDEST_FIRST.compare(kept.cursor(), before) < 0)
              .sorted(Comparator.comparing(Kept::cursor, OLDEST_FIRST.reversed()))
              .limit(page.rows() + 1L)
              .toList();
      return Page.of(found, page, Kept::row, kept -> kept.cursor().written());
    }
  }

  private Stream<WorkflowRow> matching(WorkflowFilter filter) {
    return rows.values().stream().map(Kept::row).filter(filter::matches);
  }

  @Override
  public long count(WorkflowFilter filter, int cap) {
    Workflows.requireValidCap(cap);
    synchronized (lock) {
      return matching(filter).limit(cap + 1L).count();
    }
  }

  @Override
  public List<RunCount> openRuns() {
    synchronized (lock) {
      Map<RunCount, Long> counts = new TreeMap<>(RUNS);
      rows.values().stream()
          .map(Kept::row)
          .filter(row -> !row.status().isFinal())
          .forEach(row -> counts.merge(new RunCount(row.type(), row.status(), 0), 1L, Long::sum));
      return counts.entrySet().stream()
          .map(one -> new RunCount(one.getKey().type(), one.getKey().status(), one.getValue()))
          .toList();
    }
  }

  @Override
  public List<BlockedType> blockedTypes() {
    record Kind(int shard, WorkflowType type) {}
    synchronized (lock) {
      Map<Kind, WorkflowId> kinds = new HashMap<>();
      matching(WorkflowFilter.ALL.withStatus(Status.BLOCKED))
          .forEach(row -> kinds.putIfAbsent(new Kind(row.shard(), row.type()), row.id()));
      return kinds.entrySet().stream()
          .map(one -> new BlockedType(one.getKey().shard(), one.getKey().type(), one.getValue()))
          .toList();
    }
  }

  private static final Comparator<RunCount> RUNS =
      Comparator.comparing((RunCount one) -> one.type().name())
          .thenComparing(one -> one.type().version())
          .thenComparing(one -> StatusCode.of(one.status()));

  @Override
  public long estimate(WorkflowFilter filter) {
    synchronized (lock) {
      return matching(filter).count();
    }
  }

  @Override
  public List<WakeUp> mustBeAwake(Set<Integer> shards, WakeUp.Point after, int limit) {
    return due(shards, after, clock.instant(), limit);
  }

  @Override
  public List<WakeUp> firstDue(Set<Integer> shards) {
    return shards.stream()
        .flatMap(shard -> due(Set.of(shard), WakeUp.Point.FIRST, StoredTime.LATEST, 1).stream())
        .toList();
  }

  @Override
  public List<WakeUp> due(Set<Integer> shards, WakeUp.Point after, Instant until, int limit) {
    Workflows.requireValid(limit);
    synchronized (lock) {
      return rows.values().stream()
          .filter(kept -> shards.contains(kept.row.shard()))
          .filter(kept -> kept.row.wakeAt().isPresent())
          .map(MemoryWorkflows::wakeUp)
          .filter(wake -> !wake.at().isAfter(until))
          .filter(wake -> DUE_FIRST.compare(wake.point(), after) > 0)
          .sorted(Comparator.comparing(WakeUp::point, DUE_FIRST))
          .limit(limit)
          .toList();
    }
  }

  private static WakeUp wakeUp(Kept kept) {
    Instant at = kept.row.wakeAt().orElseThrow();
    return new WakeUp(kept.row.id(), kept.row.shard(), new WakeUp.Point(at, kept.number));
  }
}
