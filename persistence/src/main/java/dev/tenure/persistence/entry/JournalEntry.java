package dev.tenure.persistence.entry;

import dev.tenure.persistence.codec.Apart;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.format.FormatLevel;
import dev.tenure.persistence.pekko.Fenced;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Digits;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Fork;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One commit of one workflow, as the journal keeps it: what happened, where that leaves the
 * checkpoint, under which tenure it was written, and the link to the commit before. It is encoded
 * when it is made, because its own link, which the next entry carries, is a hash of its stored
 * bytes.
 */
public final class JournalEntry implements Fenced {
  private final List<Event> events;
  private final Head head;
  private final Fence fence;
  private final ChainLink previous;
  private final List<SideRow> sideRows;
  private final byte[] stored;
  private final ChainLink link;
  private List<Payload> apart = List.of();

  private JournalEntry(
      List<Event> events,
      Head head,
      Fence fence,
      ChainLink previous,
      List<SideRow> sideRows,
      byte[] stored) {
    this.events = events;
    this.head = head;
    this.fence = fence;
    this.previous = previous;
    this.sideRows = sideRows;
    this.stored = stored;
    this.link = previous.after(stored);
  }

  /**
   * A journal entry that is about to be committed.
   *
   * @param previous the link of the entry before it, {@link ChainLink#NONE} for the first
   * @param sideRows what is stored in the same transaction, and not part of the journal
   */
  public static JournalEntry next(
      List<Event> events, Head head, Fence fence, ChainLink previous, List<SideRow> sideRows) {
    List<Event> copy = List.copyOf(events);
    byte[] stored =
        JournalEntryCodec.encode(
            copy, head, fence, previous, Optional.empty(), FormatLevel.WRITTEN);
    return new JournalEntry(copy, head, fence, previous, List.copyOf(sideRows), stored);
  }

  /** As {@link #next}, of a workflow whose large payloads are kept beside the journal. */
  public static JournalEntry next(
      WorkflowId id,
      List<Event> events,
      Head head,
      Fence fence,
      ChainLink previous,
      List<SideRow> sideRows) {
    return encode(id, events, head, fence, previous).with(sideRows);
  }

  /**
   * Ends a history that cannot be read: no owner goes on behind this entry, even if the rows before
   * it are restored.
   *
   * @param version after the newest that is stored
   */
  public static JournalEntry seal(long version, Fence fence, List<SideRow> sideRows) {
    return next(List.of(), new Head(0, version), fence, ChainLink.SEAL, sideRows);
  }

  /**
   * An entry that has its bytes and not yet its side rows, so that its size is known before
   * anything depends on it.
   */
  public static final class Encoded {
    private final List<Event> events;
    private final Head head;
    private final Fence fence;
    private final ChainLink previous;
    private final byte[] stored;
    private final List<SideRow> apart;

    private Encoded(
        List<Event> events,
        Head head,
        Fence fence,
        ChainLink previous,
        byte[] stored,
        List<SideRow> apart) {
      this.events = events;
      this.head = head;
      this.fence = fence;
      this.previous = previous;
      this.stored = stored;
      this.apart = apart;
    }

    /** Of the journal's row. */
    public int bytes() {
      return stored.length;
    }

    public List<Event> events() {
      return events;
    }

    public JournalEntry with(List<SideRow> sideRows) {
      if (apart.isEmpty())
        return new JournalEntry(events, head, fence, previous, List.copyOf(sideRows), stored);
      List<SideRow> all = new ArrayList<>(sideRows);
      all.addAll(apart);
      return new JournalEntry(events, head, fence, previous, List.copyOf(all), stored);
    }
  }

  /** As the other, on a store that allows all that this build writes. */
  public static Encoded encode(
      WorkflowId id, List<Event> events, Head head, Fence fence, ChainLink previous) {
    return encode(id, events, head, fence, previous, FormatLevel.WRITTEN);
  }

  /**
   * The bytes of an entry, with its large payloads beside them.
   *
   * @param level of formats up to which may be written
   */
  public static Encoded encode(
      WorkflowId id, List<Event> events, Head head, Fence fence, ChainLink previous, int level) {
    List<Event> copy = List.copyOf(events);
    Apart apart = new Apart(id, fence.shard());
    byte[] stored =
        JournalEntryCodec.encode(copy, head, fence, previous, Optional.of(apart), level);
    return new Encoded(copy, head, fence, previous, stored, apart.rows());
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

  /** An entry as it was stored. */
  static JournalEntry stored(
      List<Event> events,
      Head head,
      Fence fence,
      ChainLink previous,
      byte[] stored,
      List<Payload> apart) {
    JournalEntry entry =
        new JournalEntry(List.copyOf(events), head, fence, previous, List.of(), stored);
    entry.apart = apart;
    return entry;
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

  /** This entry's own link, for the next one to carry. */
  public ChainLink link() {
    return link;
  }

  @Override
  public Optional<byte[]> storedLink() {
    return Optional.of(link.bytes());
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
    requireAfter(before.head, before.link);
  }

  /** As {@link #requireAfter(JournalEntry)}, of a commit of which only that is known. */
  public void requireAfter(Head before, ChainLink link) {
    requireNoSeal();
    if (head.version() != before.version() + 1 || !previous.equals(link)) {
      throw new BrokenChainError(before, link, head, previous);
    }
  }

  /** Throws {@link SealedHistoryError} when the workflow was ended without its history. */
  public void requireNoSeal() {
    if (previous.equals(ChainLink.SEAL)) throw new SealedHistoryError(head);
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
    return other instanceof JournalEntry that && java.util.Arrays.equals(stored, that.stored);
  }

  @Override
  public int hashCode() {
    return link.hashCode();
  }

  @Override
  public String toString() {
    return "%d operations ended, version %d, epoch %d: %s"
        .formatted(head.completed(), head.version(), fence.epoch(), events);
  }
}
