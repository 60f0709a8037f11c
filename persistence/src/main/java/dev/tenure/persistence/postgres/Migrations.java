package dev.tenure.persistence.postgres;

import dev.tenure.persistence.storage.SchemaNotReadyError;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;

/**
 * Brings a database's schema to this engine's version. Migrations only add, so an older engine goes
 * on working on a newer schema; one that would not is told so by the format in {@code meta}.
 */
final class Migrations {
  /** Any number that no other program in this database uses: the bytes of "tenure". */
  static final long LOCK = 0x74656e757265L;

  static final int LOCK_LIMIT_S = 120;
  static final String HISTORY_TABLE = "schema_history";

  private final DataSource database;
  private final RoleName applicationRole;

  /**
   * @param database connections of the role that may change the schema, each a session of its own
   *     that ends when it is closed; or, only to {@link #verify}, connections of the application's
   *     role
   */
  Migrations(DataSource database, RoleName applicationRole) {
    this.database = database;
    this.applicationRole = applicationRole;
  }

  /**
   * Migrates, or waits while another process does. A session of its own holds one lock from the
   * first look to the last row, over all transactions of the migrations. When the process dies, its
   * session ends and PostgreSQL releases the lock.
   */
  void migrate() {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SET lock_timeout = '" + LOCK_LIMIT_S + "s'");
      statement.execute("SELECT pg_advisory_lock(" + LOCK + ")");
      migrateLocked(connection); // the end of the session is the end of the lock
    } catch (SQLException e) {
      throw SqlFailures.beforeCommit("migrating the schema", e);
    }
  }

  private void migrateLocked(Connection connection) throws SQLException {
    if (StoreMeta.exists(connection)) StoreMeta.requireUnderstood(connection);
    Flyway flyway = flyway(connection);
    try {
      // A newer engine was here. Its migrations include ours, its grants may be wider: leave them.
      if (!isAhead(flyway.info().all())) flyway.migrate();
    } catch (FlywayException e) {
      throw new SchemaNotReadyError("the schema could not be migrated: " + e.getMessage(), e);
    }
    StoreMeta.writeFormat(connection);
  }

  /** Throws when the schema is not there, is too old, or was written by an engine too new. */
  void verify() {
    try (Connection connection = database.getConnection()) {
      if (!StoreMeta.exists(connection)) throw notReady("has no tables of the engine");
      StoreMeta.requireUnderstood(connection);
      List<String> missing = missing(flyway(connection).info().all());
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

  private Flyway flyway(Connection connection) throws SQLException {
    return Flyway.configure(Migrations.class.getClassLoader())
        .dataSource(database)
        .loggers("slf4j")
        .locations("classpath:dev/tenure/migrations")
        .failOnMissingLocations(true)
        .table(HISTORY_TABLE)
        .defaultSchema(currentSchema(connection))
        .createSchemas(false)
        .placeholders(Map.of("application_role", applicationRole.quoted()))
        .load();
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
