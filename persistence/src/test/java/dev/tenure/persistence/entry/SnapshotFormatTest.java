package dev.tenure.persistence.entry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.codec.BinaryReader;
import dev.tenure.persistence.codec.BinaryWriter;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.persistence.snapshot.StoredSnapshot;
import dev.tenure.persistence.storage.StoreUnderTest;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.News;
import dev.tenure.workflow.kernel.StateSnapshot;
import dev.tenure.workflow.lifecycle.OperationPhase;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationKind;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a snapshot says is read back, and what is not a snapshot is never taken for one. */
class SnapshotFormatTest {
  private static final String FOLDER = "/dev/tenure/persistence/entry/snapshot-2/";
  private static final WorkflowId ID = JournalEntrySamples.start().id();
  private static final ChainLink LINK =
      ChainLink.parse("c4f523c463ce162bd7914447adb339b103fcfe30c41c55aba49a5021ffcc59e3");

  static List<String> names() {
    return List.copyOf(SnapshotSamples.states().keySet());
  }

  private static Snapshot snapshot(StateSnapshot state) {
    JournalEntry entry = JournalEntrySamples.usual();
    return new Snapshot(ID, entry.head(), LINK, state, memory(state));
  }

  /** Some programs have one. */
  private static Optional<Payload> memory(StateSnapshot state) {
    return state.published() ? Optional.of(Payload.of(new byte[] {0, -1})) : Optional.empty();
  }

  private static Snapshot.Reading read(byte[] content) {
    return Snapshot.decode(new StoredSnapshot(ID, 8, content), Payloads.NONE);
  }

  /**
   * A test that fails here says that the format has changed: raise {@link Snapshot#FORMAT}, or
   * engines of different versions take each other's snapshots for their own. The files are made
   * with {@code -Dtenure.golden=src/test/resources}.
   */
  @ParameterizedTest
  @MethodSource("names")
  void everyStateIsWrittenAndReadAsEver(String name) throws IOException {
    Snapshot snapshot = snapshot(SnapshotSamples.states().get(name));
    StoredSnapshot stored = snapshot.encode();
    byte[] golden = golden(name, stored.content());
    assertThat(HexFormat.of().formatHex(stored.content()))
        .isEqualTo(HexFormat.of().formatHex(golden));
    assertThat(stored.id()).isEqualTo(ID);
    assertThat(stored.version()).isEqualTo(8);
    assertThat(read(golden)).isEqualTo(new Snapshot.Reading.Read(snapshot));
  }

  private static byte[] golden(String name, byte[] written) throws IOException {
    String file = FOLDER + name + ".hex";
    try (InputStream in = SnapshotFormatTest.class.getResourceAsStream(file)) {
      if (in != null) {
        String text = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        return HexFormat.of().parseHex(text.replaceAll("\\s", ""));
      }
    }
    String folder = System.getProperty("tenure.golden");
    assertThat(folder).as("%s is missing", file).isNotNull();
    String hex = HexFormat.of().formatHex(written).replaceAll("(.{64})", "$1\n");
    Path path = Path.of(folder + file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, hex.strip() + "\n");
    return written;
  }

  /** The samples have each kind of news, and operations in each phase. */
  @Test
  void theSamplesHaveEverything() {
    Set<Class<?>> news = new HashSet<>();
    Set<Object> phases = new HashSet<>();
    Set<Object> specs = new HashSet<>();
    for (StateSnapshot state : SnapshotSamples.states().values()) {
      state.withheld().forEach(one -> news.add(one.getClass()));
      for (Operation one : state.open()) {
        phases.add(one.phase());
        specs.add(one.kind());
      }
    }
    assertThat(news).containsExactlyInAnyOrder(News.class.getPermittedSubclasses());
    assertThat(phases).containsAll(Arrays.asList(OperationPhase.values()));
    assertThat(specs).containsAll(Arrays.asList(OperationKind.values()));
  }

