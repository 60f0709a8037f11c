package dev.tenure.sharding.wire;

import dev.tenure.persistence.codec.BinaryReader;
import dev.tenure.persistence.codec.BinaryWriter;
import dev.tenure.persistence.codec.CorruptEntryError;
import dev.tenure.persistence.codec.PersistedEntryIncompatibleError;
import java.util.function.Consumer;

/**
 * The bytes around a message: version, kind, length, fields in their order. Fields are only ever
 * added behind the others, and readers pass over those they do not know; a change that an older
 * node would misunderstand raises the version. Numbers of kinds are never used again.
 */
public final class Frame {
  public static final int VERSION = 1;

  private static final int USUAL_BYTES = 192;

  /** Makes a message of its fields. */
  @FunctionalInterface
  public interface Fields<T> {
    T read(int kind, BinaryReader in);
  }

  private Frame() {}

  public static byte[] write(int kind, Consumer<BinaryWriter> fields) {
    BinaryWriter out = new BinaryWriter(USUAL_BYTES);
    out.byteOf(VERSION);
    out.byteOf(kind);
    int record = out.begin();
    fields.accept(out);
    out.end(record);
    return out.toBytes();
  }

  /**
   * @throws UnreadableMessageError when the bytes are not such a message; for no bytes anything
   *     else
   */
  public static <T> T read(String what, byte[] bytes, Fields<T> fields) {
    try {
      BinaryReader in = new BinaryReader(bytes);
      int version = in.byteOf();
      if (version < 1) throw new UnreadableMessageError.Damaged("no version is " + version);
      if (version > VERSION) throw new UnreadableMessageError.FromNewerNode(what, version, VERSION);
      int kind = in.byteOf();
      int outer = in.begin();
      T message = fields.read(kind, in);
      in.end(outer);
      if (in.hasMore()) throw new UnreadableMessageError.Damaged("it goes on behind its end");
      return message;
    } catch (UnreadableMessageError e) {
      throw e;
    } catch (PersistedEntryIncompatibleError e) {
      throw new UnreadableMessageError.FromNewerNode(e);
    } catch (CorruptEntryError e) {
      throw new UnreadableMessageError.Damaged(e);
    } catch (RuntimeException e) {
      // A value refused its content: an id that is empty, a time that cannot be.
      throw new UnreadableMessageError.Damaged(e);
    }
  }
}
