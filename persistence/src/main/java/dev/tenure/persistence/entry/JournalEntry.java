package dev.tenure.persistence.entry;

import dev.tenure.persistence.codec.Apart;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.format.FormatLevel;
import dev.tenure.persistence.journal.DamagedJournalError;
import dev.tenure.persistence.journal.JournalKey;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.pekko.Fenced;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Digits;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Fork;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * One commit of one workflow, as the journal keeps it: what happened, where that leaves the
 * checkpoint, under which tenure it was written, and the link to the commit before. It is encoded
 * when it is made, because its own link, which the next entry carries, is a hash of its stored
 * bytes and of what its row says beside them.
 */
public final class JournalEntry implements Fenced {
  private final List<Event> events;
  private final Head head;
  private final Fence fence;
  private final ChainLink previous;
  private final List<SideRow> sideRows;
  private final byte[] stored;
  private final List<Payload> apart;

  /** Empty when it was read without its row. */
  private final Optional<Authorship> by;

  /** Made when it is asked for first. */
  private ChainLink link;

  private JournalEntry(
      List<Event> events,
      Head head,
      Fence fence,
      ChainLink previous,
      List<SideRow> sideRows,
      byte[] stored,
      List<Payload> apart,
      Optional<Authorship> by) {
    this.events = events;
    this.head = head;
    this.fence = fence;
    this.previous = previous;
    this.sideRows = sideRows;
    this.stored = stored;
    this.apart = apart;
    this.by = by;
  }

  private JournalEntry with(List<SideRow> rows) {
    JournalEntry entry = new JournalEntry(events, head, fence, previous, rows, stored, apart, by);
    entry.link = link;
    return entry;
  }

  /**
   * A journal entry that is about to be committed.
   *
   * @param previous the link of the entry before it, {@link ChainLink#NONE} for the first
   * @param sideRows what is stored in the same transaction, and not part of the journal
   */
  public static JournalEntry next(
      Authorship by,
      List<Event> events,
      Head head,
      Fence fence,
      ChainLink previous,
      List<SideRow> sideRows) {
    return encode(by, events, head, fence, previous).with(sideRows);
  }

  /**
   * Ends a history that cannot be read: no owner goes on behind this entry, even if the rows before
   * it are restored.
   *
   * @param version after the newest that is stored
   */
  public static JournalEntry seal(
      Authorship by, long version, Fence fence, List<SideRow> sideRows) {
    return next(by, List.of(), new Head(0, version), fence, ChainLink.SEAL, sideRows);
  }

  /**
   * An entry that has its bytes and not yet its side rows, so that its size is known before
   * anything depends on it.
   */
  public static final class Encoded {
    private final JournalEntry entry;
    private final List<SideRow> apart;

    private Encoded(JournalEntry entry, List<SideRow> apart) {
      this.entry = entry;
      this.apart = apart;
    }

    /** Of the journal's row. */
    public int bytes() {
      return entry.stored.length;
    }

    public List<Event> events() {
      return entry.events;
    }

    public Head head() {
      return entry.head;
    }

    /** The entry's own link: no side row is part of it. */
    public ChainLink link() {
      return entry.link();
    }

    public JournalEntry with(List<SideRow> sideRows) {
      if (apart.isEmpty()) return entry.with(List.copyOf(sideRows));
      List<SideRow> all = new ArrayList<>(sideRows);
      all.addAll(apart);
      return entry.with(List.copyOf(all));
    }
  }

  /** As the other, on a store that allows all that this build writes. */
  public static Encoded encode(
      Authorship by, List<Event> events, Head head, Fence fence, ChainLink previous) {
    return encode(by, events, head, fence, previous, FormatLevel.WRITTEN);
  }

  /**
   * The bytes of an entry, with its large payloads beside them.
   *
   * @param level of formats up to which may be written
   */
  public static Encoded encode(
      Authorship by, List<Event> events, Head head, Fence fence, ChainLink previous, int level) {
    List<Event> copy = List.copyOf(events);
    Apart apart = new Apart(by.workflow(), fence.shard());
    byte[] stored =
        JournalEntryCodec.encode(copy, head, fence, previous, Optional.of(apart), level);
    JournalEntry entry =
        new JournalEntry(
            copy, head, fence, previous, List.of(), stored, List.of(), Optional.of(by));
    return new Encoded(entry, apart.rows());
  }

  /** Its events from where its newest run begins; all of them when none begins in it. */
  public List<Event> newestRun() {
    for (int at = events.size() - 1; at > 0; at--)
      if (Fork.followsRun(events.get(at))) return events.subList(at, events.size());
    return events;
  }

  /** Whether a run begins in it, so that nothing before it is needed to go on. */
  boolean beginsRun() {
    for (Event event : events) if (Fork.followsRun(event)) return true;
    return false;
  }

  /** As {@link JournalRow#manifest}. */
  String manifest() {
    return beginsRun() ? JournalRow.BEGINS_RUN : JournalEntrySerializer.ENTRY;
  }

