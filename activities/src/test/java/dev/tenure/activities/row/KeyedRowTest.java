package dev.tenure.activities.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.activities.CallContext;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.persistence.storage.Together;
import dev.tenure.workflow.Verifier.Verdict;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An effect in an application's own database happens once, and can be proved. */
@Timeout(120)
class KeyedRowTest {
  record Receipt(int number, Instant at) {}

  private static final String KEY = "tenure:order-17:run-1:book";
  private static final Receipt RECEIPT = new Receipt(7, Instant.parse("2026-01-02T03:04:05Z"));

  private static TestDatabase database;
  private static DataSource dataSource;

  @BeforeAll
  static void start() {
    database = TestDatabase.empty();
    dataSource = TestDataSource.of(database);
    database.execute(KeyedRow.TABLE);
    database.execute("CREATE TABLE booking (number int)");
  }

  @AfterAll
  static void stop() {
    database.close();
  }

  @BeforeEach
  void empty() {
    database.execute("TRUNCATE keyed_effect, booking");
  }

  private static Connection transaction() throws SQLException {
    Connection connection = dataSource.getConnection();
    connection.setAutoCommit(false);
    return connection;
  }

  /** Random, so PostgreSQL cannot compress it into what an index entry holds. */
  private static String longest(String end) {
    Random random = new Random(20261119);
    StringBuilder key = new StringBuilder();
    while (key.length() < KeyedRow.KEY_BYTES_MAX - end.length())
      key.append((char) ('!' + random.nextInt(90)));
    return key + end;
  }

  @Test
  void theLongestKeyIsClaimedOnceAndFound() throws Exception {
    String key = longest("a");
    String other = longest("b");
    try (Connection connection = transaction()) {
      assertThat(KeyedRow.claim(connection, key)).isTrue();
      KeyedRow.store(connection, key, RECEIPT);
      assertThat(KeyedRow.claim(connection, key)).isFalse();
      assertThat(KeyedRow.result(connection, key, Receipt.class)).contains(RECEIPT);
      assertThat(KeyedRow.result(connection, other, Receipt.class)).isEmpty();
      assertThat(KeyedRow.claim(connection, KeyedRow.stored(key)))
          .as("what looks like its hash is another key")
          .isTrue();
      connection.commit();
    }
    KeyedRowVerifier<String, Receipt> verifier = KeyedRow.verifier(dataSource, Receipt.class);
    assertThat(verifier.verify(CallContext.of(key), "input"))
        .isInstanceOf(Verdict.CompletedWithResult.class);
    assertThat(verifier.verify(CallContext.of(other), "input"))
        .isInstanceOf(Verdict.NotCompleted.class);
  }

  /** The activity, up to its commit. Says whether it had the effect. */
  private static boolean book(Connection connection) throws SQLException {
    if (!KeyedRow.claim(connection, KEY)) return false;
    try (Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO booking VALUES (7)");
    }
    KeyedRow.store(connection, KEY, RECEIPT);
    return true;
  }

