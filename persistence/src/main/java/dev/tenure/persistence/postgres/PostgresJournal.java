package dev.tenure.persistence.postgres;

import dev.tenure.persistence.journal.DamagedJournalError;
import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.journal.ReadTooLargeError;
import dev.tenure.persistence.storage.Storage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/** Reads the journal for many workflows with one query. */
final class PostgresJournal {
  private final DataSource pool;

  PostgresJournal(DataSource pool) {
    this.pool = pool;
  }

  static final String NEWEST =
      """
      SELECT coalesce(h.head, 0)
      FROM unnest(?::text[]) WITH ORDINALITY AS w (persistence_id, position)
      LEFT JOIN LATERAL (
        SELECT j.sequence_number AS head FROM event_journal j
        WHERE j.persistence_id = w.persistence_id
        ORDER BY j.sequence_number DESC LIMIT 1) h ON true
      ORDER BY w.position
      """;

  List<Long> newestVersions(List<String> persistenceIds) {
    try (Connection c = pool.getConnection();
        PreparedStatement query = c.prepareStatement(NEWEST)) {
      query.setArray(1, c.createArrayOf("text", persistenceIds.toArray()));
      try (ResultSet rows = query.executeQuery()) {
        List<Long> newest = new ArrayList<>(persistenceIds.size());
        while (rows.next()) newest.add(rows.getLong(1));
        return newest;
      }
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("reading the newest versions", e);
    }
  }

  /**
   * The sums of bytes are counted before a large payload is fetched from where it lies. When all
   * rows together are too large, one row says so.
   */
  static final String READ =
      """
      SELECT r.* FROM (
        SELECT w.position, j.*, sum(j.bytes) OVER () AS total, row_number() OVER () AS number
        FROM unnest(?::text[], ?::int8[], ?::int8[], ?::int4[], ?::int8[], ?::bool[])
          WITH ORDINALITY
          AS w (persistence_id, lowest, highest, row_limit, byte_limit, newest_run, position)
        CROSS JOIN LATERAL (
          SELECT greatest(w.lowest, (
            SELECT r.sequence_number FROM event_journal r
            WHERE w.newest_run AND r.persistence_id = w.persistence_id
              AND r.event_ser_manifest = 'r'
            ORDER BY r.sequence_number DESC LIMIT 1)) AS lowest OFFSET 0) b
        CROSS JOIN LATERAL (
          SELECT p.* FROM (
            SELECT e.persistence_id, e.sequence_number, e.writer, e.shard, e.epoch,
              e.event_ser_manifest, e.event_payload,
              octet_length(e.event_payload) AS bytes,
              sum(octet_length(e.event_payload)) OVER (
                ORDER BY e.sequence_number ROWS UNBOUNDED PRECEDING) AS up_to_here
            FROM event_journal e
            WHERE e.persistence_id = w.persistence_id
              AND e.sequence_number BETWEEN b.lowest AND w.highest
            ORDER BY e.sequence_number LIMIT w.row_limit) p
          WHERE p.up_to_here - p.bytes < w.byte_limit) j) r
      WHERE r.total <= ? OR r.number = 1
      ORDER BY r.position, r.sequence_number
      """;

  /** A damaged page: the same query fails again. */
  private static final String DATA_CORRUPTED = "XX001";

  List<List<JournalRow>> read(List<JournalRead> reads) {
    List<List<JournalRow>> found = new ArrayList<>(reads.size());
    for (int i = 0; i < reads.size(); i++) found.add(new ArrayList<>());
    try (Connection c = pool.getConnection();
        PreparedStatement query = c.prepareStatement(READ)) {
      query.setArray(
          1, c.createArrayOf("text", reads.stream().map(JournalRead::persistenceId).toArray()));
      query.setObject(2, reads.stream().mapToLong(JournalRead::from).toArray());
      query.setObject(3, reads.stream().mapToLong(JournalRead::to).toArray());
      query.setObject(4, reads.stream().mapToInt(JournalRead::maxRows).toArray());
      query.setObject(5, reads.stream().mapToLong(JournalRead::maxBytes).toArray());
      query.setArray(
          6, c.createArrayOf("bool", reads.stream().map(JournalRead::newestRun).toArray()));
      long max = reads.size() == 1 ? Long.MAX_VALUE : Storage.READ_BYTES_MAX;
      query.setLong(7, max);
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) {
          long total = rows.getLong("total");
          if (total > max) throw new ReadTooLargeError(reads.size(), total, max);
          found.get(rows.getInt(1) - 1).add(row(rows, 2));
        }
      }
      return found;
    } catch (SQLException e) {
      // Of several reads, the caller that merged them finds out which one it is.
      if (DATA_CORRUPTED.equals(e.getSQLState()))
        throw DamagedJournalError.unreadable(reads.getFirst().persistenceId(), e);
      throw SqlFailures.beforeCommit("reading the journal", e);
    }
  }

  /** The row of the journal whose columns begin at that place of the answer. */
  static JournalRow row(ResultSet rows, int first) throws SQLException {
    return new JournalRow(
        rows.getString(first),
        rows.getLong(first + 1),
        rows.getObject(first + 2, UUID.class),
        rows.getInt(first + 3),
        rows.getLong(first + 4),
        rows.getString(first + 5),
        rows.getBytes(first + 6));
  }
}
