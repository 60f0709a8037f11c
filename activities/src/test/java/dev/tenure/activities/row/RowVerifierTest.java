package dev.tenure.activities.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.activities.CallContext;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.workflow.Verifier.Verdict;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a row proves about a call, and about what the history says. */
@Timeout(120)
class RowVerifierTest {
  record Charge(String id, int cents) {}

  enum State {
    PAID
  }

  private static final String SELECT = "SELECT id, cents FROM charge WHERE key = ?";
  private static final CallContext CONTEXT = CallContext.of("tenure:order-17:run-1:charge");

  private static TestDatabase database;
  private static DataSource dataSource;

  @BeforeAll
  static void start() {
    database = TestDatabase.empty();
    dataSource = TestDataSource.of(database);
    database.execute(
        """
        CREATE TABLE charge (
          key text, id text, cents numeric(10, 2), state text, at timestamptz, token uuid, note text)
        """);
  }

  @AfterAll
  static void stop() {
    database.close();
  }

  @BeforeEach
  void empty() {
    database.execute("TRUNCATE charge");
  }

  private static void insert(String key, String id) {
    database.execute(
        """
        INSERT INTO charge VALUES ('%s', '%s', 900, 'PAID', '2026-01-02T03:04:05Z',
          '00000000-0000-0000-0000-000000000001', NULL)
        """
            .formatted(key, id));
  }

  private static RowVerifier<String, Charge> verifier(DataSource source, String select) {
    return RowVerifier.of(
        source, select, row -> new Charge(row.getString("id"), row.getInt("cents")));
  }

  private static Verdict<Charge> verdict(String select) throws Exception {
    return verifier(dataSource, select).verify(CONTEXT, "input");
  }

  @Test
  void aRowIsTheResultOfACompletedCall() throws Exception {
    insert(CONTEXT.idempotencyKey(), "c-1");
    insert("another key", "c-2");
    assertThat(verdict(SELECT))
        .isEqualTo(Verdict.completed(new Charge("c-1", 900), "there is one row with the key"));
  }

  @Test
  void noRowSaysThatTheCallIsNotCompleted() throws Exception {
    insert("another key", "c-2");
    assertThat(verdict(SELECT)).isInstanceOf(Verdict.NotCompleted.class);
  }

