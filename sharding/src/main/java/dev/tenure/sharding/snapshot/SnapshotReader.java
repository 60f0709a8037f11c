package dev.tenure.sharding.snapshot;

import dev.tenure.persistence.entry.JournalEntryCodec;
import dev.tenure.persistence.entry.Snapshot;
import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.snapshot.StoredSnapshot;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.workflow.WorkflowId;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Finds the snapshot that a recovery may begin with. A stored snapshot is compared with the journal
 * first: the commit that it stands for must be there, with the same link, which says that all
 * commits before it are the same, and it must be of the newest run.
 */
public final class SnapshotReader {
  private static final Logger log = LoggerFactory.getLogger(SnapshotReader.class);

  /**
   * Beyond this number entries are forgotten: then a snapshot is tried or made in vain once more.
   */
  private static final int REMEMBERED_MAX = 10_000;

  /** Why a stored snapshot is not used. */
  public enum Ignored {
    DAMAGED(Level.WARN),
    /** Engines of several versions may share a store for a while. */
    OTHER_FORMAT(Level.INFO),
    /** The journal does not come to its commit. */
    NEWER_THAN_JOURNAL(Level.WARN),
    /** Another run has begun behind its commit, as runs do. */
    OTHER_RUN(Level.DEBUG),
    /** The journal has another commit there, or others before it. */
    OTHER_HISTORY(Level.WARN),
    /** It could not be read. */
    UNREADABLE(Level.WARN),
    /** Its program cannot go on from what it remembered then. */
    DISTRUSTED(Level.WARN);

    private final Level level;

    Ignored(Level level) {
      this.level = level;
    }
  }

  private final Storage storage;
  private final Map<Ignored, AtomicLong> ignored = new EnumMap<>(Ignored.class);
  private final AtomicLong used = new AtomicLong();

  /** Up to which version the snapshots of a workflow are not used any more. */
  private final Map<WorkflowId, Long> distrusted = new ConcurrentHashMap<>();

  /** Workflows of which it is unknown whether they have a snapshot. */
  private final Set<WorkflowId> unanswered = ConcurrentHashMap.newKeySet();

  public SnapshotReader(Storage storage) {
    this.storage = storage;
    for (Ignored why : Ignored.values()) ignored.put(why, new AtomicLong());
  }

  /**
   * The snapshot of the workflow, when it saves the recovery work and the journal agrees with it.
   * Blocks.
   *
   * @param readTo up to which version the newest run was read already: an older snapshot saves
   *     nothing
   */
  public Optional<Snapshot> find(WorkflowId id, String persistenceId, long readTo) {
    Optional<Snapshot> found;
    try {
      found =
          storage
              .snapshots()
              .find(id)
              .filter(stored -> stored.version() > Math.max(readTo, trustedFrom(id)))
              .flatMap(stored -> decoded(stored, persistenceId));
      unanswered.remove(id);
    } catch (RuntimeException failure) {
      found = ignore(id, Ignored.UNREADABLE, failure.toString());
      noAnswer(id);
    }
    if (found.isPresent()) used.incrementAndGet();
    return found;
  }

  /** The store did not say in time whether the workflow has a snapshot. */
  public void noAnswer(WorkflowId id) {
    if (unanswered.size() >= REMEMBERED_MAX) unanswered.clear();
    unanswered.add(id);
  }

  /** Whether the newest look for a snapshot of the workflow had no answer. */
  public boolean hadNoAnswer(WorkflowId id) {
    return unanswered.contains(id);
  }

  private long trustedFrom(WorkflowId id) {
    return distrusted.getOrDefault(id, 0L);
  }

  /** The snapshots of the workflow up to that version are not used any more. */
  public void distrust(WorkflowId id, long version, String why) {
    if (distrusted.size() >= REMEMBERED_MAX) distrusted.clear();
    distrusted.merge(id, version, Math::max);
    ignore(id, Ignored.DISTRUSTED, why);
  }

  private Optional<Snapshot> decoded(StoredSnapshot stored, String persistenceId) {
    return switch (Snapshot.decode(stored, storage.payloads())) {
      case Snapshot.Reading.Read(Snapshot snapshot) -> ofJournal(snapshot, persistenceId);
      case Snapshot.Reading.OtherFormat(String why) ->
          ignore(stored.id(), Ignored.OTHER_FORMAT, why);
      case Snapshot.Reading.Damaged(String why) -> ignore(stored.id(), Ignored.DAMAGED, why);
    };
  }

  private Optional<Snapshot> ofJournal(Snapshot snapshot, String persistenceId) {
    long version = snapshot.head().version();
    JournalRead read = new JournalRead(persistenceId, version, Long.MAX_VALUE, 1, true);
    List<JournalRow> rows = storage.read(List.of(read)).getFirst();
    if (rows.isEmpty())
      return ignore(snapshot.id(), Ignored.NEWER_THAN_JOURNAL, "it is of version " + version);
    JournalRow row = rows.getFirst();
    if (row.version() != version)
      return ignore(
          snapshot.id(),
          Ignored.OTHER_RUN,
          "it is of version %d, and the newest run begins at %d".formatted(version, row.version()));
    if (!snapshot.isOf(JournalEntryCodec.decode(row, storage)))
      return ignore(
          snapshot.id(), Ignored.OTHER_HISTORY, "version %d has another link".formatted(version));
    return Optional.of(snapshot);
  }

  private Optional<Snapshot> ignore(WorkflowId id, Ignored why, String evidence) {
    ignored.get(why).incrementAndGet();
    log.atLevel(why.level)
        .log(
            "the snapshot of workflow {} is ignored, and its history folded instead: {}, {}",
            id,
            why,
            evidence);
    return Optional.empty();
  }

  /** How many snapshots this node did not use for that reason since it started. */
  public long ignored(Ignored why) {
    return ignored.get(why).get();
  }

  /** How many recoveries began with a snapshot since the node started. */
  public long used() {
    return used.get();
  }
}
