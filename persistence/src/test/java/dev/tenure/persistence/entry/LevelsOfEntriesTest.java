package dev.tenure.persistence.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.codec.PersistedEntryIncompatibleError;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.Writers;
import dev.tenure.persistence.format.FormatLevel;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.journal.PayloadForm;
import dev.tenure.persistence.memory.MemoryStorage;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.workflow.kernel.Event;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An entry is written in a form that all readers know, and refused by one that does not. */
class LevelsOfEntriesTest {
  private static final Event PAUSED = new Event.Paused(JournalEntrySamples.T, "a look");

  private static byte[] written(Event event, int level) {
    return JournalEntryCodec.encode(
        List.of(event), new Head(0, 1), new Fence(0, 1), ChainLink.NONE, Optional.empty(), level);
  }

  private static List<Event> read(byte[] bytes, int level) {
    return JournalEntryCodec.decode(bytes, Payloads.NONE, level).events();
  }

  @Test
  void whatTheLevelOfTheStoreAllowsIsReadByAllWhoReadThatLevel() {
    byte[] first = written(PAUSED, FormatLevel.FIRST);
    byte[] trial = written(PAUSED, FormatLevel.TRIAL);
    assertThat(trial).isNotEqualTo(first);
    assertThat(read(first, FormatLevel.FIRST)).containsExactly(PAUSED);
    assertThat(read(first, FormatLevel.TRIAL)).containsExactly(PAUSED);
    assertThat(read(trial, FormatLevel.TRIAL)).containsExactly(PAUSED);
    assertThatThrownBy(() -> read(trial, FormatLevel.FIRST))
        .isInstanceOf(PersistedEntryIncompatibleError.class)
        .hasMessageContaining("an event of kind 255");
  }

  @Test
  void allThatThisBuildWritesIsOfTheFirstLevel() {
    assertThat(FormatLevel.READ).isGreaterThanOrEqualTo(FormatLevel.WRITTEN);
    JournalEntrySamples.events()
        .forEach(
            (name, event) -> {
              byte[] bytes = written(event, FormatLevel.WRITTEN);
              assertThat(read(bytes, FormatLevel.FIRST)).as(name).containsExactly(event);
            });
  }

  @Test
  void aRowOfAnotherSortIsANewerEnginesAndNotDamaged() {
    byte[] bytes = written(PAUSED, FormatLevel.FIRST);
    try (MemoryStorage storage = MemoryStorage.create(InstantSource.system())) {
      JournalRow known = row(JournalEntrySerializer.IDENTIFIER, "s", bytes);
      assertThat(JournalEntryCodec.decode(known, storage).events()).containsExactly(PAUSED);
      assertThatThrownBy(() -> JournalEntryCodec.decode(row(740_999, "s", bytes), storage))
          .isInstanceOf(PersistedEntryIncompatibleError.class)
          .hasMessageContaining("serializer 740999");
      JournalRow unknown = row(JournalEntrySerializer.IDENTIFIER, "z", bytes);
      assertThatThrownBy(() -> JournalEntryCodec.decode(unknown, storage))
          .isInstanceOf(PersistedEntryIncompatibleError.class)
          .hasMessageContaining("the manifest 'z'");
    }
    assertThatThrownBy(() -> new JournalEntrySerializer(Payloads.NONE).fromBinary(bytes, "z"))
        .isInstanceOf(PersistedEntryIncompatibleError.class);
  }

  private static JournalRow row(int serializer, String manifest, byte[] payload) {
    return new JournalRow(
        "a", 1, Writers.named("w"), 0, 1, new PayloadForm(serializer, manifest).column(), payload);
  }
}