  @Test
  void parametersMayBeOtherThanTheKey() throws Exception {
    insert("k", "c-1");
    RowVerifier<String, String> verifier =
        RowVerifier.of(
            dataSource,
            "SELECT id FROM charge WHERE key = ? AND cents = ?",
            (context, input) -> List.of(input, new BigDecimal("900")),
            row -> row.getString("id"));
    assertThat(verifier.verify(CONTEXT, "k"))
        .isEqualTo(Verdict.completed("c-1", "there is one row with the key"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"' OR '1'='1", "'; DROP TABLE charge; --", "x\\"})
  void aKeyIsAValueAndNeverSql(String key) throws Exception {
    insert("k", "c-1");
    assertThat(verifier(dataSource, SELECT).verify(CallContext.of(key), "input"))
        .isInstanceOf(Verdict.NotCompleted.class);
    assertThat(verifier(dataSource, SELECT).verify(CallContext.of("k"), "input"))
        .isInstanceOf(Verdict.CompletedWithResult.class);
  }

  @Test
  void twoRowsProveNothing() throws Exception {
    insert(CONTEXT.idempotencyKey(), "c-1");
    insert(CONTEXT.idempotencyKey(), "c-2");
    assertThat(verdict(SELECT)).isInstanceOf(Verdict.Indeterminate.class);
  }

  @Test
  void aRowThatCannotBeReadProvesNothing() throws Exception {
    insert(CONTEXT.idempotencyKey(), "c-1");
    assertThat(verdict("SELECT id FROM charge WHERE key = ?"))
        .isInstanceOf(Verdict.Indeterminate.class);
  }

  @Test
  void anErrorOfTheDatabaseProvesNothing() throws Exception {
    assertThat(verdict("SELECT id FROM none_such WHERE key = ?"))
        .isInstanceOf(Verdict.Indeterminate.class);
    assertThat(verdict("SELECT id FROM none_such WHERE key = ?").evidence()).contains("42P01");
  }

  @Test
  void aDatabaseThatIsAwayProvesNothing() throws Exception {
    TestDatabase gone = TestDatabase.empty();
    DataSource source = TestDataSource.of(gone);
    gone.close();
    assertThat(verifier(source, SELECT).verify(CONTEXT, "input"))
        .isInstanceOf(Verdict.Indeterminate.class);
  }

  @Test
  void aQueryThatTakesTooLongIsEnded() throws Exception {
    Verdict<Charge> verdict =
        verifier(dataSource, "SELECT pg_sleep(100), ? AS id")
            .withQueryTimeout(Duration.ofMillis(500))
            .verify(CONTEXT, "input");
    assertThat(verdict).isInstanceOf(Verdict.Indeterminate.class);
    assertThat(verdict.evidence()).contains("57014");
  }

  @Test
  void aLockThatAnotherTransactionHoldsDoesNotHoldUpForEver() throws Exception {
    try (Connection other = database.owner()) {
      other.setAutoCommit(false);
      other.createStatement().execute("LOCK TABLE charge");
      assertThat(
              verifier(dataSource, SELECT)
                  .withQueryTimeout(Duration.ofMillis(500))
                  .verify(CONTEXT, "input"))
          .isInstanceOf(Verdict.Indeterminate.class);
      other.rollback();
    }
  }

  @Test
  void aVerifierWritesNothing() throws Exception {
    assertThat(verdict("INSERT INTO charge (key) VALUES (?) RETURNING id, cents"))
        .isInstanceOf(Verdict.Indeterminate.class);
    assertThat(verdict(SELECT)).isInstanceOf(Verdict.NotCompleted.class);
  }

  @Test
  void aConnectionIsGivenBackAsItWas() throws Exception {
    try (Connection connection = dataSource.getConnection()) {
      connection.setNetworkTimeout(Runnable::run, 12_345);
      AtomicReference<String> closed = new AtomicReference<>("no");
      DataSource pool = poolOf(unclosable(connection, closed));
      insert(CONTEXT.idempotencyKey(), "c-1");
      assertThat(verifier(pool, SELECT).verify(CONTEXT, "input"))
          .isInstanceOf(Verdict.CompletedWithResult.class);
      assertThat(verifier(pool, "SELECT nonsense").verify(CONTEXT, "input"))
          .isInstanceOf(Verdict.Indeterminate.class);
      assertThat(closed).hasValue("yes");
      assertThat(connection.getAutoCommit()).isTrue();
      assertThat(connection.isReadOnly()).isFalse();
      assertThat(connection.getNetworkTimeout()).isEqualTo(12_345);
    }
  }

  private static DataSource poolOf(Connection connection) {
    return (DataSource)
        Proxy.newProxyInstance(
            RowVerifierTest.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> connection);
  }

  private static Connection unclosable(Connection connection, AtomicReference<String> closed) {
    return (Connection)
        Proxy.newProxyInstance(
            RowVerifierTest.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (!method.getName().equals("close")) return method.invoke(connection, arguments);
              closed.set("yes");
              return null;
            });
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, 3_600_000})
  void aQueryTimeoutThatIsNoneIsRefused(long millis) {
    assertThatThrownBy(
            () -> verifier(dataSource, SELECT).withQueryTimeout(Duration.ofMillis(millis)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  // --- resources

  private static RowResourceVerifier<String, Charge> resource() {
    return RowResourceVerifier.<String, Charge>of(
            dataSource,
            "SELECT * FROM charge WHERE id = ?",
            (input, recorded) -> List.of(recorded.id()))
        .comparing("cents", Charge::cents)
        .comparing("state", recorded -> State.PAID)
        .comparing("at", recorded -> Instant.parse("2026-01-02T03:04:05Z"))
        .comparing("token", recorded -> new UUID(0, 1))
        .comparing("key", recorded -> "k")
        .comparing("note", recorded -> null);
  }

  private static Optional<String> difference(RowResourceVerifier<String, Charge> verifier)
      throws Exception {
    return verifier.difference(CONTEXT, "input", new Charge("c-1", 900));
  }

  @Test
  void aRowThatIsAsItWasAgrees() throws Exception {
    insert("k", "c-1");
    assertThat(difference(resource())).isEmpty();
  }

  @Test
  void aRowThatIsGoneDiffers() throws Exception {
    assertThat(difference(resource()).orElseThrow()).contains("not there");
  }

  @Test
  void eachColumnThatDiffersIsNamed() throws Exception {
    insert("k", "c-1");
    database.execute("UPDATE charge SET cents = 901, state = NULL, note = 'late'");
    assertThat(difference(resource()).orElseThrow())
        .contains("column cents is 901.00, and the history has 900")
        .contains("column state is null, and the history has PAID")
        .contains("column note is late, and the history has null")
        .doesNotContain("token");
  }

  @Test
  void anErrorOfTheDatabaseIsThrown() {
    insert("k", "c-1");
    assertThatThrownBy(() -> difference(resource().comparing("none_such", recorded -> 1)))
        .isInstanceOf(java.sql.SQLException.class);
  }
}
