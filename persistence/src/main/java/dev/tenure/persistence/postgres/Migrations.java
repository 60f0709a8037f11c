package dev.tenure.persistence.postgres;

import dev.tenure.persistence.format.EngineBuild;
import dev.tenure.persistence.storage.SchemaNotReadyError;
import dev.tenure.persistence.storage.StorageException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.database.postgresql.PostgreSQLConfigurationExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a database's schema to this engine's version. Migrations only add, so an older engine goes
 * on working on a newer schema; one that would not is told so by the format in {@code meta}.
 */
final class Migrations {
  /** Any number that no other program in this database uses: the bytes of "tenure". */
  static final long LOCK = 0x74656e757265L;

  static final String HISTORY_TABLE = "schema_history";
  static final String LOCATION = "classpath:dev/tenure/migrations";

  /** All there are. */
  static final String NEWEST = "latest";

  private static final Logger log = LoggerFactory.getLogger(Migrations.class);
  private static final Duration LOOK_EVERY = Duration.ofMillis(200);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(8);
  private static final String LOCK_NOT_AVAILABLE = "55P03";

  /**
   * How long a migration waits.
   *
   * @param turn for another process that migrates
   * @param lock for a lock of a table. All other sessions that need the table queue behind a
   *     migration that waits, so it gives up soon and tries again
   * @param patience for all of its tries together; less than what others wait for their turn
   */
  record Limits(Duration turn, Duration lock, Duration patience) {
    static final Limits DEFAULT =
        new Limits(Duration.ofSeconds(120), Duration.ofSeconds(3), Duration.ofSeconds(100));
  }

  private final DataSource database;
  private final RoleName applicationRole;
  private final EngineBuild engine;
  private final Limits limits;
  private final List<String> locations;
  private String newest = NEWEST;

  /**
   * @param database connections of the role that may change the schema, each a session of its own
   *     that ends when it is closed; or, only to {@link #verify}, connections of the application's
   *     role
   */
  Migrations(DataSource database, RoleName applicationRole, EngineBuild engine) {
    this(database, applicationRole, engine, Limits.DEFAULT, List.of(LOCATION));
  }

  Migrations(DataSource database, RoleName applicationRole, Limits limits, List<String> locations) {
    this(database, applicationRole, EngineBuild.CURRENT, limits, locations);
  }

  private Migrations(
      DataSource database,
      RoleName applicationRole,
      EngineBuild engine,
      Limits limits,
      List<String> locations) {
    this.database = database;
    this.applicationRole = applicationRole;
    this.engine = engine;
    this.limits = limits;
    this.locations = locations;
  }

  /** Only up to that migration: for a store as an earlier release left it. */
  Migrations upTo(String version) {
    newest = version;
    return this;
  }

  /**
   * Migrates, or waits while another process does. A session of its own holds one lock from the
   * first look to the last row, over all transactions of the migrations. When the process dies, its
   * session ends and PostgreSQL releases the lock.
   */
  void migrate() {
    try (Connection connection = database.getConnection()) {
      if (awaitTurn(connection))
        migrateLocked(connection); // the end of the session is the end of the lock
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("migrating the schema", e);
    }
  }

  /**
   * Asks again and again. A statement that waited for the lock would keep its view of the database,
   * and an index that the holder of the lock builds concurrently would wait for the end of it.
   *
   * @return false when another process migrates, and this engine misses nothing: a newer engine may
   *     build an index for hours, and nodes of the older one can start meanwhile
   */
  private boolean awaitTurn(Connection connection) throws SQLException {
    long begun = System.nanoTime();
    while (!isOurTurn(connection)) {
      if (missesNothing()) return false;
      if (isOver(begun, limits.turn))
        throw new StorageException.Unavailable(
            "migrating the schema failed: another process has been migrating for more than "
                + limits.turn,
            null);
      pause(LOOK_EVERY);
    }
    return true;
  }

  private boolean missesNothing() throws SQLException {
    try (Connection connection = database.getConnection()) {
      if (!StoreMeta.exists(connection)) return false;
      StoreMeta.requireUnderstood(connection, engine);
      MigrationInfo[] all = flyway(connection).load().info().all();
      if (!missing(all).isEmpty()) return false;
      // The grants come last. Those of a newer engine include ours.
      return isAhead(all)
          || Arrays.stream(all)
              .filter(m -> m.getVersion() == null)
              .allMatch(m -> m.getState() == MigrationState.SUCCESS);
    } catch (FlywayException e) {
      return false; // what it reads is being written
    }
  }

  static final String TAKE_TURN = "SELECT pg_try_advisory_lock(" + LOCK + ")";

