package dev.tenure.persistence.postgres;

import static java.util.stream.Collectors.joining;

import dev.tenure.persistence.commit.Batch;
import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.CommitResult.Committed;
import dev.tenure.persistence.commit.CommitResult.Conflict;
import dev.tenure.persistence.commit.CommitResult.Fenced;
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
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/** Stores batches of commits, each batch in one transaction on the primary. */
final class PostgresCommits {
  private static final String UNIQUE_VIOLATION = "23505";
  private static final String SOME_NOT_STORED = "TN001";

  private final DataSource pool;
  private final Map<List<String>, String> texts = new ConcurrentHashMap<>();

  PostgresCommits(DataSource pool) {
    this.pool = pool;
  }

  List<CommitResult> commit(List<Commit> batch) {
    if (batch.isEmpty()) return List.of();
    Batch.requireOnePerPersistenceId(batch);
    SideRows sideRows = new SideRows(batch);
    if (sideRows.isEmpty()) return storeCommits(batch);
    if (storeTogether(batch, sideRows)) return allCommitted(batch);
    return storeStepByStep(batch);
  }

  private List<CommitResult> storeCommits(List<Commit> batch) {
    try {
      return storeRows(batch, JournalInsert.of(batch), JournalInsert::bind);
    } catch (StorageException.Refused e) {
      if (!isDuplicate(e)) throw e;
      return storeRows(batch, JournalInsert.CAREFULLY, JournalInsert::bindMany);
    }
  }

  private static boolean isDuplicate(StorageException.Refused e) {
    return e.getCause() instanceof SQLException sql && UNIQUE_VIOLATION.equals(sql.getSQLState());
  }

  private interface Binding {
    int bind(Connection c, PreparedStatement insert, List<Commit> batch) throws SQLException;
  }

  /** Without side rows one round trip is the whole transaction, and the row count the answer. */
  private List<CommitResult> storeRows(List<Commit> batch, String sql, Binding binding) {
    try (Connection c = pool.getConnection()) {
      int stored;
      try (PreparedStatement insert = c.prepareStatement(sql)) {
        binding.bind(c, insert, batch);
        stored = insert.executeUpdate();
      } catch (SQLException e) {
        throw SqlFailures.atCommit("the commit of " + batch.size() + " commits", e);
      }
      return stored == batch.size() ? allCommitted(batch) : verdicts(c, batch, Set.of());
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("a connection for commits", e);
    }
  }

  /**
   * Nearly always every commit of a batch is stored. Then its side rows need not wait for the
   * answer: all statements go to the server together, which runs them as one transaction, one round
   * trip in all. When a commit is not stored nothing is, and this returns false.
   */
  private boolean storeTogether(List<Commit> batch, SideRows sideRows) {
    List<String> statements = new ArrayList<>();
    statements.add(JournalInsert.of(batch));
    statements.addAll(sideRows.statements());
    String sql = texts.computeIfAbsent(statements, PostgresCommits::text);
    try (Connection c = pool.getConnection()) {
      try (PreparedStatement all = c.prepareStatement(sql)) {
        int next = JournalInsert.bind(c, all, batch);
        all.setLong(next, batch.size());
        sideRows.bindAll(c, all, next + 1);
        all.execute();
        return true;
      } catch (SQLException e) {
        String state = e.getSQLState();
        if (SOME_NOT_STORED.equals(state) || UNIQUE_VIOLATION.equals(state)) return false;
        throw SqlFailures.atCommit("the commit of " + batch.size() + " commits", e);
      }
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("a connection for commits", e);
    }
  }

  private static String text(List<String> statements) {
    return statements.stream()
        .skip(1)
        .collect(joining(";\n", JournalInsert.all(statements.getFirst()) + ";\n", ""));
  }

  /**
   * Looks at what was stored, and writes the side rows of that. Commits that turn out to take a
   * signal which they cannot accept are left out of the next try.
   */
  private List<CommitResult> storeStepByStep(List<Commit> batch) {
    Set<Commit> untakable = new HashSet<>();
    while (true) {
      Optional<List<CommitResult>> results = storeBut(untakable, batch);
      if (results.isPresent()) return results.get();
    }
  }