  /** An entry as it was stored. */
  static JournalEntry stored(
      List<Event> events,
      Head head,
      Fence fence,
      ChainLink previous,
      byte[] stored,
      List<Payload> apart) {
    return new JournalEntry(
        List.copyOf(events), head, fence, previous, List.of(), stored, apart, Optional.empty());
  }

  @Override
  public JournalEntry storedAs(JournalRow row) {
    requireColumn(row, "sequence_number", row.version(), head.version());
    requireColumn(row, "shard", row.shard(), fence.shard());
    requireColumn(row, "epoch", row.epoch(), fence.epoch());
    requireColumn(row, "event_ser_manifest", row.manifest(), manifest());
    return of(new Authorship(JournalKey.workflow(row.persistenceId()), row.writer()));
  }

  private static void requireColumn(JournalRow row, String column, Object value, Object payload) {
    if (!value.equals(payload)) throw DamagedJournalError.column(row, column, value, payload);
  }

  /** The entry that was read, with what its row said beside it. */
  public JournalEntry of(Authorship by) {
    return new JournalEntry(
        events, head, fence, previous, sideRows, stored, apart, Optional.of(by));
  }

  /** What its row says beside the payload; empty when it was read without the row. */
  public Optional<Authorship> authorship() {
    return by;
  }

  /** The payloads of an entry that was read which are kept apart from it. */
  public List<Payload> apart() {
    return apart;
  }

  public List<Event> events() {
    return events;
  }

  public Head head() {
    return head;
  }

  @Override
  public Fence fence() {
    return fence;
  }

  @Override
  public List<SideRow> sideRows() {
    return sideRows;
  }

  /** The link of the entry before this one. */
  public ChainLink previous() {
    return previous;
  }

  /**
   * This entry's own link, for the next one to carry. An entry that was read without its row has
   * none.
   */
  public ChainLink link() {
    if (link == null) link = hashed();
    return link;
  }

  @Override
  public Optional<byte[]> storedLink() {
    return Optional.of(link().bytes());
  }

  private ChainLink hashed() {
    if (stored[0] == JournalEntryCodec.OF_PAYLOADS_ONLY) return previous.with(stored);
    Authorship from =
        by.orElseThrow(
            () -> new IllegalStateException("version %d has no row".formatted(head.version())));
    return ChainLink.of(LinkHash.of(from, manifest(), stored));
  }

  /** The integers as the last message of this entry left them; empty when it had none. */
  public Optional<Digits> digits() {
    for (int i = events.size() - 1; i >= 0; i--) {
      if (events.get(i) instanceof Event.OfMessage message) return Optional.of(message.digits());
    }
    return Optional.empty();
  }

  /**
   * Throws {@link BrokenChainError} unless this is what was committed right after the other; called
   * by the code that reads a history.
   */
  public void requireAfter(JournalEntry before) {
    requireAfter(before.head, before.link());
  }

  /** As {@link #requireAfter(JournalEntry)}, of a commit of which only that is known. */
  public void requireAfter(Head before, ChainLink link) {
    requireNoSeal();
    if (head.version() != before.version() + 1 || !previous.equals(link)) {
      throw new BrokenChainError(before, link, head, previous);
    }
  }

  /**
   * Throws {@link DamagedJournalError} unless it is a commit of that workflow; called by the code
   * that reads a history for the first entry that it reads, and for each that begins a run.
   */
  public void requireOf(WorkflowId id) {
    by.map(Authorship::workflow).ifPresent(found -> requireSame(id, found));
    for (Event event : events)
      if (event instanceof Event.BeginsRun first) requireSame(id, first.start().id());
    boolean begins = !events.isEmpty() && events.getFirst() instanceof Event.Started;
    if (head.version() == 1 && !(begins && previous.equals(ChainLink.NONE)))
      throw DamagedJournalError.noBeginning(id, head.version());
  }

  private void requireSame(WorkflowId expected, WorkflowId found) {
    if (!found.equals(expected))
      throw DamagedJournalError.otherWorkflow(expected, found, head.version());
  }

  /** Throws {@link SealedHistoryError} when the workflow was ended without its history. */
  public void requireNoSeal() {
    if (isSeal()) throw new SealedHistoryError(head);
  }

  /** Whether it ends a history that could not be read: it carries no link. */
  public boolean isSeal() {
    return previous.equals(ChainLink.SEAL);
  }

  /** How many bytes the journal's row has. */
  public int size() {
    return stored.length;
  }

  /** The exact bytes of the journal. Read them only. */
  byte[] bytes() {
    return stored;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof JournalEntry that && Arrays.equals(stored, that.stored);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(stored);
  }

  @Override
  public String toString() {
    return "%d operations ended, version %d, epoch %d: %s"
        .formatted(head.completed(), head.version(), fence.epoch(), events);
  }
}