  private static int bookings() throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT count(*) FROM booking")) {
      rows.next();
      return rows.getInt(1);
    }
  }

  private static Verdict<Receipt> verdict() throws Exception {
    return KeyedRow.<String, Receipt>verifier(dataSource, Receipt.class)
        .verify(CallContext.of(KEY), "input");
  }

  @Test
  void aCommittedEffectIsProvedTogetherWithItsResult() throws Exception {
    try (Connection connection = transaction()) {
      assertThat(book(connection)).isTrue();
      connection.commit();
    }
    assertThat(verdict())
        .isInstanceOfSatisfying(
            Verdict.CompletedWithResult.class,
            completed -> assertThat(completed.result()).isEqualTo(RECEIPT));
  }

  @Test
  void anEffectThatWasRolledBackIsNotCompleted() throws Exception {
    try (Connection connection = transaction()) {
      assertThat(book(connection)).isTrue();
      connection.rollback();
    }
    assertThat(verdict()).isInstanceOf(Verdict.NotCompleted.class);
    assertThat(bookings()).isZero();
  }

  @Test
  void aRepetitionGetsTheFirstResult() throws Exception {
    for (int attempt = 1; attempt <= 3; attempt++) {
      try (Connection connection = transaction()) {
        assertThat(book(connection)).isEqualTo(attempt == 1);
        assertThat(KeyedRow.result(connection, KEY, Receipt.class)).contains(RECEIPT);
        connection.commit();
      }
    }
    assertThat(bookings()).isEqualTo(1);
  }

  @Test
  void attemptsAtTheSameTimeHaveTheEffectOnce() throws Exception {
    List<Boolean> had =
        Together.run(
            java.util.Collections.nCopies(
                8,
                () -> {
                  try (Connection connection = transaction()) {
                    boolean first = book(connection);
                    connection.commit();
                    return first;
                  }
                }));
    assertThat(had).containsOnlyOnce(true);
    assertThat(bookings()).isEqualTo(1);
  }

  /** The verifier may say "not completed" while a lost attempt can still commit. */
  @Test
  void anAttemptWaitsForALostOneThatIsStillOpen() throws Exception {
    try (Connection lost = transaction()) {
      assertThat(book(lost)).isTrue();
      assertThat(verdict()).isInstanceOf(Verdict.NotCompleted.class);
      Future<Boolean> next =
          Together.start(
              () -> {
                try (Connection connection = transaction()) {
                  boolean first = book(connection);
                  connection.commit();
                  return first;
                }
              });
      awaitWaiter();
      lost.commit();
      assertThat(Together.result(next)).isFalse();
    }
    assertThat(bookings()).isEqualTo(1);
    assertThat(verdict()).isInstanceOf(Verdict.CompletedWithResult.class);
  }

  /** Until PostgreSQL says that a statement of this database waits for a lock. */
  private static void awaitWaiter() throws SQLException {
    String waiting =
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'
        """;
    long deadline = System.nanoTime() + 30_000_000_000L;
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      while (System.nanoTime() < deadline) {
        try (ResultSet rows = statement.executeQuery(waiting)) {
          rows.next();
          if (rows.getInt(1) > 0) return;
        }
        Thread.onSpinWait();
      }
    }
    throw new AssertionError("no statement waited for a lock");
  }

  @Test
  void aClaimWithoutATransactionIsRefused() throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      assertThatThrownBy(() -> KeyedRow.claim(connection, KEY))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("setAutoCommit(false)");
      assertThatThrownBy(() -> KeyedRow.store(connection, KEY, RECEIPT))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void aResultIsStoredOnceAndOnlyForAClaim() throws SQLException {
    try (Connection connection = transaction()) {
      assertThatThrownBy(() -> KeyedRow.store(connection, KEY, RECEIPT))
          .isInstanceOf(IllegalStateException.class);
      book(connection);
      assertThatThrownBy(() -> KeyedRow.store(connection, KEY, RECEIPT))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void aClaimWithoutAResultIsAnEffectWhoseResultIsUnavailable() throws Exception {
    try (Connection connection = transaction()) {
      KeyedRow.claim(connection, KEY);
      connection.commit();
      assertThat(KeyedRow.result(connection, KEY, Receipt.class)).isEmpty();
    }
    assertThat(verdict()).isInstanceOf(Verdict.CompletedResultUnavailable.class);
  }

  @Test
  void aResultOfAnotherTypeProvesNothing() throws Exception {
    database.execute("INSERT INTO keyed_effect VALUES ('" + KEY + "', '[1')");
    assertThat(verdict()).isInstanceOf(Verdict.Indeterminate.class);
  }

  @Test
  void aMissingTableProvesNothing() throws Exception {
    try (TestDatabase other = TestDatabase.empty()) {
      assertThat(
              KeyedRow.<String, Receipt>verifier(TestDataSource.of(other), Receipt.class)
                  .verify(CallContext.of(KEY), "input"))
          .isInstanceOf(Verdict.Indeterminate.class);
    }
  }

  @Test
  void aKeyThatIsNoneIsRefused() throws SQLException {
    try (Connection connection = transaction()) {
      assertThatThrownBy(() -> KeyedRow.claim(connection, ""))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
