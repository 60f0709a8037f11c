package dev.tenure.persistence.storage;

import dev.tenure.persistence.commit.Batch;
import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.incident.Incidents;
import dev.tenure.persistence.incident.MemoryIncidents;
import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.lease.Lease;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.lease.MemoryLeases;
import dev.tenure.persistence.membership.Members;
import dev.tenure.persistence.membership.MemoryMembers;
import dev.tenure.persistence.payload.MemoryPayloads;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.persistence.recovery.MemoryRecoveries;
import dev.tenure.persistence.recovery.Recoveries;
import dev.tenure.persistence.signal.MemorySignals;
import dev.tenure.persistence.signal.Signals;
import dev.tenure.persistence.visibility.MemoryWorkflows;
import dev.tenure.persistence.visibility.Workflows;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import javax.sql.DataSource;

/**
 * A storage inside one process, for tests: the same promises, except that nothing outlives the
 * process or is seen from another one.
 *
 * <p>One lock stands for the transactions of a database: whoever holds it sees and changes
 * everything at once.
 */
public final class MemoryStorage implements Storage {
  private final Object lock = new Object();
  private final boolean conditionalBatch;
  private final MemoryLeases leases;
  private final MemoryMembers members;
  private final MemoryWorkflows workflows;
  private final MemoryPayloads payloads;
  private final MemoryIncidents incidents;
  private final MemoryRecoveries recoveries;
  private final MemorySignals signals;
  private final Map<String, NavigableMap<Long, JournalRow>> journal = new HashMap<>();
  private final Map<String, List<List<Object>>> sideRows = new HashMap<>();
  private StoreIdentity identity;
  private long ordering;

  private MemoryStorage(InstantSource clock, boolean conditionalBatch) {
    this.conditionalBatch = conditionalBatch;
    this.leases = new MemoryLeases(lock, clock);
    this.members = new MemoryMembers(clock);
    this.workflows = new MemoryWorkflows(lock, clock);
    this.payloads = new MemoryPayloads(lock);
    this.incidents = new MemoryIncidents(lock, workflows, leases, this::apply);
    this.recoveries = new MemoryRecoveries(lock, workflows, leases);
    this.signals = new MemorySignals(lock, clock, workflows, payloads, this::capabilities);
  }

  /** The clock stands for the database's: it decides when leases expire. */
  public static MemoryStorage create(InstantSource clock) {
    return new MemoryStorage(clock, true);
  }

  /**
   * One that stores whatever anybody gives it over whatever is there, as a plain key-value store
   * would: for showing that an engine refuses to share it.
   */
  public static MemoryStorage withoutConditionalBatch(InstantSource clock) {
    return new MemoryStorage(clock, false);
  }

  @Override
  public StorageCapabilities capabilities() {
    List<String> findings = new ArrayList<>();
    if (!conditionalBatch) findings.add("it was made without conditionalBatch");
    findings.add("it lives in the memory of one process");
    return new StorageCapabilities(conditionalBatch, true, true, true, false, false, findings);
  }

  @Override
  public void prepare(StoreIdentity wanted) {
    synchronized (lock) {
      if (identity == null) identity = wanted;
      wanted.requireRecorded(identity.mode().configName(), Integer.toString(identity.shards()));
    }
  }

  @Override
  public List<CommitResult> commit(List<Commit> batch) {
    Batch.requireOnePerPersistenceId(batch);
    synchronized (lock) {
      batch.stream()
          .filter(commit -> newestVersion(commit.id().persistenceId()) < commit.id().version())
          .flatMap(commit -> commit.sideRows().stream())
          .forEach(workflows::requireApplicable);
      return batch.stream().map(this::commit).toList();
    }
  }

  private CommitResult commit(Commit commit) {
    NavigableMap<Long, JournalRow> history =
        journal.computeIfAbsent(commit.id().persistenceId(), id -> new TreeMap<>());
    long version = commit.id().version();
    JournalRow there = history.get(version);
    if (there != null && there.writer().equals(commit.id().writer())) {
      return new CommitResult.Committed(version); // an earlier attempt stored it
    }
    if (conditionalBatch) {
      long epoch = leases.find(commit.fence().shard()).map(Lease::epoch).orElse(0L);
      if (epoch != commit.fence().epoch()) {
        return new CommitResult.Fenced(commit.fence().epoch(), epoch); // I16
      }
      long newest = history.isEmpty() ? 0 : history.lastKey();
      if (newest != version - 1) return new CommitResult.Conflict(version - 1, newest); // I2
    }
    history.put(version, row(commit));
    apply(commit.sideRows());
    return new CommitResult.Committed(version);
  }

  private void apply(List<SideRow> rows) {
    rows.stream().sorted(Comparator.comparing(side -> side.kind().turn())).forEach(this::apply);
  }

  private void apply(SideRow side) {
    if (workflows.apply(side) || signals.apply(side)) return;
    if (payloads.apply(side)) return;
    if (incidents.apply(side) || recoveries.apply(side)) return;
    sideRows.computeIfAbsent(side.kind().name(), kind -> new ArrayList<>()).add(side.values());
  }

  private JournalRow row(Commit commit) {
    return new JournalRow(
        ++ordering,
        commit.id().persistenceId(),
        commit.id().version(),
        commit.id().writer(),
        commit.fence().shard(),
        commit.fence().epoch(),
        commit.serializerId(),
        commit.manifest(),
        commit.payload().clone(),
        commit.writtenAtMs());
  }

  /** The side rows of a kind that were stored, each as the values of its columns, in order. */
  public List<List<Object>> sideRows(String kind) {
    synchronized (lock) {
      return List.copyOf(sideRows.getOrDefault(kind, List.of()));
    }
  }

  @Override
  public List<Long> newestVersions(List<String> persistenceIds) {
    synchronized (lock) {
      return persistenceIds.stream().map(this::newestVersion).toList();
    }
  }

  private long newestVersion(String persistenceId) {
    NavigableMap<Long, JournalRow> history = journal.get(persistenceId);
    return history == null || history.isEmpty() ? 0 : history.lastKey();
  }

  @Override
  public List<List<JournalRow>> read(List<JournalRead> reads) {
    synchronized (lock) {
      return reads.stream().map(this::read).toList();
    }
  }

  private List<JournalRow> read(JournalRead wish) {
    NavigableMap<Long, JournalRow> history = journal.get(wish.persistenceId());
    if (history == null || wish.from() > wish.to()) return List.of();
    long run =
        history.values().stream()
            .filter(row -> wish.newestRun() && row.manifest().equals(JournalRow.BEGINS_RUN))
            .mapToLong(JournalRow::version)
            .max()
            .orElse(wish.from());
    long from = Math.max(run, wish.from());
    if (from > wish.to()) return List.of();
    return history.subMap(from, true, wish.to(), true).values().stream()
        .limit(wish.maxRows())
        .toList();
  }

  @Override
  public Leases leases() {
    return leases;
  }

  @Override
  public Workflows workflows() {
    return workflows;
  }

  @Override
  public Payloads payloads() {
    return payloads;
  }

  @Override
  public Incidents incidents() {
    return incidents;
  }

  @Override
  public Recoveries recoveries() {
    return recoveries;
  }

  @Override
  public Signals signals() {
    return signals;
  }

  @Override
  public Members members() {
    return members;
  }

  @Override
  public DataSource dataSource() {
    return new NoConnections(getClass().getName());
  }

  @Override
  public void close() {}
}
