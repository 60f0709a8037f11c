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

  private static final long CLOSED_AT_ONCE = 100_000;

  /** Of the journal, whose cost to freeze is measured. */
  private static final long FROZEN_ROWS = 300_000;

  /** Its start, and one for each step. */
  private static final long ROWS_OF_A_WORKFLOW = StoreBench.STEPS + 1;

  private final BenchServer server;

  Tables(BenchServer server) {
    this.server = server;
  }

  /** Each table, what is stored apart from it, and each index. */
  Map<String, Long> bytes() {
    String sql =
        """
        SELECT c.relname, pg_table_size(c.oid) FROM pg_class c
        WHERE c.relkind IN ('r', 'i') AND c.relnamespace = 'public'::regnamespace\
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
   * Copies a workflow of the journal to others until it has so many rows.
   *
   * @param random whether their ids are random; otherwise all are older than those that rise
   */
  void fillJournal(long rows, boolean random) {
    for (long have = rows("event_journal"); have < rows; have = rows("event_journal"))
      copyIntoJournal(Math.min(ROWS_AT_ONCE, rows - have), random);
    server.execute(Engine.DATABASE, "VACUUM (FREEZE, ANALYZE) event_journal");
  }

  private void copyIntoJournal(long rows, boolean random) {
    String others =
        text(
            """
            SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute
            WHERE attrelid = 'event_journal'::regclass AND attnum > 0 AND NOT attisdropped
              AND attname NOT IN ('persistence_id', 'sequence_number')\
            """);
    server.execute(
        Engine.DATABASE,
        """
        WITH ids AS MATERIALIZED (
          SELECT %3$s AS id FROM generate_series(1, %2$d)
        ), one AS MATERIALIZED (
          SELECT * FROM event_journal
          WHERE persistence_id = (SELECT persistence_id FROM event_journal LIMIT 1))
        INSERT INTO event_journal (persistence_id, sequence_number, %1$s)
        SELECT ids.id, one.sequence_number, %1$s FROM ids, one ORDER BY 1, 2\
        """
            .formatted(
                others,
                Math.max(1, rows / ROWS_OF_A_WORKFLOW),
                random ? "gen_random_uuid()::text" : "'00' || substr(gen_random_uuid()::text, 3)"));
  }

  /**
   * Copies a closed workflow with its history to so many others, all of which closed long ago.
   * Their histories have as many rows as those of ten steps.
   */
  void fillClosed(long workflows) {
    for (long made = 0; made < workflows; made += CLOSED_AT_ONCE)
      server.execute(
          Engine.DATABASE,
          """
          WITH ids AS MATERIALIZED (
            SELECT n, '00' || substr(gen_random_uuid()::text, 3) AS id
            FROM generate_series(1, %1$d) n
          ), one AS MATERIALIZED (
            SELECT * FROM workflow_closed LIMIT 1
          ), entry AS MATERIALIZED (
            SELECT j.* FROM event_journal j, one WHERE j.persistence_id = one.id LIMIT 1
          ), rows AS (
            INSERT INTO event_journal (sequence_number, epoch, shard, writer, persistence_id,
              event_ser_manifest, event_payload)
            SELECT s, e.epoch, e.shard, e.writer, i.id, e.event_ser_manifest, e.event_payload
            FROM ids i, entry e, generate_series(1, %2$d) s ORDER BY i.id, s
          )
          INSERT INTO workflow_closed (number, started_at, closed_at, signals, head_version, shard,
            type_version, id, run_id, type, status, parent, head_link, attributes)
          SELECT nextval('workflow_number_seq'), o.started_at - interval '60 days',
            o.closed_at - interval '60 days' + i.n * interval '1 millisecond', 0, %2$d, o.shard,
            o.type_version, i.id, i.id, o.type, o.status, o.parent, o.head_link, o.attributes
          FROM ids i, one o\
          """
              .formatted(Math.min(CLOSED_AT_ONCE, workflows - made), ROWS_OF_A_WORKFLOW));
    server.execute(Engine.DATABASE, "VACUUM (FREEZE, ANALYZE)");
    server.checkpoint();
  }

  /**
   * What a new row of the journal writes into the log until it is frozen: by the vacuum that comes
   * soon after it, by the settings of the table, and by the one that freezes what that left.
   */
  double logOfFreezing() {
    // What was written before must not be frozen together with the rows that are counted.
    server.execute(Engine.DATABASE, "VACUUM (FREEZE) event_journal");
    long before = rows("event_journal");
    server.checkpoint();
    copyIntoJournal(FROZEN_ROWS, false);
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
