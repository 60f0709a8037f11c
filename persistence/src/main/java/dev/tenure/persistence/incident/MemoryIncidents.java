package dev.tenure.persistence.incident;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.lease.Lease;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.visibility.Cursor;
import dev.tenure.persistence.visibility.MemoryWorkflows;
import dev.tenure.persistence.visibility.Page;
import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The incidents of a storage inside one process. */
public final class MemoryIncidents implements Incidents {
  private record Kept(IncidentRow row, long number) {}

  private static final Comparator<Kept> OLDEST_FIRST =
      Comparator.comparing((Kept kept) -> kept.row.since()).thenComparing(Kept::number);

  private final Object lock;
  private final MemoryWorkflows workflows;
  private final Leases leases;
  private final Map<String, Kept> rows = new TreeMap<>();
  private long lastNumber;

  /**
   * @param lock what the storage holds while it commits
   */
  public MemoryIncidents(Object lock, MemoryWorkflows workflows, Leases leases) {
    this.lock = lock;
    this.workflows = workflows;
    this.leases = leases;
  }

  /** Applies a side row of a commit; false when it is of another kind. The lock is held. */
  public boolean apply(SideRow side) {
    if (side.kind().equals(IncidentWrites.RAISE)) raise(row(side.values()));
    else if (side.kind().equals(IncidentWrites.CLOSE))
      rows.remove(KeyText.ofColumn((String) side.values().getFirst()));
    else return false;
    return true;
  }

  private void raise(IncidentRow row) {
    rows.put(row.workflow().value(), new Kept(row, ++lastNumber));
  }

  private static IncidentRow row(List<Object> v) {
    return new IncidentRow(
        new WorkflowId(text(v.get(0))),
        text(v.get(1)),
        new WorkflowType(text(v.get(2)), (Integer) v.get(3)),
        (Integer) v.get(4),
        (Long) v.get(5),
        Instant.parse((String) v.get(6)),
        (String) v.get(7),
        (String) v.get(8),
        Optional.ofNullable((String) v.get(9)).map(KeyText::ofColumn),
        (String) v.get(10));
  }

  private static String text(Object column) {
    return KeyText.ofColumn((String) column);
  }

  @Override
  public Optional<IncidentRow> find(WorkflowId id) {
    synchronized (lock) {
      return Optional.ofNullable(rows.get(id.value())).map(Kept::row);
    }
  }

  private Stream<Kept> matching(IncidentFilter filter) {
    return rows.values().stream().filter(kept -> filter.matches(kept.row));
  }

  @Override
  public Page<IncidentRow> list(IncidentFilter filter, PageRequest page) {
    Cursor before = Cursor.of(page);
    synchronized (lock) {
      List<Kept> found =
          matching(filter)
              .filter(kept -> new Cursor(kept.row.since(), kept.number).isBefore(before))
              .sorted(OLDEST_FIRST.reversed())
              .limit(page.rows() + 1L)
              .toList();
      List<IncidentRow> kept = found.stream().limit(page.rows()).map(Kept::row).toList();
      if (found.size() <= page.rows()) return new Page<>(kept, Optional.empty());
      Kept last = found.get(page.rows() - 1);
      return new Page<>(kept, Optional.of(new Cursor(last.row.since(), last.number).written()));
    }
  }

  @Override
  public Page<IncidentGroup> groups(IncidentFilter filter, PageRequest page) {
    synchronized (lock) {
      Map<String, List<Kept>> byCause =
          matching(filter)
              .filter(kept -> kept.row.fingerprint().compareTo(page.cursor().orElse("")) > 0)
              .sorted(OLDEST_FIRST)
              .collect(
                  Collectors.groupingBy(
                      kept -> kept.row.fingerprint(), TreeMap::new, Collectors.toList()));
      List<IncidentGroup> found =
          byCause.values().stream().limit(page.rows() + 1L).map(MemoryIncidents::group).toList();
      return IncidentGroups.page(found, page);
    }
  }

  private static IncidentGroup group(List<Kept> oldestFirst) {
    IncidentRow newest = oldestFirst.getLast().row;
    return new IncidentGroup(
        newest.fingerprint(),
        newest.kind(),
        newest.type().name(),
        oldestFirst.size(),
        oldestFirst.getFirst().row.since(),
        newest.since(),
        newest.evidence());
  }

  @Override
  public boolean raiseWithoutHistory(IncidentRow row, Fence fence) {
    synchronized (lock) {
      long epoch = leases.find(fence.shard()).map(Lease::epoch).orElse(0L);
      if (epoch != fence.epoch() || !workflows.standStill(row.workflow())) return false;
      raise(row);
      return true;
    }
  }
}
