package dev.tenure.bench.commits;

import dev.tenure.persistence.commit.Fence;
import org.apache.pekko.serialization.SerializerWithStringManifest;

/** As cheap as a serializer can be: both journals are measured, not an encoding. */
public final class BenchSerializer extends SerializerWithStringManifest {
  private static final int IDENTIFIER = 730_001;
  private static final Fence NONE = new Fence(0, 1);

  @Override
  public int identifier() {
    return IDENTIFIER;
  }

  @Override
  public String manifest(Object event) {
    return "b";
  }

  @Override
  public byte[] toBinary(Object event) {
    return ((BenchEvent) event).payload();
  }

  @Override
  public Object fromBinary(byte[] bytes, String manifest) {
    return new BenchEvent(NONE, bytes);
  }
}
