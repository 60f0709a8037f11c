package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.embedded.LocalPostgres;
import dev.tenure.persistence.format.EngineBuild;
import dev.tenure.persistence.format.EngineTooOldError;
import dev.tenure.persistence.format.Engines;
import dev.tenure.persistence.format.FormatFloor;
import dev.tenure.persistence.format.FormatLevel;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.membership.Formation;
import dev.tenure.persistence.membership.MemberRow;
import dev.tenure.persistence.membership.Standing;
import dev.tenure.persistence.storage.StoreUnderTest;
import dev.tenure.persistence.storage.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The level of formats that every engine on a store must read: it rises once, when all engines read
 * it, and no engine that does not gets in afterwards.
 */
class FormatFloorTest {
  private static final Holder OLD = new Holder("tenure@old:1", 1);
  private static final Holder NEW = new Holder("tenure@new:1", 2);
  private static final Holder NEWER = new Holder("tenure@newer:1", 3);

  private static final Map<EngineBuild, PostgresStorage> ENGINES = new IdentityHashMap<>();
  private static final EngineBuild OLD_BUILD = Engines.old();
  private static final EngineBuild READING_BUILD = Engines.reading();
  private static final EngineBuild WRITING_BUILD = Engines.writing();

  private static TestDatabase database;

  @BeforeAll
  static void open() {
    database = TestDatabase.migrated();
  }

  @AfterAll
  static void close() {
    ENGINES.values().forEach(PostgresStorage::close);
    database.close();
  }

  /** A store that no node was ever announced in. The engines were started before anything rose. */
  @BeforeEach
  void empty() {
    database.execute("DELETE FROM meta WHERE key LIKE 'min-reader-%'");
    database.execute("DELETE FROM cluster_member");
    database.execute("UPDATE cluster_generation SET generation = 0");
    // What an engine knows of the floor it knows for good.
    ENGINES.values().forEach(PostgresStorage::close);
    ENGINES.clear();
  }

  private static PostgresStorage engine(EngineBuild engine) {
    return ENGINES.computeIfAbsent(engine, FormatFloorTest::prepared);
  }

  private static PostgresStorage prepared(EngineBuild engine) {
    PostgresStorage storage = PostgresStorage.open(OtherEngine.of(applicationOnly(), engine));
    storage.prepare(TestDatabase.IDENTITY);
    return storage;
  }

  /** It only verifies the schema, which takes less time. */
  private static PostgresSettings applicationOnly() {
    return PostgresSettings.of(database.url(), LocalPostgres.APPLICATION, "");
  }

  /** Announces a node; the first founds the cluster. */
  private static void announce(PostgresStorage storage, Holder node) {
    storage
        .members()
        .seek(
            node,
            roster ->
                roster.generation() == 0
                    ? new Formation.Found(1, Formation.Reason.NO_OTHER_MEMBER)
                    : new Formation.Join(roster.generation(), List.of()));
  }

  private static MemberRow row(PostgresStorage storage, Holder node) {
    return storage.members().roster().rows().stream()
        .filter(row -> row.node().equals(node))
        .findFirst()
        .orElseThrow();
  }

