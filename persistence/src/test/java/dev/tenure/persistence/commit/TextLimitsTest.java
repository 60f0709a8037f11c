package dev.tenure.persistence.commit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.lease.Holder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a key can be is decided where it is made, so nothing wrong ever reaches a database. */
class TextLimitsTest {
  private static final Fence FENCE = new Fence(0, 1, 1);
  private static final String EMOJI = "\ud83d\ude00";

  private record Door(String name, int maxBytes, Consumer<String> enter) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Door> doors() {
    return List.of(
        new Door(
            "persistence id",
            CommitId.MAX_PERSISTENCE_ID_BYTES,
            text -> new CommitId(text, 1, Writers.named("writer"))),
        new Door("manifest", Commit.MAX_MANIFEST_BYTES, text -> commit(text, new byte[0])),
        new Door(
            "persistence id",
            CommitId.MAX_PERSISTENCE_ID_BYTES,
            text -> new JournalRead(text, 1, 2, 3)),
        new Door("a holder's node", Holder.MAX_NODE_BYTES, text -> new Holder(text, 1)));
  }

  private static Commit commit(String manifest, byte[] payload) {
    return new Commit(
        new CommitId("id", 1, Writers.named("w")), FENCE, manifest, payload, List.of());
  }

  @ParameterizedTest
  @MethodSource("doors")
  void textFitsUpToItsLimitInBytes(Door door) {
    int max = door.maxBytes();
    for (String text : List.of("x", "x".repeat(max), EMOJI.repeat(max / 4), "é".repeat(max / 2))) {
      assertThatCode(() -> door.enter().accept(text)).doesNotThrowAnyException();
    }
    for (String text :
        List.of("x".repeat(max + 1), EMOJI.repeat(max / 4 + 1), "é".repeat(max / 2 + 1))) {
      int bytes = text.getBytes(StandardCharsets.UTF_8).length;
      assertThatThrownBy(() -> door.enter().accept(text))
          .isInstanceOf(InvalidCommitError.class)
          .hasMessage("%s has %d UTF-8 bytes, more than the limit of %d", door, bytes, max);
    }
  }

  @ParameterizedTest
  @MethodSource("doors")
  void aNulIsRefused(Door door) {
    for (String text : List.of("\0", "a\0", "\0a", "a\0b")) {
      assertThatThrownBy(() -> door.enter().accept(text))
          .isInstanceOf(InvalidCommitError.class)
          .hasMessage("%s has a NUL character at index %d", door, text.indexOf('\0'));
    }
  }

  @ParameterizedTest
  @MethodSource("doors")
  void aLoneSurrogateIsRefused(Door door) {
    for (String text :
        List.of("a\ud83d", "a\ude00", "a\ud83da", "a\ude00\ud83d", "a\ud83d" + EMOJI)) {
      assertThatThrownBy(() -> door.enter().accept(text))
          .isInstanceOf(InvalidCommitError.class)
          .hasMessage("%s has a lone surrogate at index 1", door);
    }
  }

  @Test
  void anEmptyKeyIsRefused() {
    for (Door door : doors()) {
      if (door.name().equals("manifest")) continue; // serializers without one are common
      assertThatThrownBy(() -> door.enter().accept(""))
          .isInstanceOf(InvalidCommitError.class)
          .hasMessage("%s is empty", door);
    }
    assertThatCode(() -> commit("", new byte[0])).doesNotThrowAnyException();
  }

  @Test
  void aPayloadFitsUpToItsLimit() {
    assertThatCode(() -> commit("", new byte[Commit.MAX_PAYLOAD_BYTES])).doesNotThrowAnyException();
    assertThatThrownBy(() -> commit("", new byte[Commit.MAX_PAYLOAD_BYTES + 1]))
        .isInstanceOf(InvalidCommitError.class)
        .hasMessageContaining("4194305")
        .hasMessageContaining("4194304");
  }

  @Test
  void versionsEpochsAndShardsBelowTheFirstAreRefused() {
    assertThatThrownBy(() -> new CommitId("id", 0, Writers.named("w")))
        .hasMessageContaining("version 0");
    assertThatThrownBy(() -> new Fence(-1, 1)).hasMessageContaining("shard -1");
    assertThatThrownBy(() -> new Fence(0, 0)).hasMessageContaining("epoch 0");
    assertThatThrownBy(() -> new Fence(0, 1).holder())
        .isInstanceOf(InvalidCommitError.class)
        .hasMessageContaining("does not say which process holds the shard");
  }
}
