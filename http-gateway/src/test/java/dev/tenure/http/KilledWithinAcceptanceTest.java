package dev.tenure.http;

import static dev.tenure.http.Http.workflow;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tenure.persistence.storage.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The windows of a crash before a signal's acceptance is durable. Payload and answer are written by
 * one transaction, so that between them there is only an open one, and it is gone with its
 * connection: the retry accepts once, and is never indeterminate.
 */
class KilledWithinAcceptanceTest {
  private static final long HELD = 4711;

  /** How a signal is accepted: {@code docs/decisions/taken-signals.md}. */
  private enum Way {
    /** The workflow waits for it: one commit accepts and consumes it. */
    TAKEN("item", "AFTER INSERT ON signal_response", "0 1 1", "[1]"),
    /** Nobody waits for it: it stands in the inbox until the workflow has ended. */
    INBOX("unasked", "AFTER INSERT ON signal_inbox", "1 1 1", "[]");

    private final String signal;
    private final String lastWrite;
    private final String stored;
    private final String items;

    Way(String signal, String lastWrite, String stored, String items) {
      this.signal = signal;
      this.lastWrite = lastWrite;
      this.stored = stored;
      this.items = items;
    }
  }

  @ParameterizedTest
  @EnumSource
  void beforeAnythingIsStoredTheRetryAcceptsOnce(Way way) throws Exception {
    try (TestDatabase database = TestDatabase.migrated()) {
      Process process = KilledBeforeTheAnswerTest.start(database);
      try {
        Http doomed = begun(process);
        assertThatThrownBy(() -> signal(doomed, way, "doomed-1"))
            .isInstanceOf(java.io.UncheckedIOException.class);
        process.waitFor();
      } finally {
        process.destroyForcibly();
      }
      assertThat(stored(database)).isEqualTo("0 0 0");
      retriesAreAcceptedOnce(database, way, "doomed-1");
    }
  }

  @ParameterizedTest
  @EnumSource
  void betweenPayloadAndAnswerThereIsNothingThatOutlivesTheConnection(Way way) throws Exception {
    try (TestDatabase database = TestDatabase.migrated();
        Connection holder = database.owner()) {
      killWhileItStores(database, holder, way, "BEFORE INSERT ON signal_response");
      // The node is dead, and its transaction is still open: so far, nobody sees anything of it.
      assertThat(stored(database)).isEqualTo("0 0 0");
      database.superuser(
          "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND NOT"
              + " granted AND database = (SELECT oid FROM pg_database WHERE datname = '"
              + database.name()
              + "')");
      release(holder);
      await(database, "SELECT count(*) = 0 FROM pg_locks WHERE NOT granted");
      assertThat(stored(database)).isEqualTo("0 0 0");
      retriesAreAcceptedOnce(database, way, "between-1");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aTransactionThatOutlivesItsNodeIsFoundByTheRetry(Way way) throws Exception {
    try (TestDatabase database = TestDatabase.migrated();
        Connection holder = database.owner()) {
      killWhileItStores(database, holder, way, way.lastWrite);
      // What the node had sent is carried out to its end, also when nobody waits for that any more.
      release(holder);
      await(database, "SELECT count(*) = 1 FROM signal_response");
      assertThat(stored(database)).isEqualTo(way.stored);
      retriesAreAcceptedOnce(database, way, "between-1");
    }
  }

  /** Kills the node while its transaction waits for the holder, in the middle of its writes. */
  private static void killWhileItStores(
      TestDatabase database, Connection holder, Way way, String where) throws Exception {
    database.execute(
        "CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$"
            + " BEGIN PERFORM pg_advisory_xact_lock(%d); RETURN NEW; END $$".formatted(HELD));
    database.execute(
        "CREATE TRIGGER hold %s FOR EACH ROW EXECUTE FUNCTION hold()".formatted(where));
    Process process = KilledBeforeTheAnswerTest.start(database);
    try {
      Http doomed = begun(process);
      try (Statement lock = holder.createStatement()) {
        lock.execute("SELECT pg_advisory_lock(" + HELD + ")");
      }
      CompletableFuture<JsonNode> lost =
          CompletableFuture.supplyAsync(
              () -> signal(doomed, way, "between-1"), task -> Thread.ofVirtual().start(task));
      await(
          database,
          "SELECT count(*) = 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted");
      process.destroyForcibly();
      process.waitFor();
      assertThatThrownBy(lost::join).hasRootCauseInstanceOf(java.io.IOException.class);
    } finally {
      process.destroyForcibly();
    }
  }

  private static Http begun(Process process) throws Exception {
    Http http = new Http(KilledBeforeTheAnswerTest.where(process));
    assertThat(http.post("/api/v1/workflows", "{\"type\":\"basket\",\"id\":\"w\"}").status())
        .isEqualTo(201);
    return http;
  }

  private static JsonNode signal(Http http, Way way, String signalId) {
    return http.post(
            workflow("w", "signal", way.signal),
            "{\"signalId\":\"%s\",\"payload\":1}".formatted(signalId))
        .body();
  }

  /** Over both transports, and then the workflow has received it once (I13). */
  private static void retriesAreAcceptedOnce(TestDatabase database, Way way, String signalId) {
    try (Served next = Served.start(database)) {
      JsonNode first = signal(next.http(), way, signalId);
      assertThat(first.path("accepted").asBoolean()).as(first.toString()).isTrue();
      String params =
          "{\"workflowId\":\"w\",\"signalName\":\"%s\",\"signalId\":\"%s\",\"payload\":1}"
              .formatted(way.signal, signalId);
      assertThat(next.http().rpc("workflows.signal", params).body().get("result")).isEqualTo(first);
      assertThat(signal(next.http(), way, signalId)).isEqualTo(first);
      assertThat(next.count("SELECT signals FROM workflow_all WHERE id = 'w'")).isEqualTo(1);
      next.http().post(workflow("w", "signal", "item"), "{\"payload\":\"done\"}");
      JsonNode result = next.http().with("Prefer", "wait=60").get(workflow("w", "result")).body();
      assertThat(result.at("/result/items").toString()).isEqualTo(way.items);
    }
  }

  /** Payloads, answers, and how many signals the workflow counts. */
  private static String stored(TestDatabase database) {
    return text(
        database,
        "SELECT concat_ws(' ', (SELECT count(*) FROM signal_inbox),"
            + " (SELECT count(*) FROM signal_response), (SELECT signals FROM workflow_all))");
  }

  private static void release(Connection holder) throws SQLException {
    try (Statement lock = holder.createStatement()) {
      lock.execute("SELECT pg_advisory_unlock(" + HELD + ")");
    }
  }

  private static void await(TestDatabase database, String condition) {
    Await.until(() -> text(database, condition).equals("t"));
  }

  private static String text(TestDatabase database, String sql) {
    try (Connection connection = database.owner();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }
}
