package dev.tenure.persistence.entry;

import dev.tenure.persistence.codec.Apart;
import dev.tenure.persistence.codec.BinaryReader;
import dev.tenure.persistence.codec.BinaryWriter;
import dev.tenure.persistence.codec.CorruptEntryError;
import dev.tenure.persistence.codec.PersistedEntryIncompatibleError;
import dev.tenure.persistence.codec.StateCodec;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.persistence.snapshot.StoredSnapshot;
import dev.tenure.workflow.Admitted;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.StateSnapshot;
import java.util.Arrays;
import java.util.Optional;

/**
 * The state of a workflow after one of its commits, with the link of that commit. A reader compares
 * the link with the journal's; because links form a chain, that also compares everything before.
 *
 * @param head of the commit
 * @param link of the commit, as the next one carries it
 * @param memory what the workflow's program had learned by then, when it can go on from that; empty
 *     when the program has to learn the whole history anew, as code has
 */
public record Snapshot(
    WorkflowId id, Head head, ChainLink link, StateSnapshot state, Optional<Payload> memory) {
  /**
   * Rises with every change of what is written, and of what folding leaves in a state: a snapshot
   * of another format is not read, and the history is folded instead.
   */
  public static final int FORMAT = 2;

  private static final int USUAL_BYTES = 1_024;

  /** What a stored snapshot is. */
  public sealed interface Reading {
    record Read(Snapshot snapshot) implements Reading {}

    /** Another version of the engine wrote it. */
    record OtherFormat(String why) implements Reading {}

    record Damaged(String why) implements Reading {}
  }

  /** Format, then what it stands for, the state, and at the end a hash of all of it. */
  public StoredSnapshot encode() {
    BinaryWriter out = new BinaryWriter(USUAL_BYTES);
    // The commits that brought large payloads have stored them: they are referred to.
    out.keepApart(Apart.ofSnapshot(id));
    out.byteOf(FORMAT);
    int record = out.begin();
    out.text(id.value());
    out.number(head.completed());
    out.number(head.version());
    out.raw(link.bytes());
    out.end(record);
    StateCodec.write(out, state);
    // Never apart: no commit has stored it.
    out.optional(memory, (o, bytes) -> o.block(bytes.bytes()));
    byte[] sealed = out.toBytes();
    out.raw(link.with(sealed).bytes());
    return new StoredSnapshot(id, head.version(), out.toBytes());
  }

  /**
   * @param payloads reads the payloads that are kept apart, when the code asks for their content
   */
  public static Reading decode(StoredSnapshot stored, Payloads payloads) {
    byte[] content = stored.content();
    if (content.length <= ChainLink.BYTES) return new Reading.Damaged("it is too short");
    int format = content[0] & 0xff;
    if (format != FORMAT)
      return new Reading.OtherFormat("it has format %d, not %d".formatted(format, FORMAT));
    try {
      return Admitted.read(() -> read(stored, payloads));
    } catch (PersistedEntryIncompatibleError newer) {
      return new Reading.OtherFormat(newer.getMessage());
    } catch (RuntimeException damaged) {
      // A damaged snapshot is not used at all.
      return new Reading.Damaged(damaged.toString());
    }
  }

  private static Reading read(StoredSnapshot stored, Payloads payloads) {
    byte[] content = stored.content();
    int length = content.length - ChainLink.BYTES;
    byte[] sealed = Arrays.copyOf(content, length);
    BinaryReader in = new BinaryReader(sealed, payloads);
    in.byteOf();
    int outer = in.begin();
    WorkflowId id = new WorkflowId(in.text());
    Head head = new Head(in.number(), in.number());
    ChainLink link = ChainLink.of(in.raw(ChainLink.BYTES));
    in.end(outer);
    ChainLink seal = ChainLink.of(Arrays.copyOfRange(content, length, content.length));
    if (!seal.equals(link.with(sealed))) return new Reading.Damaged("its hash is another");
    if (!id.equals(stored.id()) || head.version() != stored.version())
      return new Reading.Damaged(
          "it is of workflow %s at version %d".formatted(id, head.version()));
    StateSnapshot state = StateCodec.read(in);
    Optional<Payload> memory = in.optional(BinaryReader::block).map(Payload::of);
    if (in.hasMore()) throw new CorruptEntryError("it goes on behind its end");
    if (!state.start().id().equals(id))
      return new Reading.Damaged("its state is of workflow " + state.start().id());
    return new Reading.Read(new Snapshot(id, head, link, state, memory));
  }

  /**
   * Which version a recovery reads next, when it has read up to {@code readTo} and the program
   * remembers: such a program needs no commit that the snapshot includes.
   */
  public long readOn(long readTo) {
    return (memory.isPresent() ? head.version() : readTo) + 1;
  }

  /** Whether it stands for the history that ends with this commit. */
  public boolean isOf(JournalEntry commit) {
    return commit.head().equals(head) && commit.link().equals(link);
  }
}
