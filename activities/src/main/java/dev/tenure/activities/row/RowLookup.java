package dev.tenure.activities.row;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import javax.sql.DataSource;

/**
 * One SELECT in a read-only transaction of its own, which ends in time.
 *
 * @param select its values are parameters; it is never put together of them
 */
record RowLookup(DataSource dataSource, String select, Duration queryMax) {
  static final Duration QUERY_MAX_DEFAULT = Duration.ofSeconds(5);
  static final Duration QUERY_MAX = Duration.ofMinutes(10);

  /** For how much longer than a query the network may be silent. */
  private static final Duration NETWORK_SLACK = Duration.ofSeconds(2);

  /** The driver ends the connection on the thread that it waits on. */
  private static final Executor DIRECT = Runnable::run;

  /** What is made of the result, before the transaction ends. */
  interface Use<T> {
    T of(ResultSet rows) throws Exception;
  }

  RowLookup {
    if (queryMax.toMillis() < 1 || queryMax.compareTo(QUERY_MAX) > 0)
      throw new IllegalArgumentException(
          "The query timeout is %s: use 1 ms to %s.".formatted(queryMax, QUERY_MAX));
  }

  RowLookup within(Duration max) {
    return new RowLookup(dataSource, select, max);
  }

  /**
   * @param rowsMax more are not read
   */
  <T> T read(List<?> parameters, int rowsMax, Use<T> use) throws Exception {
    try (Connection connection = dataSource.getConnection()) {
      boolean wasReadOnly = connection.isReadOnly();
      boolean wasAutoCommit = connection.getAutoCommit();
      int networkBefore = limitNetwork(connection);
      connection.setReadOnly(true);
      connection.setAutoCommit(false);
      try {
        return query(connection, parameters, rowsMax, use);
      } finally {
        connection.rollback();
        connection.setAutoCommit(wasAutoCommit);
        connection.setReadOnly(wasReadOnly);
        if (networkBefore >= 0) connection.setNetworkTimeout(DIRECT, networkBefore);
      }
    }
  }

  private <T> T query(Connection connection, List<?> parameters, int rowsMax, Use<T> use)
      throws Exception {
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      statement.setQueryTimeout((int) Math.ceilDiv(queryMax.toMillis(), 1_000L));
      statement.setMaxRows(rowsMax);
      for (int at = 0; at < parameters.size(); at++)
        statement.setObject(at + 1, parameters.get(at));
      try (ResultSet rows = statement.executeQuery()) {
        return use.of(rows);
      }
    }
  }

  /** A server that is gone answers no cancellation either. Returns what it was before, or -1. */
  private int limitNetwork(Connection connection) throws SQLException {
    try {
      int before = connection.getNetworkTimeout();
      connection.setNetworkTimeout(DIRECT, (int) queryMax.plus(NETWORK_SLACK).toMillis());
      return before;
    } catch (SQLFeatureNotSupportedException e) {
      return -1; // the engine's own limit for verifiers ends it
    }
  }

  /** For people: what kind of error it was, and no values. */
  static String shown(SQLException e) {
    return "the database failed with SQLState %s: %s".formatted(e.getSQLState(), e.getMessage());
  }
}
