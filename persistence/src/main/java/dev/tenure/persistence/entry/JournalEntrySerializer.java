package dev.tenure.persistence.entry;

import dev.tenure.persistence.codec.PersistedEntryIncompatibleError;
import dev.tenure.persistence.format.FormatLevel;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.journal.PayloadForm;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.persistence.pekko.StorageExtension;
import java.util.function.IntSupplier;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.serialization.SerializerWithStringManifest;

/** Journal entries in Pekko's journal. The manifest is short because every row repeats it. */
public final class JournalEntrySerializer extends SerializerWithStringManifest {
  public static final int IDENTIFIER = PayloadForm.ENTRIES;

  static final String ENTRY = "s";

  private final Payloads payloads;
  private final IntSupplier level;

  public JournalEntrySerializer(ExtendedActorSystem system) {
    // The storage is asked for when it is needed: it may be set up after the serializers are.
    this.payloads = (id, hash) -> StorageExtension.of(system).storage().payloads().load(id, hash);
    this.level = () -> StorageExtension.of(system).storage().engine().reads();
  }

  /** For code without an actor system. */
  public JournalEntrySerializer(Payloads payloads) {
    this.payloads = payloads;
    this.level = () -> FormatLevel.READ;
  }

  @Override
  public int identifier() {
    return IDENTIFIER;
  }

  @Override
  public String manifest(Object entry) {
    return ((JournalEntry) entry).manifest();
  }

  @Override
  public byte[] toBinary(Object entry) {
    return ((JournalEntry) entry).bytes();
  }

  @Override
  public Object fromBinary(byte[] bytes, String manifest) {
    requireKnown(manifest);
    return JournalEntryCodec.decode(bytes, payloads, level.getAsInt());
  }

  /** Throws when only a newer engine writes such rows. */
  static void requireKnown(String manifest) {
    if (!manifest.equals(ENTRY) && !manifest.equals(JournalRow.BEGINS_RUN))
      throw new PersistedEntryIncompatibleError(
          "a journal entry with the manifest '" + manifest + "'");
  }
}
