package dev.tenure.persistence.postgres;

import dev.tenure.persistence.activity.ActivityCapabilityError;
import dev.tenure.persistence.activity.ActivityRecords;
import dev.tenure.persistence.bulk.BulkOperations;
import dev.tenure.persistence.commit.Batch;
import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.definition.Definitions;
import dev.tenure.persistence.format.EngineBuild;
import dev.tenure.persistence.incident.Incidents;
import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.loss.Losses;
import dev.tenure.persistence.membership.Members;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.persistence.proof.Heads;
import dev.tenure.persistence.proof.Histories;
import dev.tenure.persistence.recovery.Recoveries;
import dev.tenure.persistence.retention.Removals;
import dev.tenure.persistence.signal.Signals;
import dev.tenure.persistence.snapshot.Snapshots;
import dev.tenure.persistence.start.StartKeys;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageCapabilities;
import dev.tenure.persistence.storage.StorageNotSupportedError;
import dev.tenure.persistence.storage.StorageNotWritableError;
import dev.tenure.persistence.storage.StoreIdentity;
import dev.tenure.persistence.task.Tasks;
import dev.tenure.persistence.visibility.Workflows;
import dev.tenure.workflow.WorkflowId;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;

/** A PostgreSQL primary, probed when it is opened. */
public final class PostgresStorage implements Storage {
  /** For the look at the server with which a node begins. */
  private static final Duration PROBE_ANSWER_LIMIT = Duration.ofSeconds(30);

  /** An index on a journal of a terabyte takes hours; a server that is gone ends it sooner. */
  private static final Duration MIGRATION_ANSWER_LIMIT = Duration.ofHours(12);

  private static final Duration HISTORIES_ANSWER_LIMIT = Duration.ofMinutes(10);

  private final PostgresSettings settings;
  private final PostgresProbe probe;
  private final StorageCapabilities capabilities;
  private final Connections connections;
  private final Transactions transactions;
  private final PostgresCommits commits;
  private final WithoutHistory withoutHistory;
  private final PostgresJournal journal;
  private final PostgresLeases leases;
  private final PostgresMembers members;
  private final PostgresWorkflows workflows;
  private final PostgresPayloads payloads;
  private final PostgresDefinitions definitions;
  private final PostgresSnapshots snapshots;
  private final PostgresIncidents incidents;
  private final PostgresRecoveries recoveries;
  private final PostgresSignals signals;
  private final PostgresStartKeys startKeys;
  private final PostgresActivityRecords activities;
  private final PostgresTasks tasks;
  private final PostgresBulkOperations bulkOperations;
  private final PostgresRemovals removals;
  private final PostgresLosses losses;

  private PostgresStorage(PostgresSettings settings, PostgresProbe probe) {
    this.settings = settings;
    this.probe = probe;
    this.capabilities = probe.capabilities();
    connections = new Connections(settings, probe);
    DataSource work = connections.of(ConnectionPurpose.WORK);
    DataSource queries = connections.of(ConnectionPurpose.QUERIES);
    DataSource ownership = connections.of(ConnectionPurpose.LEASES);
    transactions = new Transactions(work, Duration.ofSeconds(10), Duration.ofSeconds(20));
    commits = new PostgresCommits(connections.of(ConnectionPurpose.COMMITS));
    withoutHistory = new WithoutHistory(work);
    journal = new PostgresJournal(work);
    leases = new PostgresLeases(ownership);
    members = new PostgresMembers(ownership, settings.engine());
    workflows = new PostgresWorkflows(queries, new DueScans(work));
    payloads = new PostgresPayloads(work);
    definitions = new PostgresDefinitions(work);
    snapshots = new PostgresSnapshots(work);
    incidents = new PostgresIncidents(queries);
    recoveries = new PostgresRecoveries(ownership, work);
    signals = new PostgresSignals(work, capabilities);
    startKeys = new PostgresStartKeys(work);
    activities = new PostgresActivityRecords(work, transactions, payloads, capabilities);
    tasks = new PostgresTasks(work, transactions, payloads, activities);
    bulkOperations = new PostgresBulkOperations(queries);
    removals = new PostgresRemovals(work);
    losses = new PostgresLosses(ownership, work, probe.tellsLog());
  }

  /** Connects and probes; writes nothing. */
  public static PostgresStorage open(PostgresSettings settings) {
    try {
      PostgresProbe probe = PostgresProbe.of(PostgresPool.forProbe(settings, PROBE_ANSWER_LIMIT));
      return new PostgresStorage(settings, probe);
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("connecting to " + settings.url(), e);
    }
  }

  @Override
  public StorageCapabilities capabilities() {
    return capabilities;
  }

  @Override
  public void prepare(StoreIdentity wanted) {
    if (!probe.supported()) throw new StorageNotSupportedError(capabilities());
    if (!probe.writable()) throw new StorageNotWritableError(capabilities());
    // Behind a pooler, the lock that serialises migrations would belong to no session of this node.
    if (settings.migration().isPresent() && !probe.pooled()) {
      PostgresSettings.Login owner = settings.migration().get();
      new Migrations(
              PostgresPool.unpooled(settings, owner, MIGRATION_ANSWER_LIMIT),
              settings.applicationRole(),
              settings.engine())
          .migrate();
    } else {
      new Migrations(
              connections.of(ConnectionPurpose.WORK), settings.applicationRole(), settings.engine())
          .verify();
    }
    transactions.run(
        "recording what the store is",
        connection -> {
          StoreMeta.recordOrCompare(connection, wanted);
          return null;
        });
    workflows.makeMonthsAhead();
  }

  @Override
  public EngineBuild engine() {
    return settings.engine();
  }

  @Override
  public int writableLevel() {
    return members.writableLevel();
  }

  @Override
  public Instant time() {
    return leases.time();
  }

  @Override
  public List<CommitResult> commit(List<Commit> batch) {
    if (!capabilities.conditionalBatch() && Batch.claimsCalls(batch))
      ActivityCapabilityError.require(PostgresStorage.class, false, capabilities.reasons());
    return commits.commit(batch);
  }

  @Override
  public boolean writeWithoutHistory(WorkflowId id, Fence fence, List<SideRow> rows) {
    return withoutHistory.write(id, fence, rows);
  }

  @Override
  public List<Long> newestVersions(List<String> persistenceIds) {
    return journal.newestVersions(persistenceIds);
  }

  @Override
  public List<List<JournalRow>> read(List<JournalRead> reads) {
    return journal.read(reads);
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

  @Override
  public Losses losses() {
    return losses;
  }

  /** Throws when the schema is not this engine's, and changes nothing. */
  public void requireSchema() {
    new Migrations(
            connections.of(ConnectionPurpose.WORK), settings.applicationRole(), settings.engine())
        .verify();
  }

  /** Where the histories end, as the rows of workflows have it. */
  public Heads heads() {
    return new PostgresHeads(connections.of(ConnectionPurpose.WORK));
  }

  /** All histories, over connections outside of the pools. */
  public Histories histories() {
    return new PostgresHistories(
        PostgresPool.unpooled(settings, settings.application(), HISTORIES_ANSWER_LIMIT));
  }

  /** What the statements of this purpose run on. */
  DataSource connections(ConnectionPurpose purpose) {
    return connections.of(purpose);
  }

  @Override
  public void close() {
    connections.close();
  }
}
