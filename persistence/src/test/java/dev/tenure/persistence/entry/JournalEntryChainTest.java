package dev.tenure.persistence.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.codec.PersistedEntryIncompatibleError;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.commit.Writers;
import dev.tenure.persistence.journal.DamagedJournalError;
import dev.tenure.persistence.journal.JournalKey;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.memory.MemoryStorage;
import dev.tenure.persistence.merging.PipelineSettings;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.persistence.pekko.StorageSetup;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.BootstrapSetup;
import org.apache.pekko.actor.setup.ActorSystemSetup;
import org.apache.pekko.serialization.SerializationExtension;
import org.apache.pekko.serialization.Serializers;
import org.junit.jupiter.api.Test;

/** Each step carries the link of the one before, so damage to a history is found. */
class JournalEntryChainTest {
  private static List<JournalEntry> history(int length) {
    List<JournalEntry> entries = new ArrayList<>();
    ChainLink link = ChainLink.NONE;
    for (int version = 1; version <= length; version++) {
      Event event = new Event.Paused(JournalEntrySamples.T.plusSeconds(version), "step " + version);
      JournalEntry entry =
          JournalEntry.next(
              JournalEntrySamples.BY,
              List.of(event),
              new Head(version - 1, version),
              new Fence(3, 9),
              link,
              List.of());
      entries.add(entry);
      link = entry.link();
    }
    return entries;
  }

  /** As docs/reference/proof.md says it. */
  @Test
  void theLinkIsTheHashOfTheColumnsAndTheStoredBytesWhichHoldTheLinkBefore() throws Exception {
    List<JournalEntry> entries = history(2);
    byte[] first = hash(entries.get(0).bytes());
    assertThat(entries.get(0).link().toBytes()).isEqualTo(first);
    assertThat(entries.get(1).previous().toBytes()).isEqualTo(first);
    assertThat(entries.get(1).link().toBytes()).isEqualTo(hash(entries.get(1).bytes()));
    assertThat(ChainLink.parse(entries.get(1).link().toString())).isEqualTo(entries.get(1).link());
  }

  private static byte[] hash(byte[] stored) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeByte(2);
    out.writeUTF("order-7");
    out.writeLong(JournalEntrySamples.BY.writer().getMostSignificantBits());
    out.writeLong(JournalEntrySamples.BY.writer().getLeastSignificantBits());
    out.writeByte(1);
    out.writeBytes("s");
    out.write(stored);
    return MessageDigest.getInstance("SHA-256").digest(bytes.toByteArray());
  }

  /** Each of them is in the link, so the next commit does not fit when one is changed. */
  @Test
  void whatARowSaysBesideThePayloadIsCovered() {
    JournalEntry entry = history(1).getFirst();
    WorkflowId id = JournalEntrySamples.BY.workflow();
    for (Authorship other :
        List.of(
            new Authorship(new WorkflowId("order-8"), JournalEntrySamples.BY.writer()),
            new Authorship(id, Writers.named("w-2"))))
      assertThat(entry.of(other).link()).as(other.toString()).isNotEqualTo(entry.link());
    assertThat(entry.of(JournalEntrySamples.BY).link()).isEqualTo(entry.link());
  }

  @Test
  void columnsThatThePayloadHoldsTooAreComparedWithIt() {
    JournalEntry entry = history(1).getFirst();
    assertThat(JournalEntryCodec.decode(row(1, 3, 9, "s", entry), Payloads.NONE).link())
        .isEqualTo(entry.link());
    Map<String, JournalRow> wrong =
        Map.of(
            "sequence_number", row(2, 3, 9, "s", entry),
            "shard", row(1, 4, 9, "s", entry),
            "epoch", row(1, 3, 8, "s", entry),
            "event_ser_manifest", row(1, 3, 9, "r", entry));
    wrong.forEach(
        (column, row) ->
            assertThatThrownBy(() -> JournalEntryCodec.decode(row, Payloads.NONE))
                .isInstanceOf(DamagedJournalError.class)
                .hasMessageContaining(column));
  }

  private static JournalRow row(
      long version, int shard, long epoch, String manifest, JournalEntry entry) {
    return new JournalRow(
        JournalKey.of(JournalEntrySamples.BY.workflow()),
        version,
        JournalEntrySamples.BY.writer(),
        shard,
        epoch,
        manifest,
        entry.bytes());
  }

  @Test
  void aHistoryIsOfTheWorkflowThatItBeginsWith() {
    WorkflowId id = JournalEntrySamples.BY.workflow();
    Event start = JournalEntrySamples.events().get("started");
    JournalEntry first =
        JournalEntry.next(
            JournalEntrySamples.BY,
            List.of(start),
            new Head(0, 1),
            new Fence(3, 9),
            ChainLink.NONE,
            List.of());
    assertThatCode(() -> first.requireOf(id)).doesNotThrowAnyException();
    WorkflowId other = new WorkflowId("order-8");
    Authorship elsewhere = new Authorship(other, Writers.named("w-1"));
    assertThatThrownBy(() -> first.of(elsewhere).requireOf(other))
        .isInstanceOf(DamagedJournalError.class)
        .hasMessageContaining("a commit of workflow order-7");
    assertThatThrownBy(() -> first.requireOf(other)).isInstanceOf(DamagedJournalError.class);
    JournalEntry none = history(1).getFirst();
    assertThatThrownBy(() -> none.requireOf(id))
        .isInstanceOf(DamagedJournalError.class)
        .hasMessageContaining("does not begin");
  }

  @Test
  void aHistoryReadBackHoldsTogether() {
    List<JournalEntry> read =
        history(5).stream()
            .map(entry -> JournalEntryCodec.decode(entry.bytes()).of(JournalEntrySamples.BY))
            .toList();
    for (int i = 1; i < read.size(); i++) {
      int at = i;
      assertThatCode(() -> read.get(at).requireAfter(read.get(at - 1))).doesNotThrowAnyException();
    }
  }

  @Test
  void nothingGoesPastASeal() {
    JournalEntry last = history(3).getLast();
    JournalEntry seal =
        JournalEntryCodec.decode(
            JournalEntry.seal(JournalEntrySamples.BY, 4, new Fence(3, 10), List.of()).bytes());
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
    JournalEntry changed = JournalEntryCodec.decode(bytes).of(JournalEntrySamples.BY);
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
            JournalEntrySamples.BY,
            List.of(event),
            new Head(1, 1),
            new Fence(0, 1),
            ChainLink.NONE,
            List.of(row));
    JournalEntry without =
        JournalEntry.next(
            JournalEntrySamples.BY,
            List.of(event),
            new Head(1, 1),
            new Fence(0, 1),
            ChainLink.NONE,
            List.of());
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
