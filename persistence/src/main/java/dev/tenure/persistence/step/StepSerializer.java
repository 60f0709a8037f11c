package dev.tenure.persistence.step;

import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.persistence.pekko.StorageExtension;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.serialization.SerializerWithStringManifest;

/** Steps in Pekko's journal. The manifest is short because every row repeats it. */
public final class StepSerializer extends SerializerWithStringManifest {
  /** Part of every row: never given to another serializer. */
  public static final int IDENTIFIER = 740_001;

  private static final String STEP = "s";

  private final Payloads payloads;

  public StepSerializer(ExtendedActorSystem system) {
    // The storage is asked for when it is needed: it may be set up after the serializers are.
    this.payloads = (id, hash) -> StorageExtension.of(system).storage().payloads().load(id, hash);
  }

  /** For whoever has no actor system. */
  public StepSerializer(Payloads payloads) {
    this.payloads = payloads;
  }

  @Override
  public int identifier() {
    return IDENTIFIER;
  }

  @Override
  public String manifest(Object step) {
    return ((Step) step).beginsRun() ? JournalRow.BEGINS_RUN : STEP;
  }

  @Override
  public byte[] toBinary(Object step) {
    return ((Step) step).bytes();
  }

  @Override
  public Object fromBinary(byte[] bytes, String manifest) {
    if (!manifest.equals(STEP) && !manifest.equals(JournalRow.BEGINS_RUN)) {
      throw new IllegalArgumentException("the manifest '" + manifest + "' is not a step's");
    }
    return StepCodec.decode(bytes, payloads);
  }
}
