package dev.tenure.persistence.memory;

import dev.tenure.persistence.activity.ActivityRecords;
import dev.tenure.persistence.bulk.BulkOperations;
import dev.tenure.persistence.commit.Batch;
import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.definition.Definitions;
import dev.tenure.persistence.incident.Incidents;
import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.journal.ReadTooLargeError;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.membership.Members;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.persistence.recovery.Recoveries;
import dev.tenure.persistence.retention.Removals;
import dev.tenure.persistence.signal.Signals;
import dev.tenure.persistence.snapshot.Snapshots;
import dev.tenure.persistence.start.StartKeys;
import dev.tenure.persistence.storage.Finding;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageCapabilities;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.persistence.storage.StoreIdentity;
import dev.tenure.persistence.task.TaskId;
import dev.tenure.persistence.task.Tasks;
import dev.tenure.persistence.visibility.WorkflowChange;
import dev.tenure.persistence.visibility.Workflows;
import dev.tenure.workflow.WorkflowId;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * A storage inside one process, for tests: the same promises, except that nothing outlives the
 * process or is seen from another one.
 *
 * <p>One lock stands for the transactions of a database: the thread that holds it sees and changes
 * everything at once.
 */
public final class MemoryStorage implements Storage {
  private final Object lock = new Object();
  private final InstantSource clock;
  private final boolean conditionalBatch;
  private final MemoryLeases leases;
  private final MemoryMembers members;
  private final MemoryWorkflows workflows;
  private final MemoryPayloads payloads;
  private final MemoryDefinitions definitions;
  private final MemorySnapshots snapshots;
  private final MemoryIncidents incidents;
  private final MemoryRecoveries recoveries;
  private final MemorySignals signals;
  private final MemoryStartKeys startKeys;
  private final MemoryActivityRecords activities;
  private final MemoryTasks tasks;
  private final MemoryBulkOperations bulkOperations;
  private final MemoryRemovals removals;
  private final Map<String, NavigableMap<Long, JournalRow>> journal = new HashMap<>();
  private StoreIdentity identity;

  private MemoryStorage(InstantSource clock, boolean conditionalBatch) {
    this.clock = clock;
    this.conditionalBatch = conditionalBatch;
    this.leases = new MemoryLeases(lock, clock);
    this.members = new MemoryMembers(clock);
    this.workflows = new MemoryWorkflows(lock, clock);
    this.payloads = new MemoryPayloads(lock);
    this.definitions = new MemoryDefinitions(lock);
    this.snapshots = new MemorySnapshots(lock, workflows);
    this.incidents = new MemoryIncidents(lock);
    this.recoveries = new MemoryRecoveries(lock, workflows, leases);
    this.signals = new MemorySignals(lock, clock, workflows, payloads, this::capabilities);
    this.startKeys = new MemoryStartKeys(lock, clock, workflows);
    this.activities = new MemoryActivityRecords(lock, clock, workflows, payloads, conditionalBatch);
    this.tasks = new MemoryTasks(lock, clock, workflows, payloads, activities);
    this.bulkOperations = new MemoryBulkOperations(lock, clock);
    this.removals = workflows.removals().leaving(this::forget);
  }

  /** The clock stands for the database's: it decides when leases expire. */
  public static MemoryStorage create(InstantSource clock) {
    return new MemoryStorage(clock, true);
  }

  /**
   * A storage that overwrites without a check, as a plain key-value store would: for showing that
   * an engine refuses to share it.
   */
  public static MemoryStorage withoutConditionalBatch(InstantSource clock) {
    return new MemoryStorage(clock, false);
  }

