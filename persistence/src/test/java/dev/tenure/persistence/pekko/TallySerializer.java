package dev.tenure.persistence.pekko;

import dev.tenure.persistence.commit.Fence;
import java.nio.ByteBuffer;
import org.apache.pekko.serialization.SerializerWithStringManifest;

/** Numbers as eight bytes. */
public final class TallySerializer extends SerializerWithStringManifest {
  private static final Fence READ_BACK = new Fence(0, 1);

  @Override
  public int identifier() {
    return 730_099;
  }

  @Override
  public String manifest(Object object) {
    return "added";
  }

  @Override
  public byte[] toBinary(Object object) {
    return switch (object) {
      case Tally.Filled filled -> new byte[filled.bytes()];
      case Tally.Added added -> ByteBuffer.allocate(Long.BYTES).putLong(added.number()).array();
      default -> throw new IllegalArgumentException(object.getClass().getName());
    };
  }

  @Override
  public Object fromBinary(byte[] bytes, String manifest) {
    return new Tally.Added(READ_BACK, (int) ByteBuffer.wrap(bytes).getLong());
  }
}
