package dev.tenure.persistence.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** How connections to the database are made, and kept. */
final class PostgresPool {
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);
  private static final Duration LIFETIME = Duration.ofMinutes(30);
  private static final Duration KEEPALIVE = Duration.ofMinutes(2);

  /**
   * Every statement takes arrays, and the same plan is good for all values in them: planning it
   * anew for each batch would cost more than running it. Every statement was written for an index.
   * A plan that PostgreSQL makes while a table is empty would read all of the table, and PostgreSQL
   * would keep that plan while the table grows.
   *
   * <p>Statements that take microseconds are never worth compiling. The server decides it by the
   * cost that it estimates once for a generic plan, and then compiles at each execution.
   *
   * <p>A process that is stopped in the middle of a transaction would keep its locks until it goes
   * on, and no other node could take its shards: so the server ends such a session.
   */
  static final String SESSION =
      """
      SET plan_cache_mode = force_generic_plan;
      SET enable_seqscan = off;
      SET enable_bitmapscan = off;
      SET jit = off;
      SET idle_in_transaction_session_timeout = '5s'
      """;

  /**
   * How often a backend that runs a statement, or waits for a lock, looks whether its client is
   * still there. Without it the backend of a process that died goes on waiting, with its locks.
   */
  static final String CLIENT_CHECK = "2s";

  private static final String SERVERS = "targetServerType";
  private static final String PRIMARY = "primary";
  private static final String PREFER_PRIMARY = "preferPrimary";

  private PostgresPool() {}

  /**
   * @param looksForClients whether the server can notice that a client is gone
   */
  static HikariDataSource open(
      PostgresSettings settings, ConnectionPurpose purpose, boolean looksForClients) {
    HikariConfig config = new HikariConfig();
    config.setPoolName(purpose.poolName);
    config.setJdbcUrl(settings.url());
    config.setUsername(settings.application().user());
    config.setPassword(settings.application().password());
    config.setDataSourceProperties(
        driver(settings, purpose.poolName, purpose.answerLimit, PRIMARY));
    config.setExceptionOverride(new ReadOnlyServers());
    int size = purpose.connections(settings);
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(Math.min(size, 2));
    config.setConnectionTimeout(purpose.checkoutLimit.toMillis());
    config.setMaxLifetime(LIFETIME.toMillis());
    config.setKeepaliveTime(KEEPALIVE.toMillis());
    // The fence waits for a row lock and must then see what the other one wrote: a stricter level
    // set for the role or the database would turn every such wait into an error.
    config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    config.setConnectionInitSql(session(purpose, looksForClients));
    // The server was probed a moment ago. When it cannot be reached later, the calls fail and the
    // pool stays.
    config.setInitializationFailTimeout(-1);
    return new HikariDataSource(config);
  }

  private static String session(ConnectionPurpose purpose, boolean looksForClients) {
    String limits =
        "%s;\nSET lock_timeout = %d;\nSET statement_timeout = %d"
            .formatted(
                SESSION.strip(), purpose.lockLimit.toMillis(), purpose.statementLimit.toMillis());
    return looksForClients
        ? limits + ";\nSET client_connection_check_interval = '" + CLIENT_CHECK + "'"
        : limits;
  }

  /** Connections outside of any pool: each is a new one, and closing it ends it. */
  static DataSource unpooled(
      PostgresSettings settings, PostgresSettings.Login login, Duration answerLimit) {
    return unpooled(settings, login, answerLimit, PRIMARY);
  }

  /**
   * Connections to look at the server with. When there is no primary they lead to a standby, which
   * can be named then.
   */
  static DataSource forProbe(PostgresSettings settings, Duration answerLimit) {
    return unpooled(settings, settings.application(), answerLimit, PREFER_PRIMARY);
  }

  private static DataSource unpooled(
      PostgresSettings settings,
      PostgresSettings.Login login,
      Duration answerLimit,
      String servers) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(settings.url());
    source.setUser(login.user());
    source.setPassword(login.password());
    Properties properties = driver(settings, "tenure-start", answerLimit, servers);
    // Statements are run once here, and behind a pooler a named one may belong to another session.
    properties.setProperty("prepareThreshold", "0");
    try {
      for (String name : properties.stringPropertyNames()) {
        source.setProperty(name, properties.getProperty(name));
      }
    } catch (SQLException e) {
      throw new IllegalStateException("the driver does not know a setting of ours", e);
    }
    return source;
  }

  private static Properties driver(
      PostgresSettings settings, String name, Duration answerLimit, String servers) {
    Properties properties = new Properties();
    // After a fail-over the name of the database may lead to the former primary for a while: a
    // connection to a server that takes no writes would stay in the pool for its lifetime.
    if (!settings.choosesServers()) properties.setProperty(SERVERS, servers);
    properties.setProperty("ApplicationName", name);
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("connectTimeout", Long.toString(CONNECT_LIMIT.toSeconds()));
    properties.setProperty("socketTimeout", Long.toString(answerLimit.toSeconds()));
    // The engine runs a handful of statements for ever: prepare each at its first use.
    properties.setProperty("prepareThreshold", "1");
    return properties;
  }
}
