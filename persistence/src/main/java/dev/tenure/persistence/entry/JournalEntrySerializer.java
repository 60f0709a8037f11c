package dev.tenure.persistence.entry;

import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.persistence.pekko.StorageExtension;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.serialization.SerializerWithStringManifest;

/** Journal entries in Pekko's journal. The manifest is short because every row repeats it. */
public final class JournalEntrySerializer extends SerializerWithStringManifest {
  /** Part of every row: never given to another serializer. */
  public static final int IDENTIFIER = 740_001;

  private static final String ENTRY = "s";

  private final Payloads payloads;

  public JournalEntrySerializer(ExtendedActorSystem system) {
    // The storage is asked for when it is needed: it may be set up after the serializers are.
    this.payloads = (id, hash) -> StorageExtension.of(system).storage().payloads().load(id, hash);
  }

  /** For code without an actor system. */
  public JournalEntrySerializer(Payloads payloads) {
    this.payloads = payloads;
  }

  @Override
  public int identifier() {
    return IDENTIFIER;
  }

  @Override
  public String manifest(Object entry) {
    return ((JournalEntry) entry).beginsRun() ? JournalRow.BEGINS_RUN : ENTRY;
  }

  @Override
  public byte[] toBinary(Object entry) {
    return ((JournalEntry) entry).bytes();
  }

  @Override
  public Object fromBinary(byte[] bytes, String manifest) {
    if (!manifest.equals(ENTRY) && !manifest.equals(JournalRow.BEGINS_RUN)) {
      throw new IllegalArgumentException(
          "the manifest '" + manifest + "' is not a journal entry's");
    }
    return JournalEntryCodec.decode(bytes, payloads);
  }
}