  /** Any fields of any samples together, and lists of any length. */
  @Test
  void everyStateThatCanBeMadeIsReadBack() throws ReflectiveOperationException {
    Random random = StoreUnderTest.random("snapshots");
    List<StateSnapshot> samples = List.copyOf(SnapshotSamples.states().values());
    RecordComponent[] components = StateSnapshot.class.getRecordComponents();
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    Constructor<StateSnapshot> constructor = StateSnapshot.class.getDeclaredConstructor(types);
    Set<StateSnapshot> made = new HashSet<>();
    for (int i = 0; i < 5_000; i++) {
      Object[] values = new Object[components.length];
      for (int at = 0; at < values.length; at++) {
        StateSnapshot one = samples.get(random.nextInt(samples.size()));
        values[at] = some(components[at].getAccessor().invoke(one), random);
      }
      Snapshot snapshot = snapshot(constructor.newInstance(values));
      assertThat(read(snapshot.encode().content())).isEqualTo(new Snapshot.Reading.Read(snapshot));
      made.add(snapshot.state());
    }
    assertThat(made).hasSizeGreaterThan(4_900);
  }

  private static Object some(Object value, Random random) {
    if (!(value instanceof List<?> all)) return value;
    List<Object> some = new ArrayList<>(all);
    Collections.shuffle(some, random);
    return some.subList(0, random.nextInt(some.size() + 1));
  }

  @Test
  void anotherFormatIsNotRead() {
    byte[] content = snapshot(SnapshotSamples.states().get("fresh")).encode().content();
    content[0]++;
    assertThat(read(content)).isInstanceOf(Snapshot.Reading.OtherFormat.class);
  }

  @Test
  void whatWasChangedOrCutIsNotRead() {
    byte[] content = snapshot(SnapshotSamples.states().get("held")).encode().content();
    for (int at = 1; at < content.length; at++) {
      byte[] changed = content.clone();
      changed[at] ^= 1;
      assertThat(read(changed)).isInstanceOf(Snapshot.Reading.Damaged.class);
      assertThat(read(Arrays.copyOf(content, at))).isInstanceOf(Snapshot.Reading.Damaged.class);
    }
    assertThat(read(Arrays.copyOf(content, content.length + 1)))
        .isInstanceOf(Snapshot.Reading.Damaged.class);
    assertThat(read(new byte[0])).isInstanceOf(Snapshot.Reading.Damaged.class);
  }

  @Test
  void garbageIsReadOrIgnoredAndNothingElse() {
    Random random = StoreUnderTest.random("garbage");
    List<byte[]> seeds = new ArrayList<>();
    for (StateSnapshot state : SnapshotSamples.states().values())
      seeds.add(snapshot(state).encode().content());
    for (int i = 0; i < 50_000; i++) {
      byte[] bytes = seeds.get(random.nextInt(seeds.size())).clone();
      for (int change = random.nextInt(4); change >= 0; change--)
        bytes[1 + random.nextInt(bytes.length - 1)] = (byte) random.nextInt(256);
      Snapshot.Reading reading = read(seal(bytes));
      // Whatever is under a right seal: no exception, and nothing that is of another workflow.
      if (reading instanceof Snapshot.Reading.Read(Snapshot one))
        assertThat(one.state().start().id()).isEqualTo(ID);
    }
  }

  /** As if an engine had written it. */
  private static byte[] seal(byte[] bytes) {
    int length = bytes.length - ChainLink.BYTES;
    byte[] sealed = Arrays.copyOf(bytes, length);
    byte[] seal = LINK.with(sealed).bytes();
    System.arraycopy(seal, 0, bytes, length, seal.length);
    return bytes;
  }

  @Test
  void thatOfAnotherWorkflowOrVersionIsNotRead() {
    byte[] content = snapshot(SnapshotSamples.states().get("fresh")).encode().content();
    for (StoredSnapshot wrong :
        List.of(
            new StoredSnapshot(new WorkflowId("another"), 8, content),
            new StoredSnapshot(ID, 9, content)))
      assertThat(Snapshot.decode(wrong, Payloads.NONE))
          .isInstanceOf(Snapshot.Reading.Damaged.class);
    WorkflowId another = new WorkflowId("another");
    Snapshot mixed =
        new Snapshot(
            another, new Head(7, 8), LINK, SnapshotSamples.states().get("fresh"), Optional.empty());
    assertThat(Snapshot.decode(mixed.encode(), Payloads.NONE))
        .isInstanceOf(Snapshot.Reading.Damaged.class);
  }

