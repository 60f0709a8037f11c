package dev.tenure.persistence.entry;

import dev.tenure.persistence.codec.BinaryWriter;

/** A step that no engine writes: causes inside causes, without an end. */
final class DeepFailure {
  private DeepFailure() {}

  static byte[] step(int depth) {
    BinaryWriter out = new BinaryWriter(1_000);
    out.byteOf(JournalEntryCodec.FORMAT);
    int frame = out.begin();
    out.number(1);
    out.number(1);
    out.number(0);
    out.number(1);
    out.raw(new byte[ChainLink.BYTES]);
    out.end(frame);
    out.number(1);
    out.byteOf(21); // an update that was answered
    out.byteOf(1);
    int event = out.begin();
    out.moment(JournalEntrySamples.T);
    out.text("u");
    out.byteOf(2); // failed
    int outcome = out.begin();
    failure(out, depth);
    out.end(outcome);
    out.end(event);
    return out.toBytes();
  }

  private static void failure(BinaryWriter out, int depth) {
    int record = out.begin();
    out.text("t");
    out.text("m");
    out.flag(false);
    out.flag(false);
    out.text("");
    out.flag(depth > 0);
    if (depth > 0) failure(out, depth - 1);
    out.end(record);
  }
}
