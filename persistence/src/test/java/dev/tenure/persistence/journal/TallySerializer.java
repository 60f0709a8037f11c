package dev.tenure.persistence.journal;

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
    return object instanceof Tally.Sum ? "sum" : "added";
  }

  @Override
  public byte[] toBinary(Object object) {
    if (object instanceof Tally.Filled filled) return new byte[filled.bytes()];
    long number =
        switch (object) {
          case Tally.Added added -> added.number();
          case Tally.Sum sum -> sum.total();
          default -> throw new IllegalArgumentException(object.getClass().getName());
        };
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  @Override
  public Object fromBinary(byte[] bytes, String manifest) {
    long number = ByteBuffer.wrap(bytes).getLong();
    return manifest.equals("added")
        ? new Tally.Added(READ_BACK, (int) number)
        : new Tally.Sum(READ_BACK, number);
  }
}
