package dev.tenure.persistence.step;

import org.apache.pekko.serialization.SerializerWithStringManifest;

/** Steps in Pekko's journal. The manifest is short because every row repeats it. */
public final class StepSerializer extends SerializerWithStringManifest {
  /** Part of every row: never given to another serializer. */
  public static final int IDENTIFIER = 740_001;

  private static final String STEP = "s";

  @Override
  public int identifier() {
    return IDENTIFIER;
  }

  @Override
  public String manifest(Object step) {
    return STEP;
  }

  @Override
  public byte[] toBinary(Object step) {
    return ((Step) step).bytes();
  }

  @Override
  public Object fromBinary(byte[] bytes, String manifest) {
    if (!manifest.equals(STEP)) {
      throw new IllegalArgumentException("the manifest '" + manifest + "' is not a step's");
    }
    return StepCodec.decode(bytes);
  }
}
