package dev.tenure.persistence.postgres;

import dev.tenure.persistence.storage.Finding;
import dev.tenure.persistence.storage.Finding.Kind;
import dev.tenure.persistence.storage.StorageCapabilities;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Finds out what a PostgreSQL offers to this engine over this connection. Settings are read from
 * the server, not assumed.
 *
 * @param looksForClients the server can notice while it works that its client is gone
 * @param tellsLog the server tells this role where its log stands
 */
record PostgresProbe(boolean looksForClients, boolean tellsLog, List<Finding> findings) {
  /** 14.0: what the engine's statements are tested from. */
  static final int MIN_VERSION_NUMBER = 140_000;

  /** How often each connection is asked who serves it. */
  private static final int SESSION_ROUNDS = 8;

  /** Asks through two connections that are made for it, not through a pool of our own. */
  static PostgresProbe of(DataSource unpooled) throws SQLException {
    try (Connection first = unpooled.getConnection();
        Connection second = unpooled.getConnection()) {
      Optional<Finding> foreign = foreign(versionOf(first));
      // It would answer other questions with errors.
      if (foreign.isPresent()) return new PostgresProbe(false, false, List.of(foreign.get()));
      List<Finding> findings = new ArrayList<>();
      findPooler(first, second).ifPresent(findings::add);
      try (Statement statement = first.createStatement();
          ResultSet row = statement.executeQuery(SETTINGS)) {
        row.next();
        findWhatPreventsWrites(row, findings);
        findWhatLosesWrites(row, findings);
        if (!isOn(row, "wal_compression"))
          findings.add(new Finding(Kind.WAL_COMPRESSION_OFF, WAL_COMPRESSION_OFF));
        // Only a primary can be asked for the end of its log.
        boolean tellsLog = !row.getBoolean("standby") && PostgresLosses.tellsLog(second);
        if (!tellsLog && !row.getBoolean("standby"))
          findings.add(new Finding(Kind.LOG_POSITION_HIDDEN, LOG_POSITION_HIDDEN));
        return new PostgresProbe(looksForClients(second), tellsLog, findings);
      }
    }
  }

  private static final String WAL_COMPRESSION_OFF =
      "wal_compression is off: a start on a large journal writes three times the log";
  private static final String LOG_POSITION_HIDDEN =
      "the server hides where its log stands: whether a fail-over lost something is noticed later";

  /** Servers that speak the protocol, by a word in what they say of themselves. */
  private static final Map<String, String> FOREIGN =
      Map.of(
          "cockroachdb", "CockroachDB",
          "-yb-", "YugabyteDB",
          "redshift", "Amazon Redshift",
          "greenplum", "Greenplum",
          "opengauss", "openGauss");

