package dev.tenure.persistence.postgres;

import dev.tenure.persistence.storage.StorageCapabilities;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * Finds out what a PostgreSQL offers to this engine over this connection. Settings are read from
 * the server, not assumed.
 *
 * @param writable the server takes writes from this session
 * @param pooled the two connections are not sessions of their own
 * @param looksForClients the server can notice while it works that its client is gone
 */
record PostgresProbe(
    boolean standby,
    boolean writable,
    boolean pooled,
    boolean durable,
    boolean looksForClients,
    int versionNumber,
    List<String> findings) {
  /** 14.0: what the engine's statements are tested from. */
  static final int MIN_VERSION_NUMBER = 140_000;

  /** How often each connection is asked who serves it. */
  private static final int SESSION_ROUNDS = 8;

  /** Asks through two connections that are made for it, not through a pool of our own. */
  static PostgresProbe of(DataSource unpooled) throws SQLException {
    try (Connection first = unpooled.getConnection();
        Connection second = unpooled.getConnection()) {
      List<String> findings = new ArrayList<>();
      boolean pooled = pooled(first, second, findings);
      try (Statement statement = first.createStatement();
          ResultSet row = statement.executeQuery(SETTINGS)) {
        row.next();
        return judge(row, pooled, looksForClients(second), findings);
      }
    }
  }

  private static final String SETTINGS =
      """
      SELECT pg_is_in_recovery()                                  AS standby,
             current_setting('transaction_read_only')             AS transaction_read_only,
             current_setting('default_transaction_read_only')     AS default_transaction_read_only,
             current_setting('fsync')                             AS fsync,
             current_setting('synchronous_commit')                AS synchronous_commit,
             current_setting('full_page_writes')                  AS full_page_writes,
             current_setting('server_version_num')::int           AS server_version_num
      """;

  /** Servers on some operating systems cannot, and refuse the setting. */
  private static boolean looksForClients(Connection connection) throws SQLException {
    String sql =
        "SELECT set_config('client_connection_check_interval', '%s', true)"
            .formatted(PostgresPool.CLIENT_CHECK);
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
      return true;
    } catch (SQLException e) {
      String state = e.getSQLState() == null ? "" : e.getSQLState();
      if (state.startsWith("22") || state.startsWith("42")) return false;
      throw e;
    }
  }

  private static PostgresProbe judge(
      ResultSet row, boolean pooled, boolean looksForClients, List<String> findings)
      throws SQLException {
    boolean standby = row.getBoolean("standby");
    if (standby) findings.add("the server is a standby (pg_is_in_recovery() is true)");
    boolean readOnly = false;
    for (String setting : List.of("transaction_read_only", "default_transaction_read_only")) {
      // On a standby the first is always on, and says nothing new.
      if (on(row, setting) && !(standby && setting.equals("transaction_read_only"))) {
        readOnly = true;
        findings.add("the session is read-only (" + setting + " is on)");
      }
    }
    int version = row.getInt("server_version_num");
    if (version < MIN_VERSION_NUMBER) {
      findings.add(
          "the server is too old (server_version_num is %d, at least %d is needed)"
              .formatted(version, MIN_VERSION_NUMBER));
    }
    return new PostgresProbe(
        standby,
        !standby && !readOnly,
        pooled,
        durable(row, findings),
        looksForClients,
        version,
        findings);
  }

  private static boolean durable(ResultSet row, List<String> findings) throws SQLException {
    boolean durable = true;
    if (!on(row, "fsync")) {
      durable = false;
      findings.add("fsync is off: a crash of the machine may lose or damage everything");
    }
    if (row.getString("synchronous_commit").equals("off")) {
      durable = false;
      findings.add("synchronous_commit is off: a crash may lose acknowledged commits");
    }
    if (!on(row, "full_page_writes")) {
      durable = false;
      findings.add("full_page_writes is off: a crash may leave pages half written");
    }
    return durable;
  }

  private static boolean on(ResultSet row, String setting) throws SQLException {
    return row.getString(setting).equals("on");
  }

  /**
   * Two connections held at once must be two sessions, each served by its own process from the
   * first to the last statement, and each keeping what was set in it. A pooler that gives its
   * server connections to one transaction after the other fails this check. One that prefers the
   * last used connection answers both from one process; one that rotates answers the same client
   * connection, asked twice in a row, from two; one that chooses at random is hardly consistent in
   * so many rounds. Locks, settings and prepared statements of a session mean nothing there.
   */
  private static boolean pooled(Connection first, Connection second, List<String> findings)
      throws SQLException {
    long firstServer = keep(first, "first");
    long secondServer = keep(second, "second");
    if (firstServer == secondServer) {
      return pooled("two open connections were served by one process", findings);
    }
    for (int round = 0; round < SESSION_ROUNDS; round++) {
      // Twice each, since in strict alternation a rotation of two would look like two sessions.
      if (lost(first, "first", firstServer)
          || lost(first, "first", firstServer)
          || lost(second, "second", secondServer)
          || lost(second, "second", secondServer)) {
        return pooled("one open connection was served by several processes", findings);
      }
    }
    return false;
  }

  private static boolean pooled(String evidence, List<String> findings) {
    findings.add(
        "a pooler in transaction or statement mode is in between (pg_backend_pid(): %s)"
            .formatted(evidence));
    return true;
  }

  /** Sets something in the session; returns which process serves it. */
  private static long keep(Connection connection, String value) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT pg_backend_pid(), set_config('tenure.probe', '" + value + "', false)")) {
      row.next();
      return row.getLong(1);
    }
  }

  private static boolean lost(Connection connection, String value, long server)
      throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT pg_backend_pid(), current_setting('tenure.probe', true)")) {
      row.next();
      return row.getLong(1) != server || !value.equals(row.getString(2));
    }
  }

  StorageCapabilities capabilities() {
    boolean conditional = writable && !pooled && versionNumber >= MIN_VERSION_NUMBER;
    return new StorageCapabilities(
        conditional,
        true,
        !standby, // a standby shows the past
        true,
        durable,
        true,
        findings);
  }
}
