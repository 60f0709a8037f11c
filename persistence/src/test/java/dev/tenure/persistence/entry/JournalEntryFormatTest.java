package dev.tenure.persistence.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.codec.CorruptEntryError;
import dev.tenure.persistence.codec.PersistedEntryIncompatibleError;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.storage.StoreUnderTest;
import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.operation.Due;
import dev.tenure.workflow.operation.MessageContent;
import dev.tenure.workflow.operation.OperationKind;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import dev.tenure.workflow.operation.Place;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is in the journal stays readable, byte for byte. */
class JournalEntryFormatTest {
  private static final String FOLDER = "/dev/tenure/persistence/entry/format-2/";

  static List<String> names() {
    return List.copyOf(JournalEntrySamples.events().keySet());
  }

  /**
   * The golden files are what released engines wrote. A test that fails here says that a journal
   * could no longer be read, or by older engines no longer be: add, never change. New kinds get
   * their files from a run with {@code -Dtenure.golden=src/test/resources}.
   */
  @ParameterizedTest
  @MethodSource("names")
  void everyKindIsWrittenAndReadAsEver(String name) throws IOException {
    Event event = JournalEntrySamples.events().get(name);
    JournalEntry entry = JournalEntrySamples.step(event);
    byte[] golden = golden(name, entry);
    assertThat(HexFormat.of().formatHex(entry.bytes())).isEqualTo(HexFormat.of().formatHex(golden));
    JournalEntry read = JournalEntryCodec.decode(golden).of(JournalEntrySamples.BY);
    assertThat(read.events()).containsExactly(event);
    assertThat(read.head()).isEqualTo(new Head(41, 42));
    assertThat(read.fence()).isEqualTo(new Fence(77, 123_456));
    assertThat(read.previous()).isEqualTo(ChainLink.NONE);
    assertThat(read.link()).isEqualTo(entry.link());
  }

  /** Its link covers the payload and the link before, and nothing else. */
  @ParameterizedTest
  @MethodSource("names")
  void whatWasWrittenInFormat1IsReadAsEver(String name) throws Exception {
    JournalEntry now = JournalEntrySamples.step(JournalEntrySamples.events().get(name));
    byte[] before = with(now.bytes(), 0, 1);
    JournalEntry read = JournalEntryCodec.decode(before);
    assertThat(read.events()).isEqualTo(now.events());
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    digest.update(ChainLink.NONE.toBytes());
    assertThat(read.link().toBytes()).isEqualTo(digest.digest(before));
  }

  private static byte[] golden(String name, JournalEntry entry) throws IOException {
    String file = FOLDER + name + ".hex";
    try (InputStream in = JournalEntryFormatTest.class.getResourceAsStream(file)) {
      if (in != null) {
        String text = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        return HexFormat.of().parseHex(text.replaceAll("\\s", ""));
      }
    }
    String folder = System.getProperty("tenure.golden");
    assertThat(folder).as("%s is missing", file).isNotNull();
    String hex = HexFormat.of().formatHex(entry.bytes()).replaceAll("(.{64})", "$1\n");
    Path path = Path.of(folder + file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, hex.strip() + "\n");
    return entry.bytes();
  }

  @Test
  void everyKindHasItsGoldenFile() {
    String all =
        String.join(
            "\n", JournalEntrySamples.events().values().stream().map(Object::toString).toList());
    Set<String> missing = new HashSet<>();
    for (Class<?> root :
        List.of(
            Event.class,
            OperationSpec.class,
            MessageContent.class,
            Due.class,
            Outcome.class,
            Incident.class)) {
      for (Class<?> kind : kinds(root)) {
        if (!all.contains(kind.getSimpleName() + "[")) missing.add(kind.getName());
      }
    }
    Set<Class<?>> attributes = new HashSet<>();
    JournalEntrySamples.attributes().values().forEach(a -> attributes.add(a.getClass()));
    for (Class<?> kind : kinds(Attribute.class)) {
      if (!attributes.contains(kind)) missing.add(kind.getName());
    }
    assertThat(missing).isEmpty();
  }

  private static List<Class<?>> kinds(Class<?> type) {
    if (!type.isSealed()) return List.of(type);
    List<Class<?>> kinds = new ArrayList<>();
    for (Class<?> permitted : type.getPermittedSubclasses()) kinds.addAll(kinds(permitted));
    return kinds;
  }

