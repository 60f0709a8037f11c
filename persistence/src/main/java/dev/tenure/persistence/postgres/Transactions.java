package dev.tenure.persistence.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * Short transactions with a time limit, so that a lock of another session cannot hold them up for
 * long. Their failures say what is known of their effect.
 */
final class Transactions {
  private final DataSource database;
  private final Duration lockLimit;
  private final Duration statementLimit;

  Transactions(DataSource database, Duration lockLimit, Duration statementLimit) {
    this.database = database;
    this.lockLimit = lockLimit;
    this.statementLimit = statementLimit;
  }

  /** The work of one transaction. The caller may run it again; this class never does. */
  @FunctionalInterface
  interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  /**
   * Returns what the work returned, once it is committed.
   *
   * @param what names the work in errors: "claiming shard 7"
   */
  <T> T run(String what, Work<T> work) {
    return run(what, "", work);
  }

  /** The same for work that only reads: all of its statements see the same database. */
  <T> T inOneView(String what, Work<T> work) {
    return run(what, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY", work);
  }

  private <T> T run(String what, String first, Work<T> work) {
    Connection connection;
    try {
      connection = database.getConnection();
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit(what, e);
    }
    try (connection) {
      T result = attempt(what, first, connection, work);
      commit(what, connection);
      return result;
    } catch (SQLException e) {
      // Only giving the connection back can end here, after everything was decided.
      throw SqlFailures.atCommit(what, e);
    }
  }

  private <T> T attempt(String what, String first, Connection connection, Work<T> work) {
    try {
      connection.setAutoCommit(false);
      if (!first.isEmpty())
        try (Statement statement = connection.createStatement()) {
          statement.execute(first);
        }
      limit(connection);
      return work.run(connection);
    } catch (SQLException e) {
      rollback(connection, e);
      throw SqlFailures.beforeCommit(what, e);
    } catch (RuntimeException e) {
      rollback(connection, e);
      throw e;
    }
  }

  private void limit(Connection connection) throws SQLException {
    String sql =
        "SELECT set_config('lock_timeout', ?, true), set_config('statement_timeout', ?, true)";
    try (PreparedStatement set = connection.prepareStatement(sql)) {
      set.setString(1, Long.toString(lockLimit.toMillis()));
      set.setString(2, Long.toString(statementLimit.toMillis()));
      set.execute();
    }
  }

  private static void commit(String what, Connection connection) {
    try {
      connection.commit();
    } catch (SQLException e) {
      rollback(connection, e);
      throw SqlFailures.atCommit(what, e);
    }
  }

  private static void rollback(Connection connection, Exception because) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      because.addSuppressed(e); // the connection is gone, and the transaction with it
    }
  }
}
