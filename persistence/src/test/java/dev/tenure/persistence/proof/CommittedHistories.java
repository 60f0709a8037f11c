package dev.tenure.persistence.proof;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitId;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.commit.Writers;
import dev.tenure.persistence.entry.Authorship;
import dev.tenure.persistence.entry.ChainLink;
import dev.tenure.persistence.entry.Head;
import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.entry.JournalEntrySerializer;
import dev.tenure.persistence.journal.JournalKey;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.persistence.postgres.PostgresStorage;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.persistence.visibility.Attributes;
import dev.tenure.persistence.visibility.WorkflowChange;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.collation.Inception;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Start;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A database with workflows that do nothing but commit. */
public final class CommittedHistories implements AutoCloseable {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final WorkflowType TYPE = new WorkflowType("t", 1);
  private static final ActivityLedger LEDGER = new ActivityLedger(1_100_000_000_000L);
  private static final JournalEntrySerializer SERIALIZER =
      new JournalEntrySerializer(Payloads.NONE);

  public final TestDatabase database = TestDatabase.migrated();
  public final PostgresStorage storage = database.open();
  private final Fence fence;

  public CommittedHistories() {
    Holder holder = new Holder("nora", 1);
    Leases.Claim claim = storage.leases().acquire(0, holder, gone -> true, Duration.ofMinutes(10));
    fence = new Fence(0, ((Leases.Claim.Granted) claim).epoch(), holder.incarnation());
  }

  public Heads heads() {
    return storage.heads();
  }

  /**
   * A closed workflow with two runs of three commits each. The first begins with an input that
   * stands apart, the fourth commit begins the second run.
   */
  public WorkflowId closed(String name) {
    WorkflowId id = new WorkflowId(name);
    Payload large = Payload.of(new byte[Payloads.APART_BYTES + 1]);
    List<List<Event>> commits = new ArrayList<>();
    commits.add(
        List.of(new Event.Started(NOW, start(id, "run-1", large), Inception.create(1), LEDGER)));
    commits.add(List.of(new Event.Paused(NOW, "one of " + name)));
    commits.add(List.of(new Event.Paused(NOW, "two of " + name)));
    commits.add(
        List.of(
            new Event.ContinuedAsNew(
                NOW,
                start(id, "run-2", Payload.NONE),
                Inception.create(1),
                LEDGER,
                0,
                List.of(),
                List.of(),
                List.of())));
    commits.add(List.of(new Event.Paused(NOW, "three of " + name)));
    commits.add(List.of(new Event.Closed(NOW)));
    ChainLink link = ChainLink.NONE;
    for (int i = 0; i < commits.size(); i++)
      link = commit(id, i + 1, commits.get(i), link, rows(id, i + 1, commits.size()));
    return id;
  }

  /** An open one with so many commits. */
  public WorkflowId open(String name, int commits) {
    WorkflowId id = new WorkflowId(name);
    ChainLink link = ChainLink.NONE;
    for (int version = 1; version <= commits; version++) {
      Event event =
          version == 1
              ? new Event.Started(
                  NOW, start(id, "run-1", Payload.NONE), Inception.create(1), LEDGER)
              : new Event.Paused(NOW, "pause " + version);
      link = commit(id, version, List.of(event), link, rows(id, version, Integer.MAX_VALUE));
    }
    return id;
  }

  private static List<SideRow> rows(WorkflowId id, int version, int last) {
    if (version == last)
      return List.of(new SideRow.WorkflowChanged(WorkflowChange.closes(id, Status.COMPLETED, NOW)));
    return version > 1
        ? List.of()
        : List.of(
            new SideRow.WorkflowStarted(
                new WorkflowRow(
                    id,
                    0,
                    "run-1",
                    TYPE,
                    Status.WAITING,
                    Optional.empty(),
                    NOW,
                    Optional.empty(),
                    Optional.empty(),
                    Attributes.of("of", id.value()).and("count", 7L))));
  }

  private ChainLink commit(
      WorkflowId id, long version, List<Event> events, ChainLink link, List<SideRow> rows) {
    Authorship by = new Authorship(id, Writers.named("w-" + version));
    JournalEntry entry =
        JournalEntry.encode(by, events, new Head(0, version), fence, link).with(rows);
    Commit commit =
        new Commit(
            new CommitId(JournalKey.of(id), version, by.writer()),
            fence,
            SERIALIZER.manifest(entry),
            SERIALIZER.toBinary(entry),
            entry.sideRows(),
            entry.storedLink());
    CommitResult result = storage.commit(List.of(commit)).getFirst();
    if (!(result instanceof CommitResult.Committed)) throw new AssertionError(result);
    return entry.link();
  }

  private static Start start(WorkflowId id, String run, Payload input) {
    return new Start(
        id, run, TYPE, input, 1, Optional.empty(), Optional.empty(), Optional.empty(), Map.of());
  }

  @Override
  public void close() {
    storage.close();
    database.close();
  }
}
