package dev.tenure.persistence.postgres;

import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.payload.MissingPayloadError;
import dev.tenure.persistence.proof.Histories;
import dev.tenure.persistence.proof.RecordedHead;
import dev.tenure.workflow.WorkflowId;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Reads the journal beside the rows of workflows, both in the order of the ids. A range is one
 * transaction that sees the store at one moment, and is short: while it is open, PostgreSQL removes
 * nothing.
 */
final class PostgresHistories implements Histories {
  /** Behind every id: no id has as many bytes, and no byte of UTF-8 comes after these. */
  private static final String LAST = Character.toString(Character.MAX_CODE_POINT).repeat(200);

  /** How many rows a connection holds in memory; each has a few MiB at most. */
  private static final int FETCH_ROWS = 32;

  private final DataSource connections;

  /**
   * @param connections each a session of its own
   */
  PostgresHistories(DataSource connections) {
    this.connections = connections;
  }

  /** Only the index is read. */
  static final String RANGE_END =
      """
      SELECT j.persistence_id FROM event_journal j
      WHERE j.persistence_id > ? AND j.persistence_id <= ?
      ORDER BY j.persistence_id, j.sequence_number OFFSET ? LIMIT 1
      """;

  static final String ROWS =
      """
      SELECT j.persistence_id, j.sequence_number, j.writer, j.shard, j.epoch,
        j.event_ser_manifest, j.event_payload
      FROM event_journal j
      WHERE j.persistence_id > ? AND j.persistence_id <= ?
      ORDER BY j.persistence_id, j.sequence_number
      """;

  /** Each workflow has a row, and so the ids need not be looked for in the journal. */
  static final String NEWEST =
      """
      SELECT j.* FROM (
        SELECT o.id FROM workflow o UNION ALL SELECT c.id FROM workflow_closed c) w
      CROSS JOIN LATERAL (
        SELECT e.persistence_id, e.sequence_number, e.writer, e.shard, e.epoch,
          e.event_ser_manifest, e.event_payload
        FROM event_journal e WHERE e.persistence_id = w.id
        ORDER BY e.sequence_number DESC LIMIT 1) j
      WHERE w.id > ? ORDER BY w.id LIMIT ?
      """;

  /** The statements were written for their indexes, as those of the engine. */
  private static final String SESSION = "SET enable_seqscan = off; SET enable_bitmapscan = off";

  private Connection connect() throws SQLException {
    Connection connection = connections.getConnection();
    try (Statement session = connection.createStatement()) {
      session.execute(SESSION);
    }
    return connection;
  }

  @Override
  public Range next(String after, int rows) {
    try (Connection c = connect();
        PreparedStatement query = c.prepareStatement(RANGE_END)) {
      query.setString(1, after);
      query.setString(2, LAST);
      query.setInt(3, rows);
      try (ResultSet found = query.executeQuery()) {
        return new Range(after, found.next() ? Optional.of(found.getString(1)) : Optional.empty());
      }
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("looking for the next histories", e);
    }
  }

  @Override
  public List<JournalRow> newest(String after, int max) {
    try (Connection c = connect();
        PreparedStatement query = c.prepareStatement(NEWEST)) {
      query.setString(1, after);
      query.setInt(2, max);
      try (ResultSet rows = query.executeQuery()) {
        List<JournalRow> newest = new ArrayList<>();
        while (rows.next()) newest.add(PostgresJournal.row(rows, 1));
        return newest;
      }
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("reading the newest commits", e);
    }
  }

  @Override
  public Reader reader() {
    try {
      Connection connection = connect();
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      connection.setReadOnly(true);
      return new OneReader(connection);
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("connecting", e);
    }
  }

  private record OneReader(Connection connection) implements Reader {
    @Override
    public void read(Range range, Visitor visitor) {
      try {
        readNow(range, visitor);
        connection.commit();
      } catch (SQLException e) {
        throw SqlFailures.beforeCommit("reading the histories behind " + range.after(), e);
      }
    }

    private void readNow(Range range, Visitor visitor) throws SQLException {
      String to = range.to().orElse(LAST);
      try (PreparedStatement journal = cursor(ROWS);
          PreparedStatement workflows = cursor(PostgresHeads.RANGE)) {
        journal.setString(1, range.after());
        journal.setString(2, to);
        workflows.setString(1, range.after());
        workflows.setString(2, to);
        try (ResultSet rows = journal.executeQuery();
            ResultSet heads = workflows.executeQuery()) {
          merge(rows, heads, visitor);
        }
      }
    }

    private PreparedStatement cursor(String sql) throws SQLException {
      PreparedStatement statement = connection.prepareStatement(sql);
      statement.setFetchSize(FETCH_ROWS);
      return statement;
    }

    private void merge(ResultSet rows, ResultSet heads, Visitor visitor) throws SQLException {
      boolean hasRow = rows.next();
      boolean hasHead = heads.next();
      while (hasRow || hasHead) {
        String ofRow = hasRow ? rows.getString(1) : LAST;
        String ofHead = hasHead ? heads.getString("id") : LAST;
        String id = order(ofRow, ofHead) <= 0 ? ofRow : ofHead;
        boolean isRecorded = hasHead && ofHead.equals(id);
        Optional<RecordedHead> head =
            isRecorded ? Optional.of(PostgresHeads.head(heads)) : Optional.empty();
        visitor.begins(id, head, this::load);
        while (hasRow && rows.getString(1).equals(id)) {
          visitor.row(PostgresJournal.row(rows, 1));
          hasRow = rows.next();
        }
        visitor.ends();
        if (isRecorded) hasHead = heads.next();
      }
    }

    /** As the store compares them. */
    private static int order(String one, String other) {
      return Arrays.compareUnsigned(
          one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    private byte[] load(WorkflowId id, byte[] hash) {
      try (PreparedStatement query = connection.prepareStatement(PostgresPayloads.LOAD)) {
        query.setString(1, KeyText.column(id.value()));
        query.setBytes(2, hash);
        try (ResultSet found = query.executeQuery()) {
          return MissingPayloadError.checked(id, hash, found.next() ? found.getBytes(1) : null);
        }
      } catch (SQLException e) {
        throw SqlFailures.beforeCommit("reading a payload of " + id, e);
      }
    }

    @Override
    public void close() {
      try {
        connection.close();
      } catch (SQLException e) {
        throw SqlFailures.beforeCommit("closing a connection", e);
      }
    }
  }
}