  private static String versionOf(Connection connection) throws SQLException {
    // Not pg_catalog.version(): a schema that stands before it may say something else, for tests.
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT version()")) {
      row.next();
      return row.getString(1);
    }
  }

  /**
   * A server with another way to store and to lock rows. The engine finds rows by their place and
   * locks them while it changes others, and such servers do that differently or not at all.
   */
  static Optional<Finding> foreign(String version) {
    String lowerCase = version.toLowerCase(Locale.ROOT);
    for (Map.Entry<String, String> each : FOREIGN.entrySet())
      if (lowerCase.contains(each.getKey())) return Optional.of(foreign(each.getValue(), version));
    return lowerCase.startsWith("postgresql ")
        ? Optional.empty()
        : Optional.of(foreign("no PostgreSQL", version));
  }

  private static Finding foreign(String what, String version) {
    return new Finding(
        Kind.FOREIGN_SERVER, "the server is %s (version() is '%s')".formatted(what, version));
  }

  private static final String SETTINGS =
      """
      SELECT pg_is_in_recovery()                                  AS standby,
             current_setting('transaction_read_only')             AS transaction_read_only,
             current_setting('default_transaction_read_only')     AS default_transaction_read_only,
             current_setting('fsync')                             AS fsync,
             current_setting('synchronous_commit')                AS synchronous_commit,
             current_setting('full_page_writes')                  AS full_page_writes,
             current_setting('wal_compression')                   AS wal_compression,
             current_setting('server_version_num')::int           AS server_version_num,
             EXISTS (SELECT FROM pg_extension e WHERE e.extname = 'citus') AS citus
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

  private static void findWhatPreventsWrites(ResultSet row, List<Finding> findings)
      throws SQLException {
    boolean standby = row.getBoolean("standby");
    if (standby)
      findings.add(
          new Finding(Kind.STANDBY, "the server is a standby (pg_is_in_recovery() is true)"));
    for (String setting : List.of("transaction_read_only", "default_transaction_read_only")) {
      // On a standby the first is always on, and says nothing new.
      if (isOn(row, setting) && !(standby && setting.equals("transaction_read_only")))
        findings.add(
            new Finding(Kind.READ_ONLY, "the session is read-only (" + setting + " is on)"));
    }
    oldServer(row.getInt("server_version_num")).ifPresent(findings::add);
    if (row.getBoolean("citus"))
      findings.add(
          new Finding(
              Kind.CITUS,
              "the extension citus is in this database: its distributed tables do not lock rows as"
                  + " the engine needs it"));
  }

  static Optional<Finding> oldServer(int versionNumber) {
    return versionNumber >= MIN_VERSION_NUMBER
        ? Optional.empty()
        : Optional.of(
            new Finding(
                Kind.OLD_SERVER,
                "the server is too old (server_version_num is %d, at least %d is needed)"
                    .formatted(versionNumber, MIN_VERSION_NUMBER)));
  }

  private static void findWhatLosesWrites(ResultSet row, List<Finding> findings)
      throws SQLException {
    if (!isOn(row, "fsync"))
      findings.add(
          new Finding(
              Kind.FSYNC_OFF,
              "fsync is off: a crash of the machine may lose or damage everything"));
    if (row.getString("synchronous_commit").equals("off"))
      findings.add(
          new Finding(
              Kind.SYNCHRONOUS_COMMIT_OFF,
              "synchronous_commit is off: a crash may lose acknowledged commits"));
    if (!isOn(row, "full_page_writes"))
      findings.add(
          new Finding(
              Kind.FULL_PAGE_WRITES_OFF,
              "full_page_writes is off: a crash may leave pages half written"));
  }

  /** Some settings that can be on have more words for it than one. */
  private static boolean isOn(ResultSet row, String setting) throws SQLException {
    return !row.getString(setting).equals("off");
  }

  /**
   * Two connections held at once must be two sessions, each served by its own process from the
   * first to the last statement, and each keeping what was set in it. A pooler that gives its
   * server connections to one transaction after the other fails this check. One that prefers the
   * last used connection answers both from one process; one that rotates answers the same client
   * connection, asked twice in a row, from two; one that chooses at random is hardly consistent in
   * so many rounds. Locks, settings and prepared statements of a session mean nothing there.
   */
  private static Optional<Finding> findPooler(Connection first, Connection second)
      throws SQLException {
    long firstServer = keep(first, "first");
    long secondServer = keep(second, "second");
    if (firstServer == secondServer) {
      return pooler("two open connections were served by one process");
    }
    for (int round = 0; round < SESSION_ROUNDS; round++) {
      // Twice each, since in strict alternation a rotation of two would look like two sessions.
      if (lost(first, "first", firstServer)
          || lost(first, "first", firstServer)
          || lost(second, "second", secondServer)
          || lost(second, "second", secondServer)) {
        return pooler("one open connection was served by several processes");
      }
    }
    return Optional.empty();
  }

  private static Optional<Finding> pooler(String evidence) {
    return Optional.of(
        new Finding(
            Kind.POOLER,
            "a pooler in transaction or statement mode is in between (pg_backend_pid(): %s)"
                .formatted(evidence)));
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

  /** Whether it is a PostgreSQL, so that its tables may be looked at. */
  boolean supported() {
    return !has(Kind.FOREIGN_SERVER) && !has(Kind.CITUS);
  }

  /** Whether the server takes writes from this session. */
  boolean writable() {
    return !has(Kind.STANDBY) && !has(Kind.READ_ONLY);
  }

  /** Whether two connections are not sessions of their own. */
  boolean pooled() {
    return has(Kind.POOLER);
  }

  private boolean has(Kind kind) {
    return findings.stream().anyMatch(each -> each.kind() == kind);
  }

  private boolean hasAny(Finding.Effect effect) {
    return findings.stream().anyMatch(each -> each.kind().effect() == effect);
  }

  StorageCapabilities capabilities() {
    return new StorageCapabilities(
        !hasAny(Finding.Effect.REFUSED),
        true,
        !has(Kind.STANDBY), // a standby shows the past
        true,
        !hasAny(Finding.Effect.NOT_DURABLE),
        true,
        findings);
  }
}