  /**
   * Locks as {@link #storeTogether} does, journal rows first and rows of workflows after them: the
   * first attempt at one of the commits may be under way still, and two transactions that lock in
   * different orders could wait for each other.
   *
   * @param untakable commits to leave out, because they take a signal that they cannot accept. This
   *     method adds those that it finds, and then stores nothing
   * @return empty when this method added to {@code untakable} and stored nothing: the caller tries
   *     again
   */
  private Optional<List<CommitResult>> storeBut(Set<Commit> untakable, List<Commit> batch) {
    try (Connection c = pool.getConnection()) {
      c.setAutoCommit(false);
      List<CommitResult> results;
      try {
        List<Commit> rest = batch.stream().filter(one -> !untakable.contains(one)).toList();
        Set<String> stored = insertReturning(c, rest);
        List<Commit> fresh =
            batch.stream().filter(commit -> stored.contains(commit.id().persistenceId())).toList();
        // Closing the connection rolls back, here and after a failure: nothing of the batch stays.
        if (untakable.addAll(TakableSignals.untakable(c, fresh))) return Optional.empty();
        SideRows.judged(fresh).write(c);
        results =
            stored.size() == batch.size() ? allCommitted(batch) : verdicts(c, batch, untakable);
      } catch (SQLException e) {
        throw SqlFailures.beforeCommit("the commit of " + batch.size() + " commits", e);
      }
      try {
        c.commit();
      } catch (SQLException e) {
        throw SqlFailures.atCommit("the commit of " + batch.size() + " commits", e);
      }
      return Optional.of(results);
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("a connection for commits", e);
    }
  }

  private static final String INSERT_RETURNING =
      JournalInsert.CAREFULLY + "RETURNING persistence_id";

  private static Set<String> insertReturning(Connection c, List<Commit> batch) throws SQLException {
    try (PreparedStatement insert = c.prepareStatement(INSERT_RETURNING)) {
      JournalInsert.bindMany(c, insert, batch);
      try (ResultSet rows = insert.executeQuery()) {
        Set<String> stored = HashSet.newHashSet(batch.size());
        while (rows.next()) stored.add(rows.getString(1));
        return stored;
      }
    }
  }

  private static List<CommitResult> allCommitted(List<Commit> batch) {
    List<CommitResult> results = new ArrayList<>(batch.size());
    for (Commit commit : batch) results.add(new Committed(commit.id().version()));
    return results;
  }

  static final String VERDICTS =
      """
      SELECT w.position, j.writer, coalesce(l.epoch, 0), coalesce(h.head, 0),
        coalesce(l.holder_incarnation = w.incarnation, false)
      FROM unnest(?::text[], ?::int8[], ?::int4[], ?::int8[]) WITH ORDINALITY
        AS w (persistence_id, version, shard, incarnation, position)
      LEFT JOIN event_journal j
        ON j.persistence_id = w.persistence_id AND j.sequence_number = w.version
      LEFT JOIN shard_lease l ON l.shard = w.shard
      LEFT JOIN LATERAL (
        SELECT p.sequence_number AS head FROM event_journal p
        WHERE p.persistence_id = w.persistence_id
        ORDER BY p.sequence_number DESC LIMIT 1) h ON true
      """;

  /**
   * What became of each, read by identity. The stored row decides first: a commit that is there
   * with our writer is ours, whether this attempt stored it or an earlier one whose answer was
   * lost.
   */
  private static List<CommitResult> verdicts(
      Connection c, List<Commit> batch, Set<Commit> untakable) {
    List<CommitResult> results = new ArrayList<>(Collections.nCopies(batch.size(), null));
    try (PreparedStatement query = c.prepareStatement(VERDICTS)) {
      query.setArray(
          1, c.createArrayOf("text", batch.stream().map(b -> b.id().persistenceId()).toArray()));
      query.setObject(2, batch.stream().mapToLong(b -> b.id().version()).toArray());
      query.setObject(3, batch.stream().mapToInt(b -> b.fence().shard()).toArray());
      query.setObject(4, batch.stream().mapToLong(b -> b.fence().holder()).toArray());
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) {
          int i = rows.getInt(1) - 1;
          Commit commit = batch.get(i);
          CommitResult verdict =
              verdict(
                  commit,
                  rows.getObject(2, UUID.class),
                  rows.getLong(3),
                  rows.getBoolean(5),
                  rows.getLong(4));
          boolean isNext = rows.getLong(4) == commit.id().version() - 1;
          results.set(
              i,
              verdict instanceof Conflict && isNext && untakable.contains(commit)
                  ? new CommitResult.SignalNotTaken(commit.id())
                  : verdict);
        }
      }
      return results;
    } catch (SQLException e) {
      // In autocommit the insert is durable already, and some of the stored commits may be from
      // this attempt.
      throw SqlFailures.atCommit("the verdicts on " + batch.size() + " commits", e);
    }
  }

  private static CommitResult verdict(
      Commit commit, UUID writer, long epoch, boolean isHolder, long head) {
    if (commit.id().writer().equals(writer)) return new Committed(commit.id().version());
    if (epoch != commit.fence().epoch() || !isHolder)
      return new Fenced(commit.fence().epoch(), epoch);
    return new Conflict(commit.id().version() - 1, head);
  }
}
