package dev.tenure.persistence.postgres;

import dev.tenure.persistence.format.EngineBuild;
import java.util.Locale;
import java.util.Optional;

/**
 * How to reach a PostgreSQL.
 *
 * @param url a JDBC url without user or password
 * @param application the role of the engine, which can change neither the schema nor the history
 * @param migration the role that may change the schema; without it the schema must be there already
 * @param poolSize how many connections the engine uses beside the four of its leases: those for
 *     commits, a third of the rest for lists, the others for everything else
 * @param commitConnections how many of them are for commits: as many as transactions of commits may
 *     be under way at once
 * @param applicationRole the role that migrations grant the engine's rights to; usually the
 *     application's user
 * @param engine what this engine says of itself; another one than this build only in tests
 */
public record PostgresSettings(
    String url,
    Login application,
    Optional<Login> migration,
    int poolSize,
    int commitConnections,
    RoleName applicationRole,
    EngineBuild engine) {
  public static final int DEFAULT_POOL_SIZE = 8;
  public static final int DEFAULT_COMMIT_CONNECTIONS = 2;

  /** One for commits, one for lists, one for everything else. */
  public static final int MIN_POOL_SIZE = 3;

  public static final int MAX_POOL_SIZE = 1_000;

  public PostgresSettings {
    if (!url.startsWith("jdbc:postgresql:")) {
      throw new IllegalArgumentException(
          "the url of the database does not start with jdbc:postgresql:");
    }
    String lowerCase = url.toLowerCase(Locale.ROOT);
    if (lowerCase.contains("password=") || lowerCase.contains("user=") || url.contains("@")) {
      // A url is printed in many places; a secret in it would be, too. So would this message.
      throw new IllegalArgumentException(
          "the url of the database has a user or password in it: give them separately");
    }
    if (poolSize < MIN_POOL_SIZE || poolSize > MAX_POOL_SIZE) {
      throw new IllegalArgumentException(
          "the pool size is %d: choose one from %d to %d"
              .formatted(poolSize, MIN_POOL_SIZE, MAX_POOL_SIZE));
    }
    if (commitConnections < 1 || commitConnections > poolSize - 2) {
      throw new IllegalArgumentException(
          "%d connections are for commits: choose from 1 to %d, two fewer than the pool size"
              .formatted(commitConnections, poolSize - 2));
    }
  }

  /** An engine that finds its schema ready. */
  public static PostgresSettings of(String url, String user, String password) {
    return new PostgresSettings(
        url,
        new Login(user, password),
        Optional.empty(),
        DEFAULT_POOL_SIZE,
        DEFAULT_COMMIT_CONNECTIONS,
        new RoleName(user),
        EngineBuild.CURRENT);
  }

  /** An engine that brings the schema itself, as this user. */
  public PostgresSettings withMigration(String user, String password) {
    return new PostgresSettings(
        url,
        application,
        Optional.of(new Login(user, password)),
        poolSize,
        commitConnections,
        applicationRole,
        engine);
  }

  /** With fewer connections than there were for commits, all but two of them are for commits. */
  public PostgresSettings withPoolSize(int connections) {
    int commits = Math.max(1, Math.min(commitConnections, connections - 2));
    return new PostgresSettings(
        url, application, migration, connections, commits, applicationRole, engine);
  }

  public PostgresSettings withCommitConnections(int connections) {
    return new PostgresSettings(
        url, application, migration, poolSize, connections, applicationRole, engine);
  }

  public PostgresSettings withApplicationRole(String role) {
    return new PostgresSettings(
        url, application, migration, poolSize, commitConnections, new RoleName(role), engine);
  }

  /** As another release would open the store. */
  PostgresSettings withEngine(EngineBuild other) {
    return new PostgresSettings(
        url, application, migration, poolSize, commitConnections, applicationRole, other);
  }

  /** Whether the url itself says to which of its servers the driver may connect. */
  boolean choosesServers() {
    return url.contains("targetServerType=");
  }

  /** A database user. Its password is never printed. */
  public record Login(String user, String password) {
    public Login {
      if (user.isEmpty()) throw new IllegalArgumentException("the database user is empty");
    }

    @Override
    public String toString() {
      return user;
    }
  }
}
