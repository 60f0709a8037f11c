package dev.tenure.persistence.postgres;

import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.retention.ClosedWorkflow;
import dev.tenure.persistence.retention.Removals;
import dev.tenure.persistence.visibility.StatusCode;
import dev.tenure.workflow.WorkflowId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import javax.sql.DataSource;

/** Removals by functions of the database, which the role of the application may call. */
final class PostgresRemovals implements Removals {
  private static final Duration LOCK_LIMIT = Duration.ofSeconds(1);
  private static final Duration STATEMENT_LIMIT = Duration.ofSeconds(60);

  private final Transactions transactions;

  PostgresRemovals(DataSource pool) {
    this.transactions = new Transactions(pool, LOCK_LIMIT, STATEMENT_LIMIT);
  }

  /** Parts whose months lie outside are not looked at. */
  static final String CLOSED =
      """
      SELECT w.id, w.type, w.status, w.closed_at, w.number FROM workflow_closed w
      WHERE (w.closed_at, w.number) > (?::timestamptz, ?) AND w.closed_at < ?::timestamptz
      ORDER BY w.closed_at, w.number LIMIT ?
      """;

  @Override
  public List<ClosedWorkflow> closed(Place after, Instant before, int limit) {
    return transactions.run(
        "looking for workflows that closed before " + before,
        connection -> {
          try (PreparedStatement query = connection.prepareStatement(CLOSED)) {
            query.setString(1, after.closedAt().toString());
            query.setLong(2, after.number());
            query.setString(3, before.toString());
            query.setInt(4, limit);
            try (ResultSet rows = query.executeQuery()) {
              List<ClosedWorkflow> found = new ArrayList<>();
              while (rows.next()) found.add(read(rows));
              return found;
            }
          }
        });
  }

  private static ClosedWorkflow read(ResultSet row) throws SQLException {
    return new ClosedWorkflow(
        new WorkflowId(KeyText.ofColumn(row.getString(1))),
        KeyText.ofColumn(row.getString(2)),
        StatusCode.parse(row.getString(3)),
        StoredInstant.of(row, 4),
        row.getLong(5));
  }

  static final String REMOVE =
      """
      SELECT remove_closed_workflows(?::text[], ?::timestamptz[], ? * interval '1 millisecond', ?)
      """;

  @Override
  public int remove(List<ClosedWorkflow> closed, Duration idKeptFor) {
    if (closed.isEmpty()) return 0;
    return transactions.run(
        "removing " + closed.size() + " closed workflows",
        connection -> {
          try (PreparedStatement remove = connection.prepareStatement(REMOVE)) {
            remove.setArray(1, texts(connection, closed, one -> KeyText.column(one.id().value())));
            remove.setArray(2, texts(connection, closed, one -> one.closedAt().toString()));
            remove.setLong(3, idKeptFor.toMillis());
            remove.setLong(4, ROWS_MAX);
            return number(remove);
          }
        });
  }

  private static java.sql.Array texts(
      Connection connection, List<ClosedWorkflow> closed, Function<ClosedWorkflow, String> text)
      throws SQLException {
    return connection.createArrayOf("text", closed.stream().map(text).toArray());
  }

  static final String REMOVE_LEFT = "SELECT remove_left_history(?)";

  @Override
  public int removeLeftHistory() {
    return run("removing the rest of long histories", REMOVE_LEFT, ROWS_MAX);
  }

  static final String FORGET =
      """
      WITH free AS MATERIALIZED (
        SELECT r.id FROM workflow_removed r
        WHERE r.free_at <= clock_timestamp() AND NOT r.rows_left
        ORDER BY r.free_at LIMIT ? FOR UPDATE SKIP LOCKED
      ), forgotten AS (
        DELETE FROM workflow_removed d WHERE d.id = ANY (ARRAY(SELECT f.id FROM free f)) RETURNING 1
      )
      SELECT count(*) FROM forgotten
      """;

  @Override
  public int forgetIds(int limit) {
    return run("forgetting ids of removed workflows", FORGET, limit);
  }

  @Override
  public int dropEmptyMonths() {
    return transactions.run(
        "dropping months without closed workflows",
        connection -> {
          try (PreparedStatement drop =
              connection.prepareStatement("SELECT drop_empty_closed_months()")) {
            return number(drop);
          }
        });
  }

  private int run(String what, String sql, int limit) {
    return transactions.run(
        what,
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, limit);
            return number(statement);
          }
        });
  }

  private static int number(PreparedStatement query) throws SQLException {
    try (ResultSet row = query.executeQuery()) {
      row.next();
      return row.getInt(1);
    }
  }
}
