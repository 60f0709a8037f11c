package dev.tenure.persistence.memory;

import dev.tenure.persistence.incident.IncidentFilter;
import dev.tenure.persistence.incident.IncidentGroup;
import dev.tenure.persistence.incident.IncidentRow;
import dev.tenure.persistence.incident.Incidents;
import dev.tenure.persistence.visibility.Cursor;
import dev.tenure.persistence.visibility.Page;
import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.workflow.WorkflowId;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The incidents of a storage inside one process. */
final class MemoryIncidents implements Incidents {
  private record Kept(IncidentRow row, long number) {}

  private static final Comparator<Kept> OLDEST_FIRST =
      Comparator.comparing((Kept kept) -> kept.row.since()).thenComparing(Kept::number);

  private final Object lock;
  private final Map<String, Kept> rows = new TreeMap<>();
  private long lastNumber;

  /**
   * @param lock what the storage holds while it commits
   */
  MemoryIncidents(Object lock) {
    this.lock = lock;
  }

  /** Called with the lock held. */
  void raise(IncidentRow row) {
    rows.put(row.workflow().value(), new Kept(row, ++lastNumber));
  }

  /** Called with the lock held. */
  void close(WorkflowId id) {
    rows.remove(id.value());
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
      return Page.of(
          found, page, Kept::row, last -> new Cursor(last.row.since(), last.number).written());
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
      return Page.of(found, page, group -> group, IncidentGroup::fingerprint);
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
}
