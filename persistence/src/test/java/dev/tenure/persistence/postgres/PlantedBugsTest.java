package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageContract;
import dev.tenure.persistence.storage.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Canaries: what holds two owners apart is taken out of the real statement or the real table, and
 * the contract must notice. If it does not, it would not notice the real bug either.
 */
class PlantedBugsTest {
  private static final String FENCE =
      """
      WHERE ((w.shard, w.epoch, w.incarnation)
          IN (SELECT shard, epoch, holder_incarnation FROM held)) IS TRUE
        AND\
      """;

  private static final String FENCE_OF_ONE =
      """
      WHERE (SELECT true FROM shard_lease l
          WHERE l.shard = w.shard AND l.epoch = w.epoch
            AND l.holder_incarnation = w.incarnation FOR KEY SHARE)
        AND\
      """;

  private static final String HEAD_BEGINS = "AND (w.version = 1 OR";

  private TestDatabase database;
  private PostgresStorage storage;

  @BeforeEach
  void open() throws SQLException {
    database = TestDatabase.migrated();
    storage = database.open();
  }

  @AfterEach
  void close() {
    storage.close();
    database.close();
  }

  @Test
  void withNothingPlantedThePromisesHold() {
    StorageContract sound = contract(UnaryOperator.identity());
    assertThatCode(sound::anOwnerThatWasReplacedIsFenced).doesNotThrowAnyException();
    assertThatCode(sound::aVersionIsStoredOnlyAfterTheOneBeforeIt).doesNotThrowAnyException();
  }

  @Test
  void withoutTheFenceTwoOwnersAreNoticed() {
    StorageContract unfenced =
        contract(sql -> without(sql.startsWith("WITH held") ? FENCE : FENCE_OF_ONE, "WHERE", sql));
    assertThatThrownBy(unfenced::anOwnerThatWasReplacedIsFenced).isInstanceOf(AssertionError.class);
    assertThatThrownBy(unfenced::oneFencedCommitAmong400LeavesTheOthersAlone)
        .isInstanceOf(AssertionError.class);
    assertThatThrownBy(unfenced::ofTwoOwnersExactlyOneWritesAVersion)
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void withoutUniquenessTwoWritersAreNoticed() {
    database.execute("ALTER TABLE event_journal DROP CONSTRAINT event_journal_pkey");
    database.execute("CREATE INDEX ON event_journal (persistence_id, sequence_number)");
    StorageContract ambiguous = contract(UnaryOperator.identity());
    assertThatThrownBy(ambiguous::ofTwoWritersUnderOneEpochExactlyOneWritesAVersion)
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void withoutTheLookAtTheVersionBeforeAHoleIsNoticed() {
    StorageContract holed = contract(sql -> without(HEAD_BEGINS, "AND (w.version > 0 OR", sql));
    assertThatThrownBy(holed::aVersionIsStoredOnlyAfterTheOneBeforeIt)
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void theStatementsForManyAreWatchedAsWell() {
    assertThatCode(inCompany(UnaryOperator.identity())::aVersionIsStoredOnlyAfterTheOneBeforeIt)
        .doesNotThrowAnyException();
    StorageContract holed = inCompany(sql -> without(HEAD_BEGINS, "AND (w.version > 0 OR", sql));
    assertThatThrownBy(holed::aVersionIsStoredOnlyAfterTheOneBeforeIt)
        .isInstanceOf(AssertionError.class);
    StorageContract unfenced = inCompany(sql -> without(FENCE, "WHERE", sql));
    assertThatThrownBy(unfenced::anOwnerThatWasReplacedIsFenced).isInstanceOf(AssertionError.class);
  }

  private static String without(String part, String instead, String sql) {
    if (!sql.contains("INTO event_journal")) return sql;
    assertThat(sql).as("the statement has the part to take out").contains(part);
    return sql.replace(part, instead);
  }

  private StorageContract contract(UnaryOperator<String> edit) {
    return new Planted(database, planted(edit));
  }

  private StorageContract inCompany(UnaryOperator<String> edit) {
    return new Planted(database, new InCompany(planted(edit)));
  }

  private Storage planted(UnaryOperator<String> edit) {
    PostgresCommits commits =
        new PostgresCommits(edited(storage.connections(ConnectionPurpose.COMMITS), edit));
    return new ForwardingStorage(storage) {
      @Override
      public List<CommitResult> commit(List<Commit> batch) {
        return commits.commit(batch);
      }
    };
  }

  private static final class Planted extends StorageContract implements PostgresStoreUnderTest {
    private final TestDatabase database;
    private final Storage planted;

    private Planted(TestDatabase database, Storage planted) {
      this.database = database;
      this.planted = planted;
    }

    @Override
    public Storage storage() {
      return planted;
    }

    @Override
    public Connection owner() {
      return database.owner();
    }
  }

  /** The same connections, on which every statement is edited before it is prepared. */
  private static DataSource edited(DataSource pool, UnaryOperator<String> edit) {
    return proxy(
        DataSource.class,
        (method, arguments) -> {
          Object result = invoke(pool, method, arguments);
          return result instanceof Connection c ? edited(c, edit) : result;
        });
  }

  private static Connection edited(Connection connection, UnaryOperator<String> edit) {
    return proxy(
        Connection.class,
        (method, arguments) -> {
          if (method.getName().equals("prepareStatement") && arguments.length == 1) {
            arguments[0] = edit.apply((String) arguments[0]);
          }
          return invoke(connection, method, arguments);
        });
  }

  private interface Call {
    Object make(Method method, Object[] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> call.make(method, arguments)));
  }

  private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
