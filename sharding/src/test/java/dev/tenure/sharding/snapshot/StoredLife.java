package dev.tenure.sharding.snapshot;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitId;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.Writers;
import dev.tenure.persistence.entry.Authorship;
import dev.tenure.persistence.entry.ChainLink;
import dev.tenure.persistence.entry.Head;
import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.entry.JournalEntrySerializer;
import dev.tenure.persistence.entry.Snapshot;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.memory.MemoryStorage;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.collation.Inception;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Kernel;
import dev.tenure.workflow.kernel.Start;
import dev.tenure.workflow.kernel.StateSnapshot;
import dev.tenure.workflow.kernel.WorkflowState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A workflow that does nothing but commit, in a store in memory. */
final class StoredLife {
  static final WorkflowId ID = WorkflowId.of("w");
  static final String PERSISTENCE_ID = "w";
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final JournalEntrySerializer SERIALIZER =
      new JournalEntrySerializer(Payloads.NONE);

  final MemoryStorage storage;
  private final Fence fence;
  private final String words;
  private WorkflowState state = WorkflowState.none();
  private ChainLink link = ChainLink.NONE;
  private long version;

  /**
   * @param words tell its history from that of another of the same id
   */
  StoredLife(MemoryStorage storage, String words) {
    this.storage = storage;
    this.words = words;
    Leases.Claim claim =
        storage.leases().acquire(0, new Holder("nora", 1), holder -> true, Duration.ofDays(1));
    this.fence = new Fence(0, ((Leases.Claim.Granted) claim).epoch(), 1);
  }

  static StoredLife of(String words, int commits) {
    StoredLife life = new StoredLife(MemoryStorage.create(() -> NOW), words);
    life.begin();
    while (life.version < commits) life.commit();
    return life;
  }

  private static Start start(String runId) {
    return new Start(
        ID,
        runId,
        new WorkflowType("t", 1),
        Payload.NONE,
        1,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Map.of());
  }

  private void begin() {
    commit(
        new Event.Started(
            NOW, start("run-1"), Inception.create(1), new ActivityLedger(1_100_000_000_000L)));
  }

  /** A new run begins. */
  void renew() {
    commit(
        new Event.ContinuedAsNew(
            NOW,
            start("run-2"),
            Inception.create(1),
            new ActivityLedger(1_100_000_000_000L),
            0,
            List.of(),
            List.of(),
            List.of()));
  }

  void commit() {
    commit(new Event.Paused(NOW, words + version));
  }

  private void commit(Event event) {
    version++;
    JournalEntry entry =
        JournalEntry.next(
            new Authorship(ID, Writers.named("writer")),
            List.of(event),
            new Head(0, version),
            fence,
            link,
            List.of());
    Commit commit =
        new Commit(
            new CommitId(PERSISTENCE_ID, version, Writers.named("writer")),
            fence,
            SERIALIZER.manifest(entry),
            SERIALIZER.toBinary(entry),
            List.of());
    if (!(storage.commit(List.of(commit)).getFirst() instanceof CommitResult.Committed))
      throw new AssertionError("version " + version + " is not stored");
    state = Kernel.standard().evolve(state, event);
    link = entry.link();
  }

  /** Of where it stands now. */
  Snapshot snapshot() {
    return new Snapshot(ID, new Head(0, version), link, StateSnapshot.of(state), Optional.empty());
  }
}
