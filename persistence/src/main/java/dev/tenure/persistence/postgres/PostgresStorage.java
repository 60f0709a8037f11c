package dev.tenure.persistence.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.tenure.persistence.activity.ActivityCapabilityError;
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
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.membership.Members;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.persistence.recovery.Recoveries;
import dev.tenure.persistence.signal.Signals;
import dev.tenure.persistence.snapshot.Snapshots;
import dev.tenure.persistence.start.StartKeys;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageCapabilities;
import dev.tenure.persistence.storage.StorageNotWritableError;
import dev.tenure.persistence.storage.StoreIdentity;
import dev.tenure.persistence.task.Tasks;
import dev.tenure.persistence.visibility.Workflows;
import dev.tenure.workflow.WorkflowId;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/** A PostgreSQL primary, probed when it is opened. */
public final class PostgresStorage implements Storage {
  /** A commit batch or a recovery read that takes longer has lost its server. */
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);

  private static final Duration CHECKOUT_LIMIT = Duration.ofSeconds(5);

  /** A lease that is not renewed soon is lost: its holder must know early that it cannot ask. */
  private static final Duration LEASE_CHECKOUT_LIMIT = Duration.ofSeconds(4);

  private static final Duration LEASE_ANSWER_LIMIT = Duration.ofSeconds(8);
  private static final Duration MIGRATION_ANSWER_LIMIT = Duration.ofMinutes(30);

  /** Claims and renewals have connections of their own: commits must not delay them. */
  private static final int LEASE_CONNECTIONS = 4;

  private final PostgresSettings settings;
  private final PostgresProbe probe;
  private final HikariDataSource database;
  private final HikariDataSource leaseDatabase;
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

  private PostgresStorage(PostgresSettings settings, PostgresProbe probe) {
    this.settings = settings;
    this.probe = probe;
    database =
        PostgresPool.open(settings, "tenure", settings.poolSize(), CHECKOUT_LIMIT, ANSWER_LIMIT);
    leaseDatabase =
        PostgresPool.open(
            settings, "tenure-leases", LEASE_CONNECTIONS, LEASE_CHECKOUT_LIMIT, LEASE_ANSWER_LIMIT);
    transactions = new Transactions(database, Duration.ofSeconds(10), Duration.ofSeconds(20));
    commits = new PostgresCommits(database);
    withoutHistory = new WithoutHistory(database);
    journal = new PostgresJournal(database);
    leases = new PostgresLeases(leaseDatabase);
    members = new PostgresMembers(leaseDatabase);
    workflows = new PostgresWorkflows(database);
    payloads = new PostgresPayloads(database);
    definitions = new PostgresDefinitions(database);
    snapshots = new PostgresSnapshots(database);
    incidents = new PostgresIncidents(database);
    // Part of claiming a shard, which never waits for the work that goes on.
    recoveries = new PostgresRecoveries(leaseDatabase);
    signals = new PostgresSignals(database, probe.capabilities());
    startKeys = new PostgresStartKeys(database);
    activities =
        new PostgresActivityRecords(database, transactions, payloads, probe.capabilities());
    tasks = new PostgresTasks(database, transactions, payloads, activities);
    bulkOperations = new PostgresBulkOperations(database);
  }

  /** Connects and probes; writes nothing. */
  public static PostgresStorage open(PostgresSettings settings) {
    try {
      PostgresProbe probe =
          PostgresProbe.of(PostgresPool.unpooled(settings, settings.application(), ANSWER_LIMIT));
      return new PostgresStorage(settings, probe);
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("connecting to " + settings.url(), e);
    }
  }

  @Override
  public StorageCapabilities capabilities() {
    return probe.capabilities();
  }

  @Override
  public void prepare(StoreIdentity wanted) {
    if (!probe.writable()) throw new StorageNotWritableError(capabilities());
    // Behind a pooler, the lock that serialises migrations would belong to no session of this node.
    if (settings.migration().isPresent() && !probe.pooled()) {
      PostgresSettings.Login owner = settings.migration().get();
      new Migrations(
              PostgresPool.unpooled(settings, owner, MIGRATION_ANSWER_LIMIT),
              settings.applicationRole())
          .migrate();
    } else {
      new Migrations(database, settings.applicationRole()).verify();
    }
    transactions.run(
        "recording what the store is",
        connection -> {
          StoreMeta.recordOrCompare(connection, wanted);
          return null;
        });
  }

  @Override
  public List<CommitResult> commit(List<Commit> batch) {
    StorageCapabilities found = capabilities();
    if (!found.conditionalBatch() && Batch.claimsCalls(batch))
      ActivityCapabilityError.require(PostgresStorage.class, false, found.findings());
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
  public BulkOperations bulkOperations() {
    return bulkOperations;
  }

  /** What the statements run on. */
  DataSource connections() {
    return database;
  }

  @Override
  public void close() {
    leaseDatabase.close();
    database.close();
  }
}