  @Test
  void aStepHoldsItsEventsInTheirOrder() {
    List<Event> all = List.copyOf(JournalEntrySamples.events().values());
    JournalEntry entry =
        JournalEntry.next(
            JournalEntrySamples.BY,
            all,
            new Head(1, 1),
            new Fence(0, 1),
            ChainLink.NONE,
            List.of());
    assertThat(JournalEntryCodec.decode(entry.bytes()).events()).isEqualTo(all);
  }

  @Test
  void timesAreKeptToTheNanosecondInAnyOrder() {
    Event late = new Event.Paused(JournalEntrySamples.T, "a");
    Event early = new Event.Paused(JournalEntrySamples.T.minusSeconds(100_000_000_000L), "b");
    Event same = new Event.Closed(early.at());
    JournalEntry entry = JournalEntrySamples.step(late, early, same);
    assertThat(JournalEntryCodec.decode(entry.bytes()).events()).containsExactly(late, early, same);
  }

  @Test
  void theUsualStepIsSmall() {
    byte[] bytes = JournalEntrySamples.usual().bytes();
    System.out.println("a completed step and the next schedule: " + bytes.length + " bytes");
    assertThat(bytes.length).isLessThanOrEqualTo(150);
  }

  @Test
  void whatANewerEngineAddedIsPassedOver() {
    // Behind the last field of the event, and behind the last field of the frame's record.
    for (Event event : JournalEntrySamples.events().values()) {
      byte[] bytes = JournalEntrySamples.step(event).bytes();
      int frame = 1;
      byte[] wider = insert(bytes, frame + 1 + bytes[frame], frame, new byte[] {9, 9, 9});
      assertThat(JournalEntryCodec.decode(wider).events()).containsExactly(event);
      int length = frame + 1 + bytes[frame] + 3;
      boolean oneByteLength = bytes[length] >= 0 && bytes[length] < 100;
      if (!oneByteLength || leavesItsLastOut(event)) continue;
      byte[] longer = insert(bytes, bytes.length, length, new byte[] {1, 2, 3, 4});
      assertThat(JournalEntryCodec.decode(longer).events()).containsExactly(event);
    }
  }

  /** Whoever adds a field behind the last one writes that one, too: others have it written. */
  private static boolean leavesItsLastOut(Event event) {
    return event instanceof Event.Scheduled e && e.place().equals(Place.usual(e.spec().kind()))
        || event instanceof Event.ValueRecorded v
            && v.place().equals(Place.usual(OperationKind.VALUE))
        || event instanceof Event.Retried r && !r.unproven();
  }

  /** An engine before this one would have run such a call again without a look at its record. */
  @Test
  void callsWithAKeyOrAQueueAreRefusedByEnginesThatDoNotKnowThem() {
    assertThat(versions())
        .containsEntry("scheduled-activity", 1)
        .containsEntry("scheduled-heartbeat", 1)
        .containsEntry("scheduled-keyed", 3)
        .containsEntry("scheduled-keyed-idempotent", 3)
        .containsEntry("scheduled-queued", 3)
        .containsEntry("scheduled-keyed-queued", 3);
  }

  private static Map<String, Integer> versions() {
    Map<String, Integer> versions = new HashMap<>();
    JournalEntrySamples.events()
        .forEach(
            (name, event) -> {
              byte[] bytes = JournalEntrySamples.step(event).bytes();
              // Behind the format, the frame, and the event's kind.
              versions.put(name, (int) bytes[2 + bytes[1] + 2]);
            });
    return versions;
  }

  private static byte[] insert(byte[] bytes, int at, int lengthAt, byte[] added) {
    byte[] longer = Arrays.copyOf(bytes, bytes.length + added.length);
    System.arraycopy(bytes, at, longer, at + added.length, bytes.length - at);
    System.arraycopy(added, 0, longer, at, added.length);
    longer[lengthAt] += (byte) added.length;
    return longer;
  }

