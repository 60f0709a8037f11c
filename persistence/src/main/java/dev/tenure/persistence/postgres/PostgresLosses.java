package dev.tenure.persistence.postgres;

import dev.tenure.persistence.commit.CommitId;
import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.loss.LossReport;
import dev.tenure.persistence.loss.Losses;
import dev.tenure.persistence.loss.StoreMark;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import javax.sql.DataSource;

/** What PostgreSQL says about its own past. Reports are rows of {@code meta}. */
final class PostgresLosses implements Losses {
  /** Where the reports begin among the keys of {@code meta}. */
  static final String KEY = "went-back/";

  /** The first key behind them. */
  private static final String KEY_END = "went-back0";

  private final DataSource marks;
  private final DataSource work;
  private final boolean tellsLog;

  /**
   * @param marks for the question that is asked every few seconds
   * @param tellsLog whether this role may ask where the log stands
   */
  PostgresLosses(DataSource marks, DataSource work, boolean tellsLog) {
    this.marks = marks;
    this.work = work;
    this.tellsLog = tellsLog;
  }

  /**
   * The place up to which the log is on disk: what stands behind it may legitimately be gone after
   * a crash. The first eight digits of the name of its file are the timeline.
   */
  static final String LOG =
      """
      SELECT s.system_identifier::text,
        ('x' || left(pg_walfile_name(l.place), 8))::bit(32)::int8,
        (l.place - '0/0'::pg_lsn)::int8
      FROM pg_control_system() s, pg_current_wal_flush_lsn() AS l (place)
      """;

  private static final String STORE =
      """
      SELECT coalesce((SELECT max(g.generation) FROM cluster_generation g), 0),
        coalesce(pg_sequence_last_value('lease_epoch'), 0)
      """;

  /** Services hide some functions from their customers, or have a log of another kind. */
  static boolean tellsLog(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(LOG);
      return true;
    } catch (SQLException e) {
      String state = e.getSQLState() == null ? "" : e.getSQLState();
      if (state.startsWith("08") || state.startsWith("57")) throw e;
      return false;
    }
  }

  @Override
  public Optional<StoreMark> mark() {
    try (Connection c = marks.getConnection()) {
      StoreMark.Log log = tellsLog ? log(c) : StoreMark.Log.HIDDEN;
      try (PreparedStatement query = c.prepareStatement(STORE);
          ResultSet row = query.executeQuery()) {
        row.next();
        return Optional.of(new StoreMark(log, row.getLong(1), row.getLong(2)));
      }
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("asking how far the store has come", e);
    }
  }

  private static StoreMark.Log log(Connection c) throws SQLException {
    try (PreparedStatement query = c.prepareStatement(LOG);
        ResultSet row = query.executeQuery()) {
      row.next();
      return new StoreMark.Log(row.getString(1), row.getLong(2), row.getLong(3));
    }
  }

  static final String MISSING_COMMITS =
      """
      SELECT a.place
      FROM unnest(?::text[], ?::int8[], ?::uuid[]) WITH ORDINALITY
        AS a (persistence_id, version, writer, place)
      WHERE NOT EXISTS (
        SELECT FROM event_journal j
        WHERE j.persistence_id = a.persistence_id AND j.sequence_number = a.version
          AND j.writer = a.writer)
        -- Retention removes histories, too.
        AND (SELECT true FROM workflow_removed r WHERE r.id = a.persistence_id LIMIT 1) IS NULL
      ORDER BY a.place
      """;

  @Override
  public List<CommitId> missingCommits(List<CommitId> acknowledged) {
    return missing(
        MISSING_COMMITS,
        acknowledged,
        List.of(CommitId::persistenceId, CommitId::version, CommitId::writer));
  }

  static final String MISSING_SIGNALS =
      """
      SELECT a.place
      FROM unnest(?::text[], ?::text[], ?::text[]) WITH ORDINALITY
        AS a (workflow_id, signal_name, signal_id, place)
      WHERE NOT EXISTS (
        SELECT FROM signal_response s
        WHERE s.workflow_id = a.workflow_id AND s.signal_name = a.signal_name
          AND s.signal_id = a.signal_id)
      ORDER BY a.place
      """;

  @Override
  public List<AcceptedSignal> missingSignals(List<AcceptedSignal> acknowledged) {
    return missing(
        MISSING_SIGNALS,
        acknowledged,
        List.of(
            signal -> KeyText.column(signal.workflowId()),
            signal -> KeyText.column(signal.name()),
            signal -> KeyText.column(signal.id())));
  }

  private static String type(Object value) {
    return switch (value) {
      case Long number -> "int8";
      case UUID writer -> "uuid";
      default -> "text";
    };
  }

  private <T> List<T> missing(String sql, List<T> answers, List<Function<T, Object>> columns) {
    try (Connection c = work.getConnection();
        PreparedStatement query = c.prepareStatement(sql)) {
      for (int i = 0; i < columns.size(); i++) {
        Object[] values = answers.stream().map(columns.get(i)).toArray();
        String type = type(values.length > 0 ? values[0] : "");
        query.setArray(i + 1, c.createArrayOf(type, values));
      }
      List<T> missing = new ArrayList<>();
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) missing.add(answers.get((int) rows.getLong(1) - 1));
      }
      return missing;
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("looking for acknowledged answers", e);
    }
  }

  @Override
  public void record(LossReport report) {
    String sql = "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING";
    try (Connection c = work.getConnection();
        PreparedStatement insert = c.prepareStatement(sql)) {
      insert.setString(1, KEY + report.at() + "/" + report.node());
      insert.setString(2, KeyText.column(report.text()));
      insert.executeUpdate();
    } catch (SQLException e) {
      throw SqlFailures.atCommit("keeping a report of a loss", e);
    }
  }

  @Override
  public List<LossReport> reports() {
    String sql = "SELECT m.key, m.value FROM meta m WHERE m.key >= ? AND m.key < ? ORDER BY m.key";
    try (Connection c = work.getConnection();
        PreparedStatement query = c.prepareStatement(sql)) {
      query.setString(1, KEY);
      query.setString(2, KEY_END);
      List<LossReport> reports = new ArrayList<>();
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) {
          String[] words = rows.getString(1).split("/", 3);
          reports.add(
              new LossReport(
                  Instant.parse(words[1]), words[2], KeyText.ofColumn(rows.getString(2))));
        }
      }
      return reports;
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("reading the reports of losses", e);
    }
  }
}
