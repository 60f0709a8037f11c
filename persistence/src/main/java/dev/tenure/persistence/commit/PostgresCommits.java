package dev.tenure.persistence.commit;

import static java.util.stream.Collectors.joining;

import dev.tenure.persistence.commit.CommitResult.Committed;
import dev.tenure.persistence.commit.CommitResult.Conflict;
import dev.tenure.persistence.commit.CommitResult.Fenced;
import dev.tenure.persistence.storage.SqlFailures;
import dev.tenure.persistence.storage.StorageException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/** Stores batches of commits, each batch in one transaction on the primary. */
public final class PostgresCommits {
  private static final String UNIQUE_VIOLATION = "23505";
  private static final String SOME_NOT_STORED = "TN001";

  private final DataSource pool;
  private final Map<List<SideWrite>, String> texts = new ConcurrentHashMap<>();

  public PostgresCommits(DataSource pool) {
    this.pool = pool;
  }

  public List<CommitResult> commit(List<Commit> batch) {
    if (batch.isEmpty()) return List.of();
    Batch.requireOnePerPersistenceId(batch);
    SideRows sideRows = new SideRows(batch);
    if (sideRows.isEmpty()) return storeCommits(batch);
    if (storeTogether(batch, sideRows)) return allCommitted(batch);
    return storeStepByStep(batch);
  }

  private List<CommitResult> storeCommits(List<Commit> batch) {
    try {
      return storeRows(batch, INSERT);
    } catch (StorageException.Refused e) {
      if (!isDuplicate(e)) throw e;
      return storeRows(batch, INSERT_CAREFULLY);
    }
  }

  private static boolean isDuplicate(StorageException.Refused e) {
    return e.getCause() instanceof SQLException sql && UNIQUE_VIOLATION.equals(sql.getSQLState());
  }

  /**
   * The statement that everything rests on. The leases are locked FOR KEY SHARE: a takeover, which
   * locks FOR UPDATE, waits until this transaction is over, and after it the row it changed is what
   * this statement sees (I16); renewals change no key and are not held up. The version before must
   * be there, and by the primary key this one not: the compare-and-set on the head (I2).
   *
   * <p>Its form is half of what a commit costs the server. {@code (…) IS TRUE} keeps the fence a
   * hashed look-up, where the planner would compare each commit with each lease; the scalar
   * subquery keeps the version before an index look-up, where an EXISTS may become a hash of the
   * whole journal. There is no ON CONFLICT: it would insert speculatively, with a second look-up
   * and a log record for each row. Two attempts that race for one version violate the primary key,
   * which rolls the batch back; it is then stored by {@link #INSERT_CAREFULLY}.
   */
  static final String INSERT =
      """
      WITH held AS (
        SELECT shard, epoch FROM shard_lease WHERE shard = ANY (?::int4[]) FOR KEY SHARE
      )
      INSERT INTO event_journal (persistence_id, sequence_number, writer, shard, epoch,
        event_ser_id, event_ser_manifest, event_payload, write_timestamp)
      SELECT w.persistence_id, w.version, w.writer, w.shard, w.epoch,
        w.serializer_id, w.manifest, w.payload, w.written_at
      FROM unnest(?::text[], ?::int8[], ?::text[], ?::int4[], ?::int8[],
        ?::int4[], ?::text[], ?::bytea[], ?::int8[]) AS w (persistence_id, version, writer, shard,
        epoch, serializer_id, manifest, payload, written_at)
      WHERE ((w.shard, w.epoch) IN (SELECT shard, epoch FROM held)) IS TRUE
        AND (w.version = 1 OR (
          SELECT true FROM event_journal p
          WHERE p.persistence_id = w.persistence_id AND p.sequence_number = w.version - 1))
      """;

  static final String INSERT_CAREFULLY =
      INSERT + "ON CONFLICT (persistence_id, sequence_number) DO NOTHING\n";

  /** Without side rows one round trip is the whole transaction, and the row count the answer. */
  private List<CommitResult> storeRows(List<Commit> batch, String sql) {
    try (Connection c = pool.getConnection()) {
      int stored;
      try (PreparedStatement insert = c.prepareStatement(sql)) {
        bind(c, insert, batch);
        stored = insert.executeUpdate();
      } catch (SQLException e) {
        throw SqlFailures.atCommit("the commit of " + batch.size() + " steps", e);
      }
      return stored == batch.size() ? allCommitted(batch) : verdicts(c, batch);
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("a connection for commits", e);
    }
  }

  /**
   * The same, and the error {@link #SOME_NOT_STORED} unless every commit of the batch is stored.
   */
  static final String INSERT_ALL =
      "WITH stored AS (\n"
          + INSERT
          + "RETURNING 1)\nSELECT require_all_stored(count(*), ?) FROM stored\n";

  private static final int INSERT_PARAMETERS = 10;

  /**
   * Nearly always every commit of a batch is stored. Then its side rows need not wait for the
   * answer: all statements go to the server together, which runs them as one transaction, one round
   * trip in all. When a commit is not stored nothing is, and this returns false.
   */
  private boolean storeTogether(List<Commit> batch, SideRows sideRows) {
    String sql = texts.computeIfAbsent(List.copyOf(sideRows.kinds()), PostgresCommits::text);
    try (Connection c = pool.getConnection()) {
      try (PreparedStatement all = c.prepareStatement(sql)) {
        bind(c, all, batch);
        all.setLong(INSERT_PARAMETERS + 1, batch.size());
        sideRows.bindAll(c, all, INSERT_PARAMETERS + 2);
        all.execute();
        return true;
      } catch (SQLException e) {
        String state = e.getSQLState();
        if (SOME_NOT_STORED.equals(state) || UNIQUE_VIOLATION.equals(state)) return false;
        throw SqlFailures.atCommit("the commit of " + batch.size() + " steps", e);
      }
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("a connection for commits", e);
    }
  }

