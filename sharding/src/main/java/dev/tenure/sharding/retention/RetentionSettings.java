package dev.tenure.sharding.retention;

import java.time.Duration;

/**
 * How expired rows are removed.
 *
 * @param every how often one node of the cluster looks for them
 * @param batch rows that one statement removes at most
 * @param bulkOrders how long a bulk order that is finished can still be looked at
 * @param workflows how long closed workflows are kept
 * @param idKeptFor for how long after its close the id of a workflow means nothing else, though the
 *     workflow was removed: as long as a request for it may come again
 */
public record RetentionSettings(
    Duration every,
    int batch,
    Duration bulkOrders,
    WorkflowRetention workflows,
    Duration idKeptFor) {
  public static final Duration EVERY_MIN = Duration.ofMillis(100);
  public static final Duration EVERY_MAX = Duration.ofDays(1);
  public static final int BATCH_MAX = 10_000;
  public static final Duration BULK_ORDERS_MAX = Duration.ofDays(3_650);

  /** How long one round removes rows of one kind. What is left waits for the next round. */
  public static final Duration ROUND_MAX = Duration.ofMinutes(5);

  public static final RetentionSettings DEFAULT =
      new RetentionSettings(Duration.ofMinutes(1), 500, Duration.ofDays(30));

  /** With which no workflow is removed. */
  public RetentionSettings(Duration every, int batch, Duration bulkOrders) {
    this(every, batch, bulkOrders, WorkflowRetention.FOR_EVER, Duration.ofDays(7));
  }

  public RetentionSettings withWorkflows(WorkflowRetention retention, Duration idsKeptFor) {
    return new RetentionSettings(every, batch, bulkOrders, retention, idsKeptFor);
  }

  public RetentionSettings {
    require(!every.minus(EVERY_MIN).isNegative() && every.compareTo(EVERY_MAX) <= 0, every);
    require(batch >= 1 && batch <= BATCH_MAX, batch);
    require(!bulkOrders.isNegative() && bulkOrders.compareTo(BULK_ORDERS_MAX) <= 0, bulkOrders);
  }

  private static void require(boolean holds, Object value) {
    if (!holds) throw new IllegalArgumentException("retention cannot go by " + value);
  }
}