  @Override
  public StorageCapabilities capabilities() {
    List<Finding> findings = new ArrayList<>();
    if (!conditionalBatch)
      findings.add(new Finding(Finding.Kind.UNCONDITIONAL, "it was made without conditionalBatch"));
    findings.add(new Finding(Finding.Kind.IN_MEMORY, "it lives in the memory of one process"));
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
  public Instant time() {
    return clock.instant();
  }

  @Override
  public List<CommitResult> commit(List<Commit> batch) {
    Batch.requireOnePerPersistenceId(batch);
    if (Batch.claimsCalls(batch)) activities.requireCapable();
    synchronized (lock) {
      for (Commit commit : batch)
        if (newestVersion(commit.id().persistenceId()) < commit.id().version())
          commit.sideRows().forEach(this::requireApplicable);
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
      if (!leases.isHeld(commit.fence())) // I16
      return new CommitResult.Fenced(commit.fence().epoch(), leases.epoch(commit.fence().shard()));
      long newest = history.isEmpty() ? 0 : history.lastKey();
      if (newest != version - 1) return new CommitResult.Conflict(version - 1, newest); // I2
      for (SideRow row : commit.sideRows())
        if (row instanceof SideRow.SignalTaken taken && !signals.mayTake(taken))
          return new CommitResult.SignalNotTaken(commit.id());
    }
    history.put(version, JournalRow.of(commit));
    apply(commit.sideRows());
    return new CommitResult.Committed(version);
  }

  private void requireApplicable(SideRow row) {
    if (row instanceof SideRow.WorkflowStarted start && workflows.hasOpen(start.workflow()))
      throw new StorageException.Refused("workflow " + start.workflow() + " has a row", null);
    if (row instanceof SideRow.WorkflowStarted start) removals.requireFree(start.workflow());
  }

  /** Removes what a workflow leaves beside its row. The lock is held. */
  private void forget(WorkflowId id) {
    journal.remove(id.value());
    payloads.remove(id);
    activities.remove(id);
    snapshots.remove(id);
    signals.removeInbox(id);
    incidents.close(id);
    recoveries.progressed(id);
    tasks.removeAll(id);
  }

  private void apply(List<SideRow> rows) {
    rows.stream().sorted(Comparator.comparing(SideRow::order)).forEach(this::apply);
  }

  private void apply(SideRow side) {
    switch (side) {
      case SideRow.WorkflowStarted start -> workflows.start(start.row());
      case SideRow.WorkflowStartedAgain again -> {
        workflows.startAgain(again.row());
        signals.settle(again.workflow());
      }
      case SideRow.WorkflowChanged changed -> {
        workflows.change(changed.change());
        if (changed.change().closedAt().isPresent() && !leavesNothing(changed.change()))
          signals.settle(changed.workflow());
      }
      case SideRow.SignalConsumed consumed -> signals.consume(consumed);
      case SideRow.SignalTaken taken -> signals.take(taken);
      case SideRow.SignalReturned returned -> signals.giveBack(returned);
      case SideRow.IncidentRaised raised -> incidents.raise(raised.row());
      case SideRow.IncidentClosed closed -> incidents.close(closed.workflow());
      case SideRow.WorkflowProgressed progressed -> recoveries.progressed(progressed.workflow());
      case SideRow.PayloadKept payload -> payloads.keep(payload);
      case SideRow.ActivityClaimed claimed -> activities.claim(claimed);
      case SideRow.ActivitySettled settled -> activities.settle(settled);
      case SideRow.TaskOffered offered -> tasks.accept(offered.offer());
      case SideRow.TaskHeldBack held -> tasks.holdBack(held.offer());
      case SideRow.TaskRemoved removed -> tasks.remove(removed.task());
      case SideRow.TasksRemoved removed -> tasks.removeAll(removed.workflow());
      case SideRow.ResultsAwaited awaited -> tasks.await(awaited.workflow());
    }
  }

  /**
   * A commit that closes a workflow may say that its inbox is empty, if nothing was accepted since.
   */
  private boolean leavesNothing(WorkflowChange change) {
    OptionalLong upTo = change.emptyUpTo();
    return upTo.isPresent() && workflows.isNewestSignal(change.id(), upTo.getAsLong());
  }

  @Override
  public boolean writeWithoutHistory(WorkflowId id, Fence fence, List<SideRow> rows) {
    synchronized (lock) {
      boolean open = workflows.isClosed(id.value()).filter(closed -> !closed).isPresent();
      if (!leases.isHeld(fence) || !open) return false;
      apply(rows);
      return true;
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
      List<List<JournalRow>> found = reads.stream().map(this::read).toList();
      long bytes =
          found.stream().flatMap(List::stream).mapToLong(row -> row.payload().length).sum();
      if (reads.size() > 1 && bytes > READ_BYTES_MAX)
        throw new ReadTooLargeError(reads.size(), bytes, READ_BYTES_MAX);
      return found;
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
    List<JournalRow> rows = new ArrayList<>();
    long bytes = 0;
    for (JournalRow row : history.subMap(from, true, wish.to(), true).values()) {
      if (rows.size() >= wish.maxRows() || bytes >= wish.maxBytes()) break;
      rows.add(row);
      bytes += row.payload().length;
    }
    return rows;
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
  public Definitions definitions() {
    return definitions;
  }

  @Override
  public Snapshots snapshots() {
    return snapshots;
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
  public StartKeys startKeys() {
    return startKeys;
  }

  @Override
  public ActivityRecords activities() {
    return activities;
  }

  @Override
  public Tasks tasks() {
    return tasks;
  }

  @Override
  public Removals removals() {
    return removals;
  }

  @Override
  public BulkOperations bulkOperations() {
    return bulkOperations;
  }

  /** Removes the answers to a signal and leaves its payload, as only damage does. For tests. */
  public void loseAnswers(String workflowId, String signalId) {
    signals.loseAnswers(workflowId, signalId);
  }

  /**
   * Takes the owner of a task for told of its outcome: nothing makes the workflow due any more. For
   * tests.
   */
  public void takeForTold(TaskId id) {
    synchronized (lock) {
      tasks.takeForTold(id);
    }
  }

  @Override
  public void close() {}
}
