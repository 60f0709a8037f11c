package dev.tenure.sharding.task;

import dev.tenure.persistence.codec.BinaryReader;
import dev.tenure.persistence.codec.BinaryWriter;
import dev.tenure.sharding.wire.Frame;
import dev.tenure.sharding.wire.UnreadableMessageError;
import java.util.Set;
import org.apache.pekko.serialization.SerializerWithStringManifest;

/** Hints between nodes, as bytes. */
public final class QueueHintSerializer extends SerializerWithStringManifest {
  /** The same on all nodes of a cluster, and through all releases. */
  static final int IDENTIFIER = 740_003;

  private static final String MANIFEST = "h";
  private static final int KIND = 1;

  @Override
  public int identifier() {
    return IDENTIFIER;
  }

  @Override
  public String manifest(Object object) {
    return MANIFEST;
  }

  @Override
  public byte[] toBinary(Object object) {
    QueueHint hint = (QueueHint) object;
    return Frame.write(
        KIND,
        out -> {
          out.text(hint.from());
          out.all(hint.queues(), BinaryWriter::text);
        });
  }

  @Override
  public Object fromBinary(byte[] bytes, String manifest) {
    if (!manifest.equals(MANIFEST))
      throw new IllegalArgumentException("The manifest \"" + manifest + "\" is unknown here.");
    return Frame.read("A hint", bytes, QueueHintSerializer::read);
  }

  private static QueueHint read(int kind, BinaryReader in) {
    if (kind != KIND) throw UnreadableMessageError.unknown("A hint", kind);
    return new QueueHint(in.text(), Set.copyOf(in.all(BinaryReader::text)));
  }
}
