package dev.tenure.persistence.postgres;

import dev.tenure.persistence.commit.Commit;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * The statement that everything rests on: journal rows, each only under its fence (I16) and after
 * the version before it (I2). It has a form for many rows and one for a single row, which does the
 * same without arrays: a batch shares the cost of the arrays, a single commit would pay all of it.
 *
 * <p>The leases are locked FOR KEY SHARE: a takeover, which locks FOR UPDATE, waits until this
 * transaction is over, and after it the row it changed is what this statement sees; releases change
 * no key and are not held up. Beats change rows of {@code node_lease} only, which this statement
 * never reads: whatever a snapshot keeps of those costs a commit nothing. The version before must
 * be there, and by the primary key this one not: the compare-and-set on the head.
 *
 * <p>The holder is compared beside the epoch: a server that lost its newest transactions may grant
 * an epoch a second time, and then to another process.
 */
final class JournalInsert {
  private JournalInsert() {}

  /**
   * Its form is half of what a commit costs the server. {@code (…) IS TRUE} keeps the fence a
   * hashed look-up, where the planner would compare each commit with each lease; the scalar
   * subquery keeps the version before an index look-up, where an EXISTS may become a hash of the
   * whole journal. There is no ON CONFLICT: it would insert speculatively, with a second look-up
   * and a log record for each row. Two attempts that race for one version violate the primary key,
   * which rolls the batch back; it is then stored by {@link #CAREFULLY}.
   */
  static final String MANY =
      """
      WITH held AS (
        SELECT shard, epoch, holder_incarnation FROM shard_lease
        WHERE shard = ANY (?::int4[]) FOR KEY SHARE
      )
      INSERT INTO event_journal (persistence_id, sequence_number, writer, shard, epoch,
        event_ser_manifest, event_payload)
      SELECT w.persistence_id, w.version, w.writer, w.shard, w.epoch,
        w.manifest, w.payload
      FROM unnest(?::text[], ?::int8[], ?::uuid[], ?::int4[], ?::int8[], ?::int8[],
        ?::text[], ?::bytea[]) AS w (persistence_id, version, writer, shard, epoch, incarnation,
        manifest, payload)
      WHERE ((w.shard, w.epoch, w.incarnation)
          IN (SELECT shard, epoch, holder_incarnation FROM held)) IS TRUE
        AND (w.version = 1 OR (
          SELECT true FROM event_journal p
          WHERE p.persistence_id = w.persistence_id AND p.sequence_number = w.version - 1))
      """;

  static final String CAREFULLY =
      MANY + "ON CONFLICT (persistence_id, sequence_number) DO NOTHING\n";

  static final String ALONE =
      """
      INSERT INTO event_journal (persistence_id, sequence_number, writer, shard, epoch,
        event_ser_manifest, event_payload)
      SELECT w.persistence_id, w.version, w.writer, w.shard, w.epoch,
        w.manifest, w.payload
      FROM (SELECT ?::text AS persistence_id, ?::int8 AS version, ?::uuid AS writer,
        ?::int4 AS shard, ?::int8 AS epoch, ?::int8 AS incarnation,
        ?::text AS manifest, ?::bytea AS payload) AS w
      WHERE (SELECT true FROM shard_lease l
          WHERE l.shard = w.shard AND l.epoch = w.epoch
            AND l.holder_incarnation = w.incarnation FOR KEY SHARE)
        AND (w.version = 1 OR (
          SELECT true FROM event_journal p
          WHERE p.persistence_id = w.persistence_id AND p.sequence_number = w.version - 1))
      """;

  static String of(List<Commit> batch) {
    return batch.size() == 1 ? ALONE : MANY;
  }

  /** The same, and the error {@code TN001} unless every commit of the batch is stored. */
  static String all(String insert) {
    return "WITH stored AS (\n"
        + insert
        + "RETURNING 1)\nSELECT require_all_stored(count(*), ?) FROM stored\n";
  }

  /** Binds what {@link #of} and {@link #all} take; returns the place of the next parameter. */
  static int bind(Connection c, PreparedStatement insert, List<Commit> batch) throws SQLException {
    return batch.size() == 1 ? bindAlone(insert, batch.getFirst()) : bindMany(c, insert, batch);
  }

  private static int bindAlone(PreparedStatement insert, Commit commit) throws SQLException {
    insert.setString(1, commit.id().persistenceId());
    insert.setLong(2, commit.id().version());
    insert.setObject(3, commit.id().writer());
    insert.setInt(4, commit.fence().shard());
    insert.setLong(5, commit.fence().epoch());
    insert.setLong(6, commit.fence().holder());
    insert.setString(7, commit.manifest());
    insert.setBytes(8, commit.payload());
    return 9;
  }

  /** Binds the form for many rows of any number. */
  static int bindMany(Connection c, PreparedStatement insert, List<Commit> batch)
      throws SQLException {
    int size = batch.size();
    String[] persistenceIds = new String[size];
    long[] versions = new long[size];
    String[] writers = new String[size];
    int[] shards = new int[size];
    long[] epochs = new long[size];
    long[] holders = new long[size];
    String[] manifests = new String[size];
    byte[][] payloads = new byte[size][];
    for (int i = 0; i < size; i++) {
      Commit commit = batch.get(i);
      persistenceIds[i] = commit.id().persistenceId();
      versions[i] = commit.id().version();
      writers[i] = commit.id().writer().toString();
      shards[i] = commit.fence().shard();
      epochs[i] = commit.fence().epoch();
      holders[i] = commit.fence().holder();
      manifests[i] = commit.manifest();
      payloads[i] = commit.payload();
    }
    int[] distinct = java.util.Arrays.stream(shards).sorted().distinct().toArray();
    insert.setObject(1, distinct);
    insert.setArray(2, c.createArrayOf("text", persistenceIds));
    insert.setObject(3, versions);
    insert.setArray(4, c.createArrayOf("uuid", writers));
    insert.setObject(5, shards);
    insert.setObject(6, epochs);
    insert.setObject(7, holders);
    insert.setArray(8, c.createArrayOf("text", manifests));
    insert.setArray(9, c.createArrayOf("bytea", payloads));
    return 10;
  }
}
