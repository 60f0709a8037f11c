package dev.tenure.persistence.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.memory.MemoryStorage;
import dev.tenure.persistence.merging.PipelineSettings;
import dev.tenure.persistence.pekko.StorageSetup;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.BootstrapSetup;
import org.apache.pekko.actor.setup.ActorSystemSetup;
import org.apache.pekko.serialization.SerializationExtension;
import org.apache.pekko.serialization.Serializers;
import dev.tenure.persistence.codec.PersistedEntryIncompatibleError;
import org.junit.jupiter.api.Test;

/** Each step carries the link of the one before, so a history cannot be changed unnoticed. */
class JournalEntryChainTest {
  private static List<JournalEntry> history(int length) {
    List<JournalEntry> entries = new ArrayList<>();
    ChainLink link = ChainLink.NONE;
    for (int version = 1; version <= length; version++) {
      Event event = new Event.Paused(JournalEntrySamples.T.plusSeconds(version), "step " + version);
      JournalEntry entry =
          JournalEntry.next(
              List.of(event), new Head(version - 1, version), new Fence(3, 9), link, List.of());
      entries.add(entry);
      link = entry.link();
    }
    return entries;
  }

  @Test
  void theLinkIsTheHashOfTheLinkBeforeAndTheStoredBytes() throws Exception {
    List<JournalEntry> entries = history(2);
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    digest.update(new byte[32]);
    byte[] first = digest.digest(entries.get(0).bytes());
    assertThat(entries.get(0).link().bytes()).isEqualTo(first);
    assertThat(entries.get(1).previous().bytes()).isEqualTo(first);
    digest.update(first);
    assertThat(entries.get(1).link().bytes()).isEqualTo(digest.digest(entries.get(1).bytes()));
    assertThat(entries.get(0).link().toString()).hasSize(64);
  }

  @Test
  void aHistoryReadBackHoldsTogether() {
    List<JournalEntry> read =
        history(5).stream().map(entry -> JournalEntryCodec.decode(entry.bytes())).toList();
    for (int i = 1; i < read.size(); i++) {
      int at = i;
      assertThatCode(() -> read.get(at).requireAfter(read.get(at - 1))).doesNotThrowAnyException();
    }
  }

  @Test
  void nothingGoesPastASeal() {
    JournalEntry last = history(3).getLast();
    JournalEntry seal =
        JournalEntryCodec.decode(JournalEntry.seal(4, new Fence(3, 10), List.of()).bytes());
    assertThatThrownBy(() -> seal.requireAfter(last))
        .isInstanceOf(SealedHistoryError.class)
        .hasMessageContaining("version 4");
    assertThatThrownBy(seal::requireNoSeal).isInstanceOf(SealedHistoryError.class);
    assertThatCode(last::requireNoSeal).doesNotThrowAnyException();
  }

  @Test
  void aStepThatWasChangedLeftOutOrPutInIsFound() {
    List<JournalEntry> entries = history(4);
    byte[] bytes = entries.get(1).bytes().clone();
    bytes[bytes.length - 1] ^= 1; // "step 2" becomes "step 3"
    JournalEntry changed = JournalEntryCodec.decode(bytes);
    assertThat(changed.events()).isNotEqualTo(entries.get(1).events());
    assertThatThrownBy(() -> entries.get(2).requireAfter(changed))
        .isInstanceOf(BrokenChainError.class)
        .hasMessageContaining("at version 3")
        .hasMessageContaining(entries.get(1).link().toString())
        .hasMessageContaining(changed.link().toString());
    assertThatThrownBy(() -> entries.get(3).requireAfter(entries.get(1)))
        .isInstanceOf(BrokenChainError.class);
    assertThatThrownBy(() -> entries.get(2).requireAfter(entries.get(2)))
        .isInstanceOf(BrokenChainError.class);
  }

  @Test
  void theDigitsAreThoseOfTheLastMessage() {
    Event first = new Event.Resumed(JournalEntrySamples.T, JournalEntrySamples.DIGITS);
    Event last = new Event.Resumed(JournalEntrySamples.T, JournalEntrySamples.CLOSING);
    Event none = new Event.Closed(JournalEntrySamples.T);
    assertThat(JournalEntrySamples.step(first, last, none).digits())
        .contains(JournalEntrySamples.CLOSING);
    assertThat(JournalEntrySamples.step(none).digits()).isEmpty();
  }

  @Test
  void sideRowsAreNotPartOfTheJournal() {
    SideRow row = new SideRow.SignalConsumed(new WorkflowId("w"), 1);
    Event event = new Event.Closed(JournalEntrySamples.T);
    JournalEntry with =
        JournalEntry.next(
            List.of(event), new Head(1, 1), new Fence(0, 1), ChainLink.NONE, List.of(row));
    JournalEntry without =
        JournalEntry.next(
            List.of(event), new Head(1, 1), new Fence(0, 1), ChainLink.NONE, List.of());
    assertThat(with.sideRows()).containsExactly(row);
    assertThat(with).isEqualTo(without);
    assertThat(JournalEntryCodec.decode(with.bytes()).sideRows()).isEmpty();
  }

  @Test
  void pekkoFindsTheSerializerAndStoresTheVeryBytes() {
    InstantSource clock = InstantSource.system();
    ActorSystem system =
        ActorSystem.create(
            "step-serializer",
            ActorSystemSetup.create(
                BootstrapSetup.create(),
                new StorageSetup(MemoryStorage.create(clock), PipelineSettings.DEFAULT, clock)));
    try {
      var serialization = SerializationExtension.get(system);
      JournalEntry entry = JournalEntrySamples.usual();
      var serializer = serialization.findSerializerFor(entry);
      assertThat(serializer).isInstanceOf(JournalEntrySerializer.class);
      assertThat(serializer.toBinary(entry)).isSameAs(entry.bytes());
      String manifest = Serializers.manifestFor(serializer, entry);
      assertThat(manifest).isEqualTo("s");
      Object read =
          serialization
              .deserialize(entry.bytes(), JournalEntrySerializer.IDENTIFIER, manifest)
              .get();
      assertThat(read).isEqualTo(entry);
      assertThatThrownBy(
              () ->
                  new JournalEntrySerializer(dev.tenure.persistence.payload.Payloads.NONE)
                      .fromBinary(entry.bytes(), "t"))
          .isInstanceOf(PersistedEntryIncompatibleError.class)
          .hasMessageContaining("'t'");
    } finally {
      system.terminate();
    }
  }
}
