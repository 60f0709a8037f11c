package dev.tenure.bench.store;

import dev.tenure.bench.measure.BenchServer;
import dev.tenure.bench.workflows.Engine;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;

/** The tables of the engine's database, as they lie on the disk. */
final class Tables {
  private static final long ROWS_AT_ONCE = 1_000_000;

  /** Of the journal, whose cost to freeze is measured. */
  private static final long FROZEN_ROWS = 300_000;

  /** Its start, and one for each step. */
  private static final long ROWS_OF_A_WORKFLOW = StoreBench.STEPS + 1;

  private final BenchServer server;

  Tables(BenchServer server) {
    this.server = server;
  }

  /** Each table with its indexes and what is stored apart. */
  Map<String, Long> bytes() {
    String sql =
        """
        SELECT relname, pg_total_relation_size(oid) FROM pg_class
        WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace\
        """;
    Map<String, Long> bytes = new TreeMap<>();
    try (Connection c = server.postgres().connect(Engine.DATABASE, "postgres");
        Statement s = c.createStatement();
        ResultSet rows = s.executeQuery(sql)) {
      while (rows.next()) bytes.put(rows.getString(1), rows.getLong(2));
    } catch (SQLException e) {
      throw new IllegalStateException("cannot read the sizes of the tables", e);
    }
    return bytes;
  }

  long rows(String table) {
    return server.number(Engine.DATABASE, "SELECT count(*) FROM " + table);
  }

  void vacuum() {
    server.execute(Engine.DATABASE, "VACUUM ANALYZE");
  }

  /**
   * Copies a workflow of the journal to others, with ids as random as those of clients, until it
   * has so many rows.
   */
  void fillJournal(long rows) {
    for (long have = rows("event_journal"); have < rows; have = rows("event_journal"))
      copyIntoJournal(Math.min(ROWS_AT_ONCE, rows - have));
    server.execute(Engine.DATABASE, "VACUUM (FREEZE, ANALYZE) event_journal");
  }

  private void copyIntoJournal(long rows) {
    String others =
        text(
            """
            SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute
            WHERE attrelid = 'event_journal'::regclass AND attnum > 0 AND NOT attisdropped
              AND attname NOT IN ('ordering', 'persistence_id', 'sequence_number')\
            """);
    server.execute(
        Engine.DATABASE,
        """
        WITH ids AS MATERIALIZED (
          SELECT gen_random_uuid()::text AS id FROM generate_series(1, %2$d)
        ), one AS MATERIALIZED (
          SELECT * FROM event_journal
          WHERE persistence_id = (SELECT persistence_id FROM event_journal LIMIT 1))
        INSERT INTO event_journal (persistence_id, sequence_number, %1$s)
        SELECT ids.id, one.sequence_number, %1$s FROM ids, one ORDER BY 1, 2\
        """
            .formatted(others, Math.max(1, rows / ROWS_OF_A_WORKFLOW)));
  }

  /**
   * What a new row of the journal writes into the log until it is frozen: by the vacuum that comes
   * soon after it, by the settings of the table, and by the one that freezes what that left.
   */
  double logOfFreezing() {
    long before = rows("event_journal");
    server.checkpoint();
    copyIntoJournal(FROZEN_ROWS);
    long rows = rows("event_journal") - before;
    long age =
        server.number(
            Engine.DATABASE,
            """
            SELECT coalesce((
              SELECT o.option_value::bigint
              FROM pg_class c, pg_options_to_table(c.reloptions) o
              WHERE c.oid = 'event_journal'::regclass
                AND o.option_name = 'autovacuum_freeze_min_age'),
              current_setting('vacuum_freeze_min_age')::bigint)\
            """);
    long log = server.walBytes();
    server.execute(Engine.DATABASE, "SET vacuum_freeze_min_age = " + age, "VACUUM event_journal");
    server.checkpoint();
    server.execute(Engine.DATABASE, "VACUUM (FREEZE) event_journal");
    return (double) (server.walBytes() - log) / rows;
  }

  private String text(String query) {
    try (Connection c = server.postgres().connect(Engine.DATABASE, "postgres");
        Statement s = c.createStatement();
        ResultSet rows = s.executeQuery(query)) {
      rows.next();
      return rows.getString(1);
    } catch (SQLException e) {
      throw new IllegalStateException("cannot read " + query, e);
    }
  }
}