  private static String text(List<SideWrite> kinds) {
    return kinds.stream().map(SideWrite::sql).collect(joining(";\n", INSERT_ALL + ";\n", ""));
  }

  /** Looks at what was stored, and writes the side rows of that. */
  private List<CommitResult> storeStepByStep(List<Commit> batch) {
    try (Connection c = pool.getConnection()) {
      c.setAutoCommit(false);
      List<CommitResult> results;
      try {
        Set<String> stored = insertReturning(c, batch);
        List<Commit> fresh =
            batch.stream().filter(commit -> stored.contains(commit.id().persistenceId())).toList();
        new SideRows(fresh).write(c);
        results = stored.size() == batch.size() ? allCommitted(batch) : verdicts(c, batch);
      } catch (SQLException e) {
        // Closing the connection rolls back: nothing of the batch stays.
        throw SqlFailures.beforeCommit("the commit of " + batch.size() + " steps", e);
      }
      try {
        c.commit();
      } catch (SQLException e) {
        throw SqlFailures.atCommit("the commit of " + batch.size() + " steps", e);
      }
      return results;
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("a connection for commits", e);
    }
  }

  private static final String INSERT_RETURNING = INSERT_CAREFULLY + "RETURNING persistence_id";

  private static Set<String> insertReturning(Connection c, List<Commit> batch) throws SQLException {
    try (PreparedStatement insert = c.prepareStatement(INSERT_RETURNING)) {
      bind(c, insert, batch);
      try (ResultSet rows = insert.executeQuery()) {
        Set<String> stored = HashSet.newHashSet(batch.size());
        while (rows.next()) stored.add(rows.getString(1));
        return stored;
      }
    }
  }

  private static void bind(Connection c, PreparedStatement insert, List<Commit> batch)
      throws SQLException {
    int size = batch.size();
    String[] persistenceIds = new String[size];
    long[] versions = new long[size];
    String[] writers = new String[size];
    int[] shards = new int[size];
    long[] epochs = new long[size];
    int[] serializers = new int[size];
    String[] manifests = new String[size];
    byte[][] payloads = new byte[size][];
    long[] times = new long[size];
    for (int i = 0; i < size; i++) {
      Commit commit = batch.get(i);
      persistenceIds[i] = commit.id().persistenceId();
      versions[i] = commit.id().version();
      writers[i] = commit.id().writer();
      shards[i] = commit.fence().shard();
      epochs[i] = commit.fence().epoch();
      serializers[i] = commit.serializerId();
      manifests[i] = commit.manifest();
      payloads[i] = commit.payload();
      times[i] = commit.writtenAtMs();
    }
    int[] distinct = java.util.Arrays.stream(shards).sorted().distinct().toArray();
    insert.setObject(1, distinct);
    insert.setArray(2, c.createArrayOf("text", persistenceIds));
    insert.setObject(3, versions);
    insert.setArray(4, c.createArrayOf("text", writers));
    insert.setObject(5, shards);
    insert.setObject(6, epochs);
    insert.setObject(7, serializers);
    insert.setArray(8, c.createArrayOf("text", manifests));
    insert.setArray(9, c.createArrayOf("bytea", payloads));
    insert.setObject(10, times);
  }

  private static List<CommitResult> allCommitted(List<Commit> batch) {
    List<CommitResult> results = new ArrayList<>(batch.size());
    for (Commit commit : batch) results.add(new Committed(commit.id().version()));
    return results;
  }

  static final String VERDICTS =
      """
      SELECT w.position, j.writer, coalesce(l.epoch, 0), coalesce(h.head, 0)
      FROM unnest(?::text[], ?::int8[], ?::int4[]) WITH ORDINALITY
        AS w (persistence_id, version, shard, position)
      LEFT JOIN event_journal j
        ON j.persistence_id = w.persistence_id AND j.sequence_number = w.version
      LEFT JOIN shard_lease l ON l.shard = w.shard
      LEFT JOIN LATERAL (
        SELECT p.sequence_number AS head FROM event_journal p
        WHERE p.persistence_id = w.persistence_id
        ORDER BY p.sequence_number DESC LIMIT 1) h ON true
      """;

  /**
   * What became of each, read by identity. The row itself speaks first: a commit that is there with
   * our writer is ours, whether this attempt stored it or an earlier one whose answer was lost.
   */
  private static List<CommitResult> verdicts(Connection c, List<Commit> batch) {
    List<CommitResult> results = new ArrayList<>(Collections.nCopies(batch.size(), null));
    try (PreparedStatement query = c.prepareStatement(VERDICTS)) {
      query.setArray(
          1, c.createArrayOf("text", batch.stream().map(b -> b.id().persistenceId()).toArray()));
      query.setObject(2, batch.stream().mapToLong(b -> b.id().version()).toArray());
      query.setObject(3, batch.stream().mapToInt(b -> b.fence().shard()).toArray());
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) {
          int i = rows.getInt(1) - 1;
          results.set(
              i, verdict(batch.get(i), rows.getString(2), rows.getLong(3), rows.getLong(4)));
        }
      }
      return results;
    } catch (SQLException e) {
      // In autocommit the insert is durable already, and some of it may be ours.
      throw SqlFailures.atCommit("the verdicts on " + batch.size() + " steps", e);
    }
  }

  private static CommitResult verdict(Commit commit, String writer, long epoch, long head) {
    if (commit.id().writer().equals(writer)) return new Committed(commit.id().version());
    if (epoch != commit.fence().epoch()) return new Fenced(commit.fence().epoch(), epoch);
    return new Conflict(commit.id().version() - 1, head);
  }
}
