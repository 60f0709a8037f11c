package dev.tenure.persistence.memory;

import dev.tenure.persistence.retention.ClosedWorkflow;
import dev.tenure.persistence.retention.Removals;
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
  private final Map<String, Kept> open = new HashMap<>();
  private final Map<String, Kept> closed = new HashMap<>();
  private final MemoryRemovals removals;
  private long lastNumber;

  /**
   * @param lock what the storage holds while it commits
   */
  MemoryWorkflows(Object lock, InstantSource clock) {
    this.lock = lock;
    this.clock = clock;
    this.removals = new MemoryRemovals(lock, clock, this);
  }

  /** What was removed, and what of it is still known. */
  MemoryRemovals removals() {
    return removals;
  }

  /** Whether there is an open row, so that the id cannot be started. The lock is held. */
  boolean hasOpen(WorkflowId id) {
    return open.containsKey(id.value());
  }

  /**
   * Removes the row of a closed workflow, unless it is another one by now. The lock is held, as for
   * those below.
   */
  boolean remove(ClosedWorkflow one) {
    Kept kept = closed.get(one.id().value());
    if (kept == null || !kept.row.closedAt().equals(Optional.of(one.closedAt()))) return false;
    return closed.remove(one.id().value()) != null;
  }

  /** Those that closed within this time, the oldest close first. */
  List<ClosedWorkflow> closed(Removals.Place after, Instant before, int limit) {
    Comparator<ClosedWorkflow> oldestFirst =
        Comparator.comparing(ClosedWorkflow::closedAt).thenComparing(ClosedWorkflow::number);
    return closed.values().stream()
        .map(
            kept ->
                new ClosedWorkflow(
                    kept.row.id(),
                    kept.row.type().name(),
                    kept.row.status(),
                    kept.row.closedAt().orElseThrow(),
                    kept.number))
        .filter(one -> one.closedAt().isBefore(before))
        .filter(
            one ->
                one.closedAt().isAfter(after.closedAt())
                    || one.closedAt().equals(after.closedAt()) && one.number() > after.number())
        .sorted(oldestFirst)
        .limit(limit)
        .toList();
  }

  /** Whether the workflow is known, open or closed. The lock is held. */
  boolean has(WorkflowId id) {
    return kept(id.value()).isPresent();
  }

  private Optional<Kept> kept(String id) {
    return Optional.ofNullable(open.getOrDefault(id, closed.get(id)));
  }

  private Stream<Kept> all() {
    return Stream.concat(open.values().stream(), closed.values().stream());
  }

  /** Called with the lock held, as all that changes rows. */
  void start(WorkflowRow row) {
    keep(row.id().value(), new Kept(row, 0, 0, ++lastNumber));
  }

  private void keep(String id, Kept kept) {
    open.remove(id);
    (kept.row.closedAt().isPresent() ? closed : open).put(id, kept);
  }

  void startAgain(WorkflowRow again) {
    Kept over = closed.remove(again.id().value());
    // Its signals were for the run that is over, and keep the new one not due.
    if (over != null)
      open.put(again.id().value(), new Kept(over.row, over.signals, over.signals, over.number));
    open.computeIfPresent(
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

  /** A workflow that is closed stays as it is (I4). */
  void change(WorkflowChange change) {
    Kept kept = open.get(change.id().value());
    if (kept != null) keep(change.id().value(), kept.with(changed(kept, change)));
  }

  private WorkflowRow changed(Kept kept, WorkflowChange change) {
    WorkflowRow row = kept.row;
    return new WorkflowRow(
        row.id(),
        row.shard(),
        change.run().map(WorkflowChange.Run::runId).orElse(row.runId()),
        change
            .run()
            .map(run -> new WorkflowType(row.type().name(), run.version()))
            .orElse(row.type()),
        change.status(),
        wakeAt(kept, change.wakeAt(), change.signalsSeen()),
        row.startedAt(),
        change.closedAt(),
        row.parent(),
        change.attributes().orElse(row.attributes()));
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
    return kept(id).map(kept -> kept.row.closedAt().isPresent());
  }

  /** Whether the workflow's outcome is decided; empty when there is none. The lock is held. */
  Optional<Boolean> hasEnded(String id) {
    return removals.isKept(new WorkflowId(id))
        ? Optional.of(true)
        : kept(id).map(kept -> kept.row.status().isFinal());
  }

  /** An open workflow is due from now on. The lock is held. */
  void makeDue(WorkflowId id) {
    open.computeIfPresent(
        id.value(), (key, kept) -> kept.with(dueAt(kept.row, earlier(kept.row.wakeAt(), now()))));
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
    Kept kept = open.get(id);
    WorkflowRow due = dueAt(kept.row, earlier(kept.row.wakeAt(), now));
    open.put(id, new Kept(due, kept.signals + 1, kept.before, kept.number));
    return kept.signals + 1;
  }

  /** Whether the workflow is open and its next signal gets that position. The lock is held. */
  boolean isNextSignal(WorkflowId id, long position) {
    Kept kept = open.get(id.value());
    return kept != null && kept.signals == position - 1;
  }

  /** Whether no signal was accepted for it behind that position. The lock is held. */
  boolean isNewestSignal(WorkflowId id, long position) {
    return kept(id.value()).filter(kept -> kept.signals == position).isPresent();
  }

  /** Counts a signal that its workflow took itself. The lock is held. */
  void took(WorkflowId id, long position) {
    open.computeIfPresent(
        id.value(), (key, kept) -> new Kept(kept.row, position, kept.before, kept.number));
  }

  @Override
  public Optional<WorkflowRow> find(WorkflowId id) {
    synchronized (lock) {
      return kept(id.value()).map(Kept::row);
    }
  }

  @Override
  public Page<WorkflowRow> list(WorkflowFilter filter, PageRequest page) {
    Cursor before = Cursor.of(page).before(filter.startedBefore());
    synchronized (lock) {
      List<Kept> found =
          all()
              .filter(kept -> filter.matches(kept.row))
              .filter(kept -> OLDEST_FIRST.compare(kept.cursor(), before) < 0)
              .sorted(Comparator.comparing(Kept::cursor, OLDEST_FIRST.reversed()))
              .limit(page.rows() + 1L)
              .toList();
      return Page.of(found, page, Kept::row, kept -> kept.cursor().written());
    }
  }

  private Stream<WorkflowRow> matching(WorkflowFilter filter) {
    return all().map(Kept::row).filter(filter::matches);
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
      open.values().stream()
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
      return open.values().stream()
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

  @Override
  public int makeMonthsAhead() {
    return 0;
  }

  private static WakeUp wakeUp(Kept kept) {
    Instant at = kept.row.wakeAt().orElseThrow();
    return new WakeUp(kept.row.id(), kept.row.shard(), new WakeUp.Point(at, kept.number));
  }
}
