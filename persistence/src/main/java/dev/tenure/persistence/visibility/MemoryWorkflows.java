package dev.tenure.persistence.visibility;

import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
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
public final class MemoryWorkflows implements Workflows {
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
  public MemoryWorkflows(Object lock, InstantSource clock) {
    this.lock = lock;
    this.clock = clock;
  }

  /** Throws when a side row of a commit cannot be applied. The lock is held. */
  public void requireApplicable(SideRow row) {
    if (row.kind().equals(WorkflowWrites.START) && rows.containsKey(id(row))) {
      throw new StorageException.Refused("workflow " + id(row) + " has a row already", null);
    }
  }

  /** Applies a side row of a commit; false when it is of another kind. The lock is held. */
  public boolean apply(SideRow row) {
    if (row.kind().equals(WorkflowWrites.START)) {
      rows.put(id(row), new Kept(started(row.values()), 0, 0, ++lastNumber));
      return true;
    }
    if (row.kind().equals(WorkflowWrites.CHANGE)) {
      rows.computeIfPresent(id(row), (id, kept) -> changed(kept, row.values().subList(1, 8)));
      return true;
    }
    if (row.kind().equals(WorkflowWrites.RUN)) {
      rows.computeIfPresent(id(row), (id, kept) -> anotherRun(kept, row.values()));
      return true;
    }
    if (row.kind().equals(WorkflowWrites.AGAIN)) {
      rows.computeIfPresent(id(row), (id, kept) -> startedAgain(kept, row.values()));
      return true;
    }
    return false;
  }

  private static Kept startedAgain(Kept kept, List<Object> v) {
    WorkflowRow row = kept.row;
    WorkflowRow changed =
        new WorkflowRow(
            row.id(),
            row.shard(),
            text(v.get(1)).orElseThrow(),
            new WorkflowType(text(v.get(2)).orElseThrow(), (Integer) v.get(3)),
            row.status(),
            row.wakeAt(),
            time(v.get(4)).orElseThrow(),
            row.closedAt(),
            text(v.get(5)).map(WorkflowId::new),
            row.attributes());
    return new Kept(changed, kept.signals, kept.signals, kept.number);
  }

  private static Kept anotherRun(Kept kept, List<Object> v) {
    WorkflowRow row = kept.row;
    WorkflowRow changed =
        new WorkflowRow(
            row.id(),
            row.shard(),
            text(v.get(1)).orElseThrow(),
            new WorkflowType(row.type().name(), (Integer) v.get(2)),
            row.status(),
            row.wakeAt(),
            row.startedAt(),
            row.closedAt(),
            row.parent(),
            row.attributes());
    return kept.with(changed);
  }

  private static String id(SideRow row) {
    return KeyText.ofColumn((String) row.values().getFirst());
  }

  private static WorkflowRow started(List<Object> v) {
    return new WorkflowRow(
        new WorkflowId(text(v.get(0)).orElseThrow()),
        (Integer) v.get(1),
        text(v.get(2)).orElseThrow(),
        new WorkflowType(text(v.get(3)).orElseThrow(), (Integer) v.get(4)),
        StatusCode.parse((String) v.get(5)),
        time(v.get(6)),
        time(v.get(7)).orElseThrow(),
        time(v.get(8)),
        text(v.get(9)).map(WorkflowId::new),
        Attributes.ofJson((String) v.get(10)));
  }

  private Kept changed(Kept kept, List<Object> v) {
    WorkflowRow row = kept.row;
    if (row.closedAt().isPresent() && !v.get(6).equals(1)) return kept; // I4
    boolean unseenSignal = kept.signals > Math.max((Long) v.get(3), kept.before);
    Optional<Instant> wakeAt = time(v.get(2));
    WorkflowRow changed =
        new WorkflowRow(
            row.id(),
            row.shard(),
            row.runId(),
            row.type(),
            StatusCode.parse((String) v.get(1)),
            unseenSignal ? Optional.of(earlier(wakeAt, now())) : wakeAt,
            row.startedAt(),
            time(v.get(4)),
            row.parent(),
            Optional.ofNullable((String) v.get(5))
                .map(Attributes::ofJson)
                .orElse(row.attributes()));
    return kept.with(changed);
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  private static Instant earlier(Optional<Instant> wakeAt, Instant now) {
    return wakeAt.filter(now::isAfter).orElse(now);
  }

  private static Optional<String> text(Object column) {
    return Optional.ofNullable((String) column).map(KeyText::ofColumn);
  }

  private static Optional<Instant> time(Object column) {
    return Optional.ofNullable((String) column).map(Instant::parse);
  }

  /** Whether the workflow is closed; empty when there is none. The lock is held. */
  public Optional<Boolean> isClosed(String id) {
    return Optional.ofNullable(rows.get(id)).map(kept -> kept.row.closedAt().isPresent());
  }

  /** Whether the workflow's outcome is decided; empty when there is none. The lock is held. */
  public Optional<Boolean> hasEnded(String id) {
    return Optional.ofNullable(rows.get(id)).map(kept -> kept.row.status().isFinal());
  }

  /** Counts a signal for an open workflow, which is due from now on. The lock is held. */
  public long signalled(String id, Instant now) {
    Kept kept = rows.get(id);
    WorkflowRow row = kept.row;
    WorkflowRow due =
        new WorkflowRow(
            row.id(),
            row.shard(),
            row.runId(),
            row.type(),
            row.status(),
            Optional.of(earlier(row.wakeAt(), now)),
            row.startedAt(),
            row.closedAt(),
            row.parent(),
            row.attributes());
    rows.put(id, new Kept(due, kept.signals + 1, kept.before, kept.number));
    return kept.signals + 1;
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
      List<WorkflowRow> kept = found.stream().limit(page.rows()).map(Kept::row).toList();
      return found.size() <= page.rows()
          ? new Page<>(kept, Optional.empty())
          : new Page<>(kept, Optional.of(found.get(page.rows() - 1).cursor().written()));
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