  @Test
  void itIsOfTheCommitWhoseLinkItHas() {
    JournalEntry commit = JournalEntrySamples.usual();
    StateSnapshot state = SnapshotSamples.states().get("fresh");
    Snapshot snapshot = new Snapshot(ID, commit.head(), commit.link(), state, memory(state));
    assertThat(snapshot.isOf(commit)).isTrue();
    JournalEntry other =
        JournalEntry.next(
            JournalEntrySamples.BY,
            commit.events(),
            commit.head(),
            new Fence(77, 123_457),
            commit.previous(),
            List.of());
    assertThat(snapshot.isOf(other)).as("by another owner").isFalse();
  }

  @Test
  void largePayloadsStayWhereTheirCommitsHaveStoredThem() {
    byte[] large = new byte[Payloads.APART_BYTES + 1];
    StateSnapshot held = SnapshotSamples.states().get("held");
    var update = new Event.CarriedUpdate("u", "n", Payload.of(large), JournalEntrySamples.T);
    Snapshot snapshot = snapshot(with(held, update));
    StoredSnapshot stored = snapshot.encode();
    assertThat(stored.content().length).isLessThan(Payloads.APART_BYTES);
    Payloads store =
        (id, hash) -> {
          assertThat(id).isEqualTo(ID);
          assertThat(hash).isEqualTo(Payloads.hash(large));
          return large;
        };
    Snapshot.Reading.Read read = (Snapshot.Reading.Read) Snapshot.decode(stored, store);
    Payload payload = read.snapshot().state().pendingUpdates().getFirst().payload();
    assertThat(payload.bytes()).isEqualTo(large);
    assertThat(read.snapshot()).isEqualTo(snapshot);
  }

  /** The limit of today need not be that of the engine which wrote the journal. */
  @Test
  void whatTheJournalHasInFullTheSnapshotHasInFull() {
    byte[] large = new byte[Payloads.APART_BYTES + 1];
    BinaryWriter journal = new BinaryWriter(large.length);
    journal.payload(Payload.of(large));
    Payload recorded = new BinaryReader(journal.toBytes(), Payloads.NONE).payload();
    var update = new Event.CarriedUpdate("u", "n", recorded, JournalEntrySamples.T);
    Snapshot snapshot = snapshot(with(SnapshotSamples.states().get("held"), update));
    Snapshot.Reading.Read read =
        (Snapshot.Reading.Read) Snapshot.decode(snapshot.encode(), Payloads.NONE);
    Payload payload = read.snapshot().state().pendingUpdates().getFirst().payload();
    assertThat(payload.bytes()).isEqualTo(large);
  }

  @Test
  void whatAProgramRemembersIsInTheSnapshotHoweverLarge() {
    JournalEntry entry = JournalEntrySamples.usual();
    Payload large = Payload.of(new byte[Payloads.APART_BYTES + 1]);
    Snapshot snapshot =
        new Snapshot(
            ID,
            entry.head(),
            entry.link(),
            SnapshotSamples.states().get("fresh"),
            Optional.of(large));
    assertThat(read(snapshot.encode().content())).isEqualTo(new Snapshot.Reading.Read(snapshot));
  }

  private static StateSnapshot with(StateSnapshot one, Event.CarriedUpdate update) {
    return new StateSnapshot(
        one.phase(),
        one.start(),
        one.startedAt(),
        one.at(),
        one.run(),
        one.semaphore(),
        one.published(),
        one.operations(),
        one.events(),
        one.largestBytes(),
        one.open(),
        one.entered(),
        one.pivots(),
        one.cancelRequested(),
        one.deadlinePassed(),
        one.graceFrom(),
        one.paused(),
        one.blocked(),
        one.incident(),
        one.withheld(),
        one.noChild(),
        one.consumed(),
        one.newestSignal(),
        one.returned(),
        one.signalNames(),
        List.of(update),
        one.answeredUpdates(),
        one.attributes(),
        one.outcome(),
        one.endedAt());
  }
}