  private static long count(String sql) {
    try (Connection connection = database.owner();
        Statement statement = connection.createStatement();
        var rows = statement.executeQuery("SELECT count(*) FROM " + sql)) {
      rows.next();
      return rows.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  @Test
  void aNodeSaysWhatItIsWhatItReadsAndHowItsClockGoes() {
    PostgresStorage storage = engine(READING_BUILD);
    announce(storage, NEW);
    assertThat(row(storage, NEW).engine()).isEqualTo("0.2.0");
    assertThat(row(storage, NEW).reads()).isEqualTo(FormatLevel.TRIAL);
    assertThat(row(storage, NEW).clockAhead()).isEmpty();
    assertThat(storage.members().beat(NEW, 1, Duration.ofMillis(-1_234)))
        .isEqualTo(new Standing.Current());
    assertThat(row(storage, NEW).clockAhead()).contains(Duration.ofMillis(-1_234));
    assertThat(storage.members().forget(NEW, 1, List.of())).isEqualTo(new Standing.Current());
    assertThat(row(storage, NEW).clockAhead()).contains(Duration.ofMillis(-1_234));

    // Another release at the same address.
    Holder again = new Holder(NEW.node(), 99);
    announce(engine(OLD_BUILD), again);
    assertThat(row(storage, again).engine()).isEqualTo("0.1.0");
    assertThat(row(storage, again).reads()).isEqualTo(FormatLevel.READ);
    assertThat(row(storage, again).clockAhead()).isEmpty();
  }

  @Test
  void theFloorRisesWhenAllNodesReadTheLevelAndNotBefore() {
    PostgresStorage old = engine(OLD_BUILD);
    PostgresStorage reading = engine(READING_BUILD);
    PostgresStorage writing = engine(WRITING_BUILD);
    announce(old, OLD);
    announce(reading, NEW);
    announce(writing, NEWER);
    assertThat(writing.members().raiseFloor()).isEqualTo(FormatFloor.FIRST);
    assertThat(writing.writableLevel()).isEqualTo(FormatLevel.FIRST);

    old.members().leave(OLD);
    assertThat(reading.members().raiseFloor())
        .as("this release does not write the level yet")
        .isEqualTo(FormatFloor.FIRST);
    FormatFloor raised = new FormatFloor(FormatLevel.TRIAL, "0.3.0");
    assertThat(writing.members().raiseFloor()).isEqualTo(raised);
    assertThat(writing.writableLevel()).isEqualTo(FormatLevel.TRIAL);
    assertThat(writing.members().raiseFloor()).isEqualTo(raised);
    assertThat(reading.members().roster().floor()).isEqualTo(raised);
    assertThat(reading.writableLevel()).isEqualTo(FormatLevel.FIRST);
  }

  @Test
  void aNewcomerThatOnlyLooksForTheClusterCountsToo() {
    PostgresStorage old = engine(OLD_BUILD);
    PostgresStorage writing = engine(WRITING_BUILD);
    announce(writing, NEWER);
    announce(old, OLD);
    assertThat(row(old, OLD).generation()).isEmpty();
    assertThat(writing.members().roster().allRead(FormatLevel.TRIAL)).isFalse();
    assertThat(writing.members().raiseFloor()).isEqualTo(FormatFloor.FIRST);

    // It gave up long ago.
    database.execute(
        "UPDATE cluster_member SET heartbeat_at = heartbeat_at - interval '2 hours' WHERE node = '%s'"
            .formatted(OLD.node()));
    assertThat(writing.members().roster().allRead(FormatLevel.TRIAL)).isTrue();
    assertThat(writing.members().raiseFloor().level()).isEqualTo(FormatLevel.TRIAL);
    // If it did not, it is refused from here on, whatever it does next.
    assertThatThrownBy(() -> old.members().joined(OLD, 1)).isInstanceOf(EngineTooOldError.class);
    assertThatThrownBy(() -> announce(old, OLD)).isInstanceOf(EngineTooOldError.class);
  }

  @Test
  void anOlderEngineIsRefusedAtItsStartWithBothVersionsNamed() {
    PostgresStorage writing = engine(WRITING_BUILD);
    announce(writing, NEWER);
    writing.members().raiseFloor();
    long migrations = count("schema_history");
    for (PostgresSettings settings : List.of(database.settings(), applicationOnly()))
      try (PostgresStorage old = PostgresStorage.open(OtherEngine.of(settings, OLD_BUILD))) {
        assertThatThrownBy(() -> old.prepare(TestDatabase.IDENTITY))
            .isInstanceOf(EngineTooOldError.class)
            .hasMessageContaining("This is engine 0.1.0, which reads formats up to level 1")
            .hasMessageContaining("level 2 since engine 0.3.0 wrote to it")
            .hasMessageContaining("Start engine 0.3.0 or a newer one");
      }
    assertThat(count("schema_history")).isEqualTo(migrations);
    assertThat(count("cluster_member")).isEqualTo(1);
    // The release between reads what the newest writes.
    announce(engine(READING_BUILD), NEW);
  }

  @Test
  void oneThatWasStartedBeforeTheFloorRoseIsRefusedWhenItAnnouncesItself() {
    PostgresStorage old = engine(OLD_BUILD);
    PostgresStorage writing = engine(WRITING_BUILD);
    announce(writing, NEWER);
    writing.members().raiseFloor();
    assertThatThrownBy(() -> announce(old, OLD)).isInstanceOf(EngineTooOldError.class);
    assertThat(count("cluster_member")).as("and is not announced").isEqualTo(1);
  }

  @Test
  void whicheverComesFirstTheOtherOneSeesIt() throws Exception {
    Random random = StoreUnderTest.random("floor");
    PostgresStorage old = engine(OLD_BUILD);
    PostgresStorage writing = engine(WRITING_BUILD);
    PostgresStorage another = engine(Engines.writing());
    announce(writing, NEWER);
    int raised = 0;
    int held = 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
      for (int round = 0; round < 20; round++) {
        database.execute("DELETE FROM meta WHERE key LIKE 'min-reader-%'");
        database.execute("DELETE FROM cluster_member WHERE node = '" + OLD.node() + "'");
        Callable<Boolean> joins =
            () -> {
              try {
                announce(old, OLD);
                return true;
              } catch (EngineTooOldError refused) {
                return false;
              }
            };
        Callable<Boolean> raises = () -> writing.members().raiseFloor().level() > 1;
        Callable<Boolean> raisesToo = () -> another.members().raiseFloor().level() > 1;
        List<Callable<Boolean>> all = new ArrayList<>(List.of(raises, raisesToo));
        all.add(random.nextInt(3), joins);
        List<Future<Boolean>> done = threads.invokeAll(all);
        boolean joined = done.get(all.indexOf(joins)).get();
        boolean isRaised = count("meta WHERE key LIKE 'min-reader-%'") == 1;
        assertThat(joined).as("round %d", round).isNotEqualTo(isRaised);
        if (isRaised) raised++;
        else held++;
      }
    }
    System.out.println("the floor rose in " + raised + " rounds, and was held down in " + held);
  }

  @Test
  void theEnginesOwnRoleCannotLowerIt() throws SQLException {
    PostgresStorage writing = engine(WRITING_BUILD);
    announce(writing, NEWER);
    writing.members().raiseFloor();
    try (Connection connection = database.application();
        Statement statement = connection.createStatement()) {
      for (String sql :
          List.of(
              "DELETE FROM meta WHERE key = 'min-reader-2'",
              "UPDATE meta SET key = 'x' WHERE key = 'min-reader-2'"))
        assertThatThrownBy(() -> statement.execute(sql))
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("permission denied");
    }
  }

  @Test
  void whatAPersonWroteThereByHandKeepsNoNodeFromTheOthers() {
    database.execute(
        "INSERT INTO meta VALUES ('min-reader-x', 'a'), ('min-reader-', 'b'),"
            + " ('min-reader-99999999999', 'c')");
    PostgresStorage storage = engine(OLD_BUILD);
    announce(storage, OLD);
    assertThat(storage.members().roster().floor()).isEqualTo(FormatFloor.FIRST);
  }

  @Test
  void thisBuildHasTheVersionOfTheProject() {
    assertThat(EngineBuild.CURRENT.version()).matches("[0-9]+\\.[0-9]+\\.[0-9]+(-SNAPSHOT)?");
    assertThat(EngineBuild.CURRENT.version()).isNotEqualTo("0.0.0");
    assertThat(EngineBuild.CURRENT.reads()).isEqualTo(FormatLevel.READ);
  }
}
