package dev.tenure.persistence.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Indexes that a process which died left half built. Every commit maintains them, and no query uses
 * them. A migration that builds one drops it before; these are the others: of an operator's own
 * REINDEX, or of a build that was told to have succeeded.
 */
final class InvalidIndexes {
  private static final Logger log = LoggerFactory.getLogger(InvalidIndexes.class);

  /** What REINDEX CONCURRENTLY calls the index that it builds, and the one that it replaces. */
  private static final String TRANSIENT = ".*_cc(new|old)[0-9]*";

  private final Connection connection;
  private final Duration lockLimit;

  /**
   * @param connection outside of any transaction, with the lock of migrations
   */
  InvalidIndexes(Connection connection, Duration lockLimit) {
    this.connection = connection;
    this.lockLimit = lockLimit;
  }

  /** Only what this role may rebuild; indexes of partitions are valid or not with their parent. */
  private static final String FIND =
      """
      SELECT format('%I.%I', n.nspname, c.relname), c.relname
      FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE NOT i.indisvalid AND n.nspname = current_schema() AND c.relkind = 'i'
        AND pg_has_role(c.relowner, 'USAGE')
      ORDER BY c.relname
      """;

  private record Index(String quoted, String name) {}

  /**
   * Rebuilds them beside the commits. An index that another session builds just now is not valid
   * either: it is locked, so this one gives up after a moment and leaves it to that session.
   */
  void rebuild() throws SQLException {
    for (Index index : find()) {
      String what =
          index.name.matches(TRANSIENT)
              ? "DROP INDEX CONCURRENTLY IF EXISTS " + index.quoted
              : "REINDEX INDEX CONCURRENTLY " + index.quoted;
      try (Statement statement = connection.createStatement()) {
        statement.execute("SET lock_timeout = " + lockLimit.toMillis());
        statement.execute(what);
        log.warn("the index {} was not valid: {}", index.name, what);
      } catch (SQLException e) {
        if (e.getSQLState() != null && e.getSQLState().startsWith("08")) throw e;
        log.warn(
            "the index {} is not valid: commits write to it and no query uses it. It could not be"
                + " rebuilt ({}). Another session may be building it; if none does, run {}",
            index.name,
            e.getMessage(),
            what);
      }
    }
  }

  private List<Index> find() throws SQLException {
    List<Index> found = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(FIND)) {
      while (rows.next()) found.add(new Index(rows.getString(1), rows.getString(2)));
    }
    return found;
  }
}
