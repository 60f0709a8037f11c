package dev.tenure.persistence.postgres;

import dev.tenure.persistence.format.EngineBuild;
import dev.tenure.persistence.format.EngineTooOldError;
import dev.tenure.persistence.format.FormatFloor;
import dev.tenure.persistence.storage.PersistedDataIncompatibleError;
import dev.tenure.persistence.storage.StoreIdentity;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** What a store says of itself, in its table {@code meta}. */
final class StoreMeta {
  /**
   * The format of the tables. It rises only with a change that no older engine can work beside, for
   * which the whole cluster stops; tables, columns and records that are merely new leave it (I19).
   * What stands in a row has levels of its own: see {@link FormatFloor}.
   */
  static final int FORMAT = 1;

  static final String FORMAT_KEY = "format";

  /** The rows that say which level every engine must read: one for each time that it rose. */
  static final String FLOOR_PREFIX = "min-reader-";

  private StoreMeta() {}

  /** False while the store has no schema at all. */
  static boolean exists(Connection connection) throws SQLException {
    try (PreparedStatement query =
            connection.prepareStatement("SELECT to_regclass('meta') IS NOT NULL");
        ResultSet row = query.executeQuery()) {
      row.next();
      return row.getBoolean(1);
    }
  }

  /**
   * Throws when the store has a format that is newer than ours, or none that we can read, or may
   * have records that the engine does not read.
   */
  static void requireUnderstood(Connection connection, EngineBuild engine) throws SQLException {
    requireFormat(connection);
    requireFloor(connection, engine);
  }

  private static void requireFormat(Connection connection) throws SQLException {
    Optional<String> stored = find(connection, FORMAT_KEY);
    if (stored.isEmpty()) return; // a store that is just being made
    try {
      if (Integer.parseInt(stored.get()) <= FORMAT) return;
    } catch (NumberFormatException e) {
      // Falls through to the error: a format that is no number was not written by the engine.
    }
    throw new PersistedDataIncompatibleError("'" + stored.get() + "'", FORMAT);
  }

  static void requireFloor(Connection connection, EngineBuild engine) throws SQLException {
    FormatFloor floor = floor(connection);
    if (!floor.allows(engine)) throw new EngineTooOldError(engine, floor);
  }

  /** The highest of its rows counts; what a person wrote by hand may be no number. */
  static final String FLOOR =
      """
      SELECT level, raised_by FROM (
        SELECT substr(key, 12)::int AS level, value AS raised_by
        FROM meta WHERE key ~ '^min-reader-[0-9]{1,6}$'
        UNION ALL SELECT 1, '') AS known
      ORDER BY level DESC LIMIT 1\
      """;

  static FormatFloor floor(Connection connection) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(FLOOR);
        ResultSet row = query.executeQuery()) {
      row.next();
      return new FormatFloor(row.getInt(1), row.getString(2));
    }
  }

  /**
   * Raises the floor if every announced node reads that level. The caller holds the lock of the
   * members. A node announces itself under the same lock and then looks at the floor: either its
   * row is seen here, or the floor is seen there. A newcomer that has been silent for an hour does
   * not count; it has to announce itself again before it can be taken in.
   */
  static void raiseFloor(Connection connection, int level, String by) throws SQLException {
    String sql =
        """
        INSERT INTO meta (key, value)
        SELECT ?, ?
        WHERE NOT EXISTS (
          SELECT FROM cluster_member
          WHERE reads < ? AND (generation IS NOT NULL
                               OR heartbeat_at > clock_timestamp() - interval '1 hour'))
        ON CONFLICT (key) DO NOTHING\
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, FLOOR_PREFIX + level);
      statement.setString(2, by);
      statement.setInt(3, level);
      statement.executeUpdate();
    }
  }

  /** Written last, by the role that migrates, under the migrations' lock. */
  static void writeFormat(Connection connection) throws SQLException {
    String raise =
        """
        INSERT INTO meta AS m (key, value) VALUES (?, ?)
        ON CONFLICT (key) DO UPDATE SET value = excluded.value
          WHERE m.value::int < excluded.value::int
        """;
    try (PreparedStatement statement = connection.prepareStatement(raise)) {
      statement.setString(1, FORMAT_KEY);
      statement.setString(2, Integer.toString(FORMAT));
      statement.executeUpdate();
    }
  }

  /**
   * Records what the store is, if no engine did before; then compares. One statement writes both
   * rows, so that engines with different settings that start at once cannot each record one: the
   * later ones wait for the first, insert nothing, and are refused.
   */
  static void recordOrCompare(Connection connection, StoreIdentity wanted) throws SQLException {
    Optional<String> mode = find(connection, StoreIdentity.OWNERSHIP_KEY);
    if (mode.isEmpty()) {
      record(connection, wanted);
      mode = find(connection, StoreIdentity.OWNERSHIP_KEY);
    }
    wanted.requireRecorded(
        mode.orElse("nothing"), find(connection, StoreIdentity.SHARDS_KEY).orElse("nothing"));
  }

  private static void record(Connection connection, StoreIdentity wanted) throws SQLException {
    String insert = "INSERT INTO meta (key, value) VALUES (?, ?), (?, ?) ON CONFLICT DO NOTHING";
    try (PreparedStatement statement = connection.prepareStatement(insert)) {
      statement.setString(1, StoreIdentity.OWNERSHIP_KEY);
      statement.setString(2, wanted.mode().configName());
      statement.setString(3, StoreIdentity.SHARDS_KEY);
      statement.setString(4, Integer.toString(wanted.shards()));
      statement.executeUpdate();
    }
  }

  private static Optional<String> find(Connection connection, String key) throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement("SELECT value FROM meta WHERE key = ?")) {
      query.setString(1, key);
      try (ResultSet row = query.executeQuery()) {
        return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
      }
    }
  }
}
