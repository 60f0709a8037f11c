package dev.tenure.persistence.storage;

import dev.tenure.persistence.activity.ActivityRecords;
import dev.tenure.persistence.bulk.BulkOperations;
import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.definition.Definitions;
import dev.tenure.persistence.format.EngineBuild;
import dev.tenure.persistence.format.FormatLevel;
import dev.tenure.persistence.incident.Incidents;
import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.journal.ReadTooLargeError;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.loss.Losses;
import dev.tenure.persistence.membership.Members;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.persistence.recovery.Recoveries;
import dev.tenure.persistence.retention.Removals;
import dev.tenure.persistence.signal.Signals;
import dev.tenure.persistence.snapshot.Snapshots;
import dev.tenure.persistence.start.StartKeys;
import dev.tenure.persistence.task.Tasks;
import dev.tenure.persistence.visibility.Workflows;
import dev.tenure.workflow.WorkflowId;
import java.time.Instant;
import java.util.List;

/**
 * Where everything durable is kept. The promises below are tested by {@code StorageContract}, which
 * the test of every adapter inherits. All methods block, may be called from any thread, and throw
 * {@link StorageException} when the store cannot be reached.
 */
public interface Storage extends AutoCloseable {
  /** What was found when the storage was opened, probed and not assumed. */
  StorageCapabilities capabilities();

  /**
   * Brings the store to this engine's format, and records what the store is, or compares. Called
   * once, after {@link CheckpointOwnership#require}, before anything is read, claimed or written.
   * May be called by several processes at once. When it throws, the store is as it was.
   *
   * @throws PersistedDataIncompatibleError when the store is newer than this engine understands
   * @throws dev.tenure.persistence.format.EngineTooOldError when records may stand in it that this
   *     engine does not read
   * @throws OwnershipModeMismatchError when the store was first used with another ownership mode
   * @throws ShardCountMismatchError when the store was first used with another number of shards
   * @throws SchemaNotReadyError when the schema is not there and cannot be brought there
   */
  void prepare(StoreIdentity wanted);

  /** The engine that works on the store: what it reads decides what it may take for damaged. */
  default EngineBuild engine() {
    return EngineBuild.CURRENT;
  }

  /**
   * The level of formats up to which may be written now: all engines on the store read it, and an
   * engine that does not is refused. It only rises, and may be known late.
   */
  default int writableLevel() {
    return Math.min(engine().writes(), FormatLevel.WRITTEN);
  }

  /** The time by the store's clock, which decides what is due and who holds what. */
  Instant time();

  /**
   * Stores the batch in one transaction. A commit is stored when, at that moment, its shard's lease
   * is at its epoch and its version is the next one of its persistence id; its side rows are stored
   * with it. Result {@code i} tells what became of commit {@code i}: one that is not stored leaves
   * the others alone. A commit that is already there, with the same identity, is reported as
   * committed and stored no second time: after {@link StorageException.OutcomeUnknown} the same
   * batch can be given again.
   *
   * @throws StorageException.Refused when the store cannot hold some row of the batch; nothing of
   *     it was stored
   * @throws IllegalArgumentException when a persistence id is in the batch twice; nothing was
   *     stored
   */
  List<CommitResult> commit(List<Commit> batch);

  /**
   * Writes rows of an open workflow whose history cannot be read, so that no commit of it can.
   * False when the fence does not hold (I16) or the workflow is closed (I4); then nothing was
   * written.
   */
  boolean writeWithoutHistory(WorkflowId id, Fence fence, List<SideRow> rows);

  /** For each persistence id, its newest stored version, 0 when there is none. */
  List<Long> newestVersions(List<String> persistenceIds);

  /** The payload of rows in one answer to several reads. */
  long READ_BYTES_MAX = 32L * 1024 * 1024;

  /**
   * For each read, its rows in version order, as many as it allows.
   *
   * @throws ReadTooLargeError when several reads have more than {@link #READ_BYTES_MAX} together
   */
  List<List<JournalRow>> read(List<JournalRead> reads);

  /** The leases: which node holds which shard. */
  Leases leases();

  /** What lists, searches and wake-ups know of workflows. */
  Workflows workflows();

  /** The payloads that are kept apart from the journal. */
  Payloads payloads();

  /** Programs that are documents. */
  Definitions definitions();

  /** The snapshots of workflows with long histories. */
  Snapshots snapshots();

  /** The incidents: workflows that wait for a person. */
  Incidents incidents();

  /** The workflows that were at work when nodes were lost. */
  Recoveries recoveries();

  /** The signals that wait for workflows. */
  Signals signals();

  /** Which nodes there are, for forming a cluster. */
  Members members();

  /** Which workflow the key of a start belongs to. */
  StartKeys startKeys();

  /** The records of keyed calls of activities. */
  ActivityRecords activities();

  /** The calls of activities that wait for workers. */
  Tasks tasks();

  /** Removes closed workflows. */
  Removals removals();

  /** The orders to many workflows. */
  BulkOperations bulkOperations();

  /** What the store has lost of what it acknowledged. */
  default Losses losses() {
    return Losses.IMPOSSIBLE;
  }

  @Override
  void close();
}
