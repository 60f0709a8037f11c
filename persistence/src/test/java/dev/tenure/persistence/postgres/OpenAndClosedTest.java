package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.signal.Signal;
import dev.tenure.persistence.signal.SignalWords;
import dev.tenure.persistence.signal.Signals;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.persistence.visibility.WorkflowChange;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Status;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Which table and which month the row of a workflow stands in, and what stands in it. */
class OpenAndClosedTest implements SignalWords, PostgresStoreUnderTest {
  private static TestDatabase database;
  private static PostgresStorage storage;

  @BeforeAll
  static void open() {
    database = TestDatabase.migrated();
    storage = database.open();
  }

  @AfterAll
  static void close() {
    storage.close();
    database.close();
  }

  @Override
  public Storage storage() {
    return storage;
  }

  @Override
  public Connection owner() {
    return database.owner();
  }

  private static String text(String sql) {
    try (Connection connection = database.owner()) {
      return text(connection, sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  private static String text(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? rows.getString(1) : "nothing";
    }
  }

  private static String of(WorkflowId id, String what, String table) {
    return text("SELECT %s FROM %s WHERE id = '%s'".formatted(what, table, id.value()));
  }

  private void close(WorkflowId id, Fence fence, Instant at) {
    WorkflowChange end = WorkflowChange.closes(id, Status.COMPLETED, at);
    changed(id, fence, List.of(new SideRow.WorkflowChanged(end)));
  }

  /** The part of the month that many months from now. */
  private static String part(int months) {
    return text(
        "SELECT 'workflow_closed_' || to_char(date_trunc('month', now() AT TIME ZONE 'UTC') + %d * interval '1 month', 'YYYY_MM')"
            .formatted(months));
  }

  private static Instant within(int months) {
    String at =
        text(
            "SELECT to_char(date_trunc('month', now() AT TIME ZONE 'UTC') + %d * interval '1 month', 'YYYY-MM-DD')"
                .formatted(months));
    return Instant.parse(at + "T00:00:00Z");
  }

  @Test
  void aRowStandsWithItsMonthOrWithAllOtherMonths() {
    Fence fence = claim(freshShard(), NORA);
    for (int month : List.of(0, 1, 3)) {
      WorkflowId first = started(fence);
      close(first, fence, within(month));
      assertThat(of(first, "tableoid::regclass", "workflow_closed")).isEqualTo(part(month));
      WorkflowId last = started(fence);
      close(last, fence, within(month + 1).minusMillis(1));
      assertThat(of(last, "tableoid::regclass", "workflow_closed")).isEqualTo(part(month));
      assertThat(of(last, "1", "workflow")).isEqualTo("nothing");
    }
    for (Instant at : List.of(Instant.EPOCH, Instant.parse("2999-01-01T00:00:00Z"))) {
      WorkflowId id = started(fence);
      close(id, fence, at);
      assertThat(of(id, "tableoid::regclass", "workflow_closed"))
          .isEqualTo("workflow_closed_other");
      assertThat(storage.workflows().find(id).flatMap(WorkflowRow::closedAt)).contains(at);
    }
  }

  @Test
  void aMonthThatIsMadeLateTakesItsRowsOutOfTheOthers() {
    Fence fence = claim(freshShard(), NORA);
    assertThat(storage.workflows().makeMonthsAhead()).as("all are there").isZero();
    database.execute("DROP TABLE " + part(2));
    WorkflowId id = started(fence);
    close(id, fence, within(2));
    assertThat(of(id, "tableoid::regclass", "workflow_closed")).isEqualTo("workflow_closed_other");
    assertThat(storage.workflows().makeMonthsAhead()).isEqualTo(1);
    assertThat(of(id, "tableoid::regclass", "workflow_closed")).isEqualTo(part(2));
    assertThat(storage.workflows().makeMonthsAhead()).isZero();
  }

  @Test
  void aMonthWaitsForSessionsThatReadTheOthersAndCommitsDoNot() throws SQLException {
    Fence fence = claim(freshShard(), NORA);
    database.execute("DROP TABLE " + part(3));
    WorkflowId id = started(fence);
    try (Connection reader = database.owner();
        Statement lock = reader.createStatement()) {
      reader.setAutoCommit(false);
      lock.execute("LOCK TABLE workflow_closed_other IN ACCESS SHARE MODE");
      assertThat(storage.workflows().makeMonthsAhead()).isZero();
      close(id, fence, within(3));
      reader.rollback();
    }
    assertThat(storage.workflows().makeMonthsAhead()).isEqualTo(1);
    assertThat(of(id, "tableoid::regclass", "workflow_closed")).isEqualTo(part(3));
  }

  @Test
  void anotherStartTakesTheRowBackWithItsNumberAndItsCounter() {
    Fence fence = claim(freshShard(), NORA);
    WorkflowRow row = row(new WorkflowId(freshId()), fence.shard());
    WorkflowId id = started(row, fence);
    String number = of(id, "number", "workflow");
    accepted(SignalWords.signal(id, "n", "s-1"));
    close(id, fence, within(0));
    assertThat(of(id, "number || ' ' || signals", "workflow_closed")).isEqualTo(number + " 1");
    changed(id, fence, List.of(new SideRow.WorkflowStartedAgain(row)));
    assertThat(of(id, "1", "workflow_closed")).isEqualTo("nothing");
    assertThat(of(id, "number || ' ' || pending", "workflow")).isEqualTo(number + " 0");
    assertThat(accepted(SignalWords.signal(id, "n", "s-2")).position()).isEqualTo(2);
    close(id, fence, within(1));
    assertThat(of(id, "number || ' ' || signals", "workflow_closed")).isEqualTo(number + " 2");
    assertThat(unconsumed(id)).hasSize(2);
  }

  @Test
  void whatBeginsAndClosesInOneCommitStandsWithTheClosedOnes() {
    Fence fence = claim(freshShard(), NORA);
    WorkflowId id = new WorkflowId(freshId());
    WorkflowRow open = row(id, fence.shard());
    WorkflowRow closed =
        new WorkflowRow(
            id,
            fence.shard(),
            open.runId(),
            open.type(),
            Status.FAILED,
            Optional.empty(),
            open.startedAt(),
            Optional.of(within(0)),
            Optional.empty(),
            open.attributes());
    started(closed, fence);
    assertThat(of(id, "1", "workflow")).isEqualTo("nothing");
    assertThat(storage.workflows().find(id)).contains(closed);
    // One that is open already is not closed by another's start.
    WorkflowId known = started(fence);
    Commit second =
        step(
            freshId(),
            1,
            fence,
            "w2",
            new SideRow.WorkflowStarted(
                new WorkflowRow(
                    known,
                    fence.shard(),
                    "run",
                    open.type(),
                    Status.FAILED,
                    Optional.empty(),
                    open.startedAt(),
                    Optional.of(within(0)),
                    Optional.empty(),
                    open.attributes())));
    assertThatThrownBy(() -> commit(second)).isInstanceOf(StorageException.Refused.class);
    assertThat(of(known, "1", "workflow_closed")).isEqualTo("nothing");
  }

  private CommitResult linked(WorkflowId id, long version, Fence fence, byte[] link, SideRow row) {
    Commit plain = step(id.value(), version, fence, "w1", row);
    return commit(
        new Commit(
            plain.id(),
            fence,
            plain.manifest(),
            plain.payload(),
            plain.sideRows(),
            Optional.of(link)));
  }

  @Test
  void aRowNamesTheNewestEntryOfItsJournalAsOfItsLastWrite() {
    Fence fence = claim(freshShard(), NORA);
    WorkflowId id = new WorkflowId(freshId());
    String head = "head_version || ' ' || encode(head_link, 'hex')";
    WorkflowRow row = row(id, fence.shard());
    linked(id, 1, fence, new byte[] {1}, new SideRow.WorkflowStarted(row));
    assertThat(of(id, head, "workflow")).isEqualTo("1 01");
    linked(id, 2, fence, new byte[] {2}, note(id.value(), 1));
    assertThat(of(id, head, "workflow")).as("this commit writes no row").isEqualTo("1 01");
    WorkflowChange rest = WorkflowChange.rests(id, Status.WAITING, Optional.empty(), 0);
    linked(id, 3, fence, new byte[] {3}, new SideRow.WorkflowChanged(rest));
    assertThat(of(id, head, "workflow")).isEqualTo("3 03");
    WorkflowChange end = WorkflowChange.closes(id, Status.COMPLETED, within(0));
    linked(id, 4, fence, new byte[] {4}, new SideRow.WorkflowChanged(end));
    assertThat(of(id, head, "workflow_closed")).isEqualTo("4 04");
    linked(id, 5, fence, new byte[] {5}, new SideRow.WorkflowStartedAgain(row));
    assertThat(of(id, head, "workflow")).isEqualTo("5 05");
    assertThat(storage.writeWithoutHistory(id, fence, List.of(new SideRow.WorkflowChanged(end))))
        .isTrue();
    assertThat(of(id, head, "workflow_closed")).isEqualTo("5 05");
  }

  @Test
  void theNumberOfWaitingSignalsIsCountedUpAndDown() {
    Fence fence = claim(freshShard(), NORA);
    WorkflowId id = started(fence);
    List<Signal> three =
        IntStream.range(0, 3).mapToObj(i -> SignalWords.signal(id, "n", "s-" + i)).toList();
    signals().accept(three, RETENTION);
    signals().accept(three, RETENTION);
    assertThat(of(id, "pending", "workflow")).as("a repetition does not wait").isEqualTo("3");
    SideRow rest =
        new SideRow.WorkflowChanged(WorkflowChange.rests(id, Status.WAITING, Optional.empty(), 3));
    changed(id, fence, List.of(new SideRow.SignalConsumed(id, 2), rest));
    assertThat(of(id, "pending", "workflow")).isEqualTo("2");
    changed(id, fence, List.of(new SideRow.SignalConsumed(id, 3)));
    assertThat(of(id, "pending", "workflow")).as("without a change of the row").isEqualTo("1");
    Command.Arrival back = new Command.Arrival("n", 2, "s-1", SignalWords.payload("x"));
    changed(id, fence, List.of(new SideRow.SignalReturned(id, fence.shard(), back), rest));
    assertThat(of(id, "pending", "workflow")).isEqualTo("2");
    assertThat(pending(id)).hasSize(2);
  }

  /**
   * While a snapshot is open, the rows of signals that were consumed since cannot be removed from
   * pages and indexes. Whoever accepts the next one must not come across them.
   */
  @Test
  void acceptingDoesNotLookAtWhatWasConsumed() throws SQLException {
    Fence fence = claim(freshShard(), NORA);
    WorkflowId id = started(fence);
    try (Connection dump = database.owner()) {
      dump.setAutoCommit(false);
      dump.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      String seen = "SELECT count(*) FROM signal_inbox WHERE workflow_id = '" + id.value() + "'";
      assertThat(text(dump, seen)).isEqualTo("0");
      accepted(SignalWords.signal(id, "n", "first"));
      long fresh = buffersOfAnAcceptance(id);
      int consumed = 5_000;
      for (int from = 0; from < consumed; from += Signals.MAX_BATCH) {
        List<Signal> batch = new ArrayList<>();
        for (int i = from; i < from + Signals.MAX_BATCH; i++)
          batch.add(SignalWords.signal(id, "n", "s-" + i));
        signals().accept(batch, RETENTION);
        List<SideRow> rows = new ArrayList<>();
        for (int i = from; i < from + Signals.MAX_BATCH; i++)
          rows.add(new SideRow.SignalConsumed(id, i + 2));
        changed(id, fence, rows);
      }
      assertThat(pending(id)).hasSize(1);
      long later = buffersOfAnAcceptance(id);
      System.out.println("buffers of an acceptance: " + fresh + ", then " + later);
      // Some more levels of the indexes, and none of the thousands of rows.
      assertThat(later).isLessThan(fresh + 60);
      assertThat(text(dump, seen)).as("the snapshot is that of the beginning").isEqualTo("0");
      dump.rollback();
    }
  }

  private static final Pattern BUFFERS =
      Pattern.compile("Buffers: shared hit=(\\d+)(?: read=(\\d+))?");

  /** Accepts one more, looks at what that costs, and takes it back. */
  private static long buffersOfAnAcceptance(WorkflowId id) throws SQLException {
    List<String> values =
        List.of(
            "ARRAY['" + id.value() + "']",
            "ARRAY['n']",
            "ARRAY['looked-at']",
            "ARRAY['\\x00'::bytea]",
            "ARRAY[NULL]::text[]",
            "ARRAY['" + id.value() + "']",
            "10000",
            "1000",
            "1000");
    String sql = SignalAcceptance.ACCEPT;
    for (String value : values) sql = sql.replaceFirst("\\?", Matcher.quoteReplacement(value));
    try (Connection connection = database.owner();
        Statement statement = connection.createStatement()) {
      statement.execute(PostgresPool.SESSION);
      connection.setAutoCommit(false);
      try (ResultSet rows =
          statement.executeQuery("EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, SUMMARY OFF) " + sql)) {
        long most = 0;
        while (rows.next()) {
          if (rows.getString(1).startsWith("Planning")) break;
          Matcher found = BUFFERS.matcher(rows.getString(1));
          if (found.find())
            most =
                Math.max(
                    most,
                    Long.parseLong(found.group(1))
                        + (found.group(2) == null ? 0 : Long.parseLong(found.group(2))));
        }
        assertThat(most).isPositive();
        return most;
      } finally {
        connection.rollback();
      }
    }
  }
}
