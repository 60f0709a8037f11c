package dev.tenure.persistence.postgres;

import java.time.Duration;

/**
 * What connections are used for. Each purpose has a pool of its own, so that work of one kind never
 * waits for a connection that another kind holds, and limits of its own for every wait.
 *
 * <p>The server's limits are shorter than the driver's: when the driver gives up an answer, the
 * server has given up the statement before, and no backend is left behind that still waits for a
 * lock, or holds one.
 */
enum ConnectionPurpose {
  /**
   * Leases, members and what belongs to a claim. A lease that is not renewed soon is lost: its
   * holder must know early that it cannot ask.
   */
  LEASES("tenure-leases", millis(4_000), millis(2_000), millis(4_000), millis(5_000)),
  /**
   * Batches of commits. They wait for a lock for a shorter time than a claim does, because a batch
   * that waits holds the rows of its leases: a claim that waits for it must get its turn within its
   * own limit.
   */
  COMMITS("tenure-commits", millis(5_000), millis(1_500), millis(20_000), millis(30_000)),
  /** Everything that owners of workflows wait for beside their commits, and short requests. */
  WORK("tenure", millis(5_000), millis(5_000), millis(20_000), millis(30_000)),
  /** Lists, searches and counts: they may take long, and no workflow waits for them. */
  QUERIES("tenure-queries", millis(5_000), millis(2_000), millis(10_000), millis(15_000));

  /** Claims and renewals of a node are few. */
  static final int LEASE_CONNECTIONS = 4;

  final String poolName;

  /** How long a caller waits for a connection. */
  final Duration checkoutLimit;

  /** How long the server lets a statement wait for one lock. */
  final Duration lockLimit;

  /** How long the server lets one statement run. */
  final Duration statementLimit;

  /**
   * How long the server may leave a statement without any answer before the connection is given up.
   * A network that swallows packets would hold a thread for ever.
   */
  final Duration answerLimit;

  ConnectionPurpose(
      String poolName,
      Duration checkoutLimit,
      Duration lockLimit,
      Duration statementLimit,
      Duration answerLimit) {
    this.poolName = poolName;
    this.checkoutLimit = checkoutLimit;
    this.lockLimit = lockLimit;
    this.statementLimit = statementLimit;
    this.answerLimit = answerLimit;
  }

  private static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }

  /** The size of the pool; beside those of leases they add up to the node's pool size. */
  int connections(PostgresSettings settings) {
    return switch (this) {
      case LEASES -> LEASE_CONNECTIONS;
      case COMMITS -> settings.commitConnections();
      case WORK ->
          settings.poolSize() - settings.commitConnections() - QUERIES.connections(settings);
      case QUERIES -> Math.max(1, (settings.poolSize() - settings.commitConnections()) / 3);
    };
  }
}