  @Test
  void whatOnlyANewerEngineUnderstandsIsRefused() {
    byte[] bytes = JournalEntrySamples.step(new Event.Closed(JournalEntrySamples.T)).bytes();
    int kind = 2 + bytes[1] + 1;
    assertThatThrownBy(() -> JournalEntryCodec.decode(with(bytes, 0, 3)))
        .isInstanceOf(PersistedEntryIncompatibleError.class)
        .hasMessageContaining("a journal entry has version 3")
        .hasMessageContaining("up to 2");
    assertThatThrownBy(() -> JournalEntryCodec.decode(with(bytes, kind, 99)))
        .isInstanceOf(PersistedEntryIncompatibleError.class)
        .hasMessageContaining("an event of kind 99");
    assertThatThrownBy(() -> JournalEntryCodec.decode(with(bytes, kind + 1, 4)))
        .isInstanceOf(PersistedEntryIncompatibleError.class)
        .hasMessageContaining("an event of kind 24 has version 4");
  }

  private static byte[] with(byte[] bytes, int at, int value) {
    byte[] changed = bytes.clone();
    changed[at] = (byte) value;
    return changed;
  }

  @Test
  void everyTruncationIsFound() {
    for (Event event : JournalEntrySamples.events().values()) {
      byte[] bytes = JournalEntrySamples.step(event).bytes();
      for (int length = 0; length < bytes.length; length++) {
        byte[] shorter = Arrays.copyOf(bytes, length);
        assertThatThrownBy(() -> JournalEntryCodec.decode(shorter))
            .isInstanceOf(CorruptEntryError.class);
      }
      byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
      assertThatThrownBy(() -> JournalEntryCodec.decode(longer))
          .isInstanceOf(CorruptEntryError.class);
    }
  }

  @Test
  void garbageIsReadOrRefusedAndNothingElse() {
    Random random = StoreUnderTest.random("garbage");
    List<byte[]> seeds =
        JournalEntrySamples.events().values().stream()
            .map(e -> JournalEntrySamples.step(e).bytes())
            .toList();
    int read = 0;
    int refused = 0;
    for (int i = 0; i < 300_000; i++) {
      byte[] bytes = seeds.get(random.nextInt(seeds.size())).clone();
      if (random.nextInt(10) == 0) random.nextBytes(bytes);
      int changes = 1 + random.nextInt(4);
      for (int c = 0; c < changes; c++) {
        bytes[random.nextInt(bytes.length)] =
            (byte) (random.nextBoolean() ? random.nextInt(256) : 0xff);
      }
      if (random.nextInt(4) == 0) bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length) + 1);
      try {
        JournalEntryCodec.decode(bytes);
        read++;
      } catch (CorruptEntryError | PersistedEntryIncompatibleError e) {
        refused++;
      }
    }
    System.out.println("garbage: " + read + " read, " + refused + " refused");
    assertThat(refused).isGreaterThan(read / 10);
  }

  @Test
  void aNestThatNeverEndsIsRefused() {
    Failure deep = Failure.permanent("t", "m");
    byte[] bytes =
        JournalEntrySamples.step(
                new Event.Completed(
                    JournalEntrySamples.T,
                    JournalEntrySamples.CHARGE,
                    new Outcome.Failed(deep),
                    JournalEntrySamples.DIGITS))
            .bytes();
    assertThat(JournalEntryCodec.decode(bytes).events()).hasSize(1);
    // Each cause inside the one before, a thousand deep: an engine writes eight at most.
    assertThatThrownBy(() -> JournalEntryCodec.decode(DeepFailure.step(1_000)))
        .isInstanceOf(CorruptEntryError.class)
        .hasMessageContaining("nested too deeply");
  }

  @Test
  void everyTextSurvives() {
    for (String text :
        List.of("", "plain", "é", "\ud83d\ude00", "\ud83d", "a\ude00b", "\0", "\uffff")) {
      Event event = new Event.Paused(JournalEntrySamples.T, text);
      assertThat(JournalEntryCodec.decode(JournalEntrySamples.step(event).bytes()).events())
          .containsExactly(event);
    }
  }

  @Test
  void theSameStepIsTheSameBytes() {
    for (Map.Entry<String, Event> each : JournalEntrySamples.events().entrySet()) {
      Event again = JournalEntrySamples.events().get(each.getKey());
      assertThat(JournalEntrySamples.step(again).bytes())
          .isEqualTo(JournalEntrySamples.step(each.getValue()).bytes());
    }
  }
}