  private static boolean isOurTurn(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(TAKE_TURN)) {
      row.next();
      return row.getBoolean(1);
    }
  }

  private static boolean isOver(long begunNanos, Duration limit) {
    return System.nanoTime() - begunNanos >= limit.toNanos();
  }

  private static void pause(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StorageException.Unavailable("interrupted while migrating the schema", e);
    }
  }

  private void migrateLocked(Connection connection) throws SQLException {
    if (StoreMeta.exists(connection)) StoreMeta.requireUnderstood(connection, engine);
    PlainTables.require(connection);
    Flyway flyway = migrating(connection);
    try {
      // A newer engine was here. Its migrations include ours, its grants may be wider: leave them.
      if (!isAhead(flyway.info().all())) migrate(connection, flyway);
    } catch (FlywayException e) {
      throw new SchemaNotReadyError("the schema could not be migrated: " + e.getMessage(), e);
    }
    StoreMeta.writeFormat(connection);
    new InvalidIndexes(connection, limits.lock).rebuild();
  }

  /** Each try goes on where the one before stood: the migrations before are committed. */
  private void migrate(Connection connection, Flyway flyway) throws SQLException {
    long begun = System.nanoTime();
    Duration pause = FIRST_PAUSE;
    while (true) {
      forgetFailed(connection);
      try {
        flyway.migrate();
        return;
      } catch (FlywayException e) {
        if (!waitedForLock(e) || isOver(begun, limits.patience)) throw e;
        log.warn(
            "a migration gave up after {} of waiting for a table that another session has locked,"
                + " and is tried again in {}: {}",
            limits.lock,
            pause,
            e.getMessage());
      }
      pause(pause);
      pause = pause.multipliedBy(2);
      if (pause.compareTo(LONGEST_PAUSE) > 0) pause = LONGEST_PAUSE;
    }
  }

  /**
   * Only a migration outside of a transaction leaves such a row, and it is written so that it can
   * be run again.
   */
  private static void forgetFailed(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT to_regclass('" + HISTORY_TABLE + "') IS NOT NULL")) {
      row.next();
      if (!row.getBoolean(1)) return;
      statement.executeUpdate("DELETE FROM " + HISTORY_TABLE + " WHERE NOT success");
    }
  }

  private static boolean waitedForLock(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause())
      if (each instanceof SQLException sql && LOCK_NOT_AVAILABLE.equals(sql.getSQLState()))
        return true;
    return false;
  }

  /** Throws when the schema is not there, is too old, or was written by an engine too new. */
  void verify() {
    try (Connection connection = database.getConnection()) {
      if (!StoreMeta.exists(connection)) throw notReady("has no tables of the engine");
      StoreMeta.requireUnderstood(connection, engine);
      PlainTables.require(connection);
      List<String> missing = missing(flyway(connection).load().info().all());
      if (!missing.isEmpty()) throw notReady("misses the migrations " + missing);
    } catch (FlywayException e) {
      throw new SchemaNotReadyError("the schema could not be checked: " + e.getMessage(), e);
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("checking the schema", e);
    }
  }

  private static SchemaNotReadyError notReady(String what) {
    return new SchemaNotReadyError(
        "the database %s. Configure a migration user for this start, or start one engine that has one, over a direct connection to the primary."
            .formatted(what));
  }

  private static boolean isAhead(MigrationInfo[] migrations) {
    return Arrays.stream(migrations).anyMatch(m -> m.getState() == MigrationState.FUTURE_SUCCESS);
  }

  private static List<String> missing(MigrationInfo[] migrations) {
    return Arrays.stream(migrations)
        .filter(m -> m.getVersion() != null && !m.getState().isApplied())
        .map(MigrationInfo::getScript)
        .toList();
  }

  private Flyway migrating(Connection connection) throws SQLException {
    FluentConfiguration flyway = flyway(connection).callbacks(new LockLimit(limits.lock));
    // Flyway's own lock would be a transaction that is open as long as a migration runs, and an
    // index that is built concurrently waits for the end of all others. Our own lock covers it.
    flyway
        .getConfigurationExtension(PostgreSQLConfigurationExtension.class)
        .setTransactionalLock(false);
    return flyway.load();
  }

  private FluentConfiguration flyway(Connection connection) throws SQLException {
    return Flyway.configure(Migrations.class.getClassLoader())
        .dataSource(database)
        .loggers("slf4j")
        .locations(locations.toArray(String[]::new))
        .target(newest)
        // The grants name tables that come later.
        .repeatableSqlMigrationPrefix(newest.equals(NEWEST) ? "R" : "none")
        .failOnMissingLocations(true)
        .table(HISTORY_TABLE)
        .defaultSchema(currentSchema(connection))
        .createSchemas(false)
        .placeholders(Map.of("application_role", applicationRole.quoted()));
  }

  private static String currentSchema(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT current_schema()")) {
      row.next();
      String schema = row.getString(1);
      if (schema == null) {
        throw new SchemaNotReadyError(
            "the database user's search_path names no schema that is there: make it, or add"
                + " ?currentSchema=… to the url");
      }
      return schema;
    }
  }
}
