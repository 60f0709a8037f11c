package dev.tenure.persistence.entry;

import dev.tenure.persistence.codec.Apart;
import dev.tenure.persistence.codec.BinaryReader;
import dev.tenure.persistence.codec.BinaryWriter;
import dev.tenure.persistence.codec.CorruptEntryError;
import dev.tenure.persistence.codec.EventCodec;
import dev.tenure.persistence.codec.PersistedEntryIncompatibleError;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.format.FormatLevel;
import dev.tenure.persistence.journal.DamagedJournalError;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.journal.PayloadForm;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.workflow.Admitted;
import dev.tenure.workflow.kernel.Event;
import java.util.List;
import java.util.Optional;

/**
 * The bytes of a journal entry: format, head, fence, link, and then each event with its own
 * version.
 */
public final class JournalEntryCodec {
  /**
   * Rises with a change of this frame, and of what its {@link ChainLink} covers; events have
   * versions of their own. The frame of format 1 is the same, and its link covered less.
   */
  public static final int FORMAT = 2;

  /** What was written before the chain covered columns and ids. */
  static final int OF_PAYLOADS_ONLY = 1;

  private static final int USUAL_BYTES = 192;

  private JournalEntryCodec() {}

  /**
   * @param apart keeps large payloads beside the entry; when empty, everything is in it
   * @param level of formats up to which may be written
   */
  static byte[] encode(
      List<Event> events,
      Head head,
      Fence fence,
      ChainLink previous,
      Optional<Apart> apart,
      int level) {
    BinaryWriter out = new BinaryWriter(USUAL_BYTES, level);
    apart.ifPresent(out::keepApart);
    out.byteOf(FORMAT);
    int record = out.begin();
    out.number(head.completed());
    out.number(head.version());
    out.number(fence.shard());
    out.number(fence.epoch());
    out.raw(previous.bytes());
    out.end(record);
    out.number(events.size());
    for (int i = 0; i < events.size(); i++) EventCodec.write(out, events.get(i));
    return out.toBytes();
  }

  /**
   * The journal entry that these bytes are.
   *
   * @throws PersistedEntryIncompatibleError when only a newer engine understands them
   * @throws CorruptEntryError when no engine wrote them
   */
  public static JournalEntry decode(byte[] stored) {
    return decode(stored, Payloads.NONE);
  }

  /**
   * As {@link #decode(byte[])}.
   *
   * @param payloads reads the payloads that are kept apart, when the code asks for their content
   */
  public static JournalEntry decode(byte[] stored, Payloads payloads) {
    return decode(stored, payloads, FormatLevel.READ);
  }

  /**
   * The entry of a row, as the engine that works on the storage reads it. Only an entry of a row
   * has a link.
   *
   * @throws DamagedJournalError when a column says something else than the payload
   */
  public static JournalEntry decode(JournalRow row, Storage storage) {
    return decode(row, storage.payloads(), storage.engine().reads());
  }

  /** As {@link #decode(JournalRow, Storage)}, with all that this build reads. */
  public static JournalEntry decode(JournalRow row, Payloads payloads) {
    return decode(row, payloads, FormatLevel.READ);
  }

  private static JournalEntry decode(JournalRow row, Payloads payloads, int level) {
    PayloadForm form = PayloadForm.ofColumn(row.manifest());
    if (form.serializer() != JournalEntrySerializer.IDENTIFIER)
      throw new PersistedEntryIncompatibleError(
          "a journal row of the serializer " + form.serializer());
    JournalEntrySerializer.requireKnown(form.manifest());
    return decode(row.payload(), payloads, level).storedAs(row);
  }

  /**
   * As {@link #decode(byte[])}.
   *
   * @param level the newest of formats that the engine reads
   */
  static JournalEntry decode(byte[] stored, Payloads payloads, int level) {
    try {
      return Admitted.read(() -> read(stored, payloads, level));
    } catch (PersistedEntryIncompatibleError | CorruptEntryError e) {
      throw e;
    } catch (RuntimeException e) {
      // What the values themselves refuse: a name that is empty, an hour that cannot be.
      throw new CorruptEntryError(e);
    }
  }

  private static JournalEntry read(byte[] stored, Payloads payloads, int level) {
    BinaryReader in = new BinaryReader(stored, payloads, level);
    int format = in.byteOf();
    if (format == 0) throw new CorruptEntryError("its format is 0");
    if (format > FORMAT)
      throw new PersistedEntryIncompatibleError("a journal entry", format, FORMAT);
    int outer = in.begin();
    Head head = new Head(in.number(), in.number());
    Fence fence = new Fence(in.smallNumber(), in.number());
    ChainLink previous = ChainLink.of(in.raw(ChainLink.BYTES));
    in.end(outer);
    List<Event> events = in.all(EventCodec::read);
    if (in.hasMore()) throw new CorruptEntryError("it goes on behind its last event");
    return JournalEntry.stored(events, head, fence, previous, stored, in.apart());
  }
}
