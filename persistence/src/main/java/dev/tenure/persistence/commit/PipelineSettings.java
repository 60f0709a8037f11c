package dev.tenure.persistence.commit;

import java.time.Duration;

/**
 * How the pipeline merges.
 *
 * @param lanes how many transactions run at once; more than two split batches and lose
 * @param batchLimit commits per transaction
 * @param batchBytesLimit payload bytes per transaction, so that one batch of large steps cannot
 *     hold up everybody
 * @param queueLimit commits that may wait per lane; one more is refused
 * @param resolveLimit how long an outcome is asked for before it is reported as unknown
 */
public record PipelineSettings(
    int lanes, int batchLimit, long batchBytesLimit, int queueLimit, Duration resolveLimit) {
  public static final int MAX_LANES = 8;

  public static final PipelineSettings DEFAULT =
      new PipelineSettings(2, 400, 8L * 1024 * 1024, 20_000, Duration.ofSeconds(8));

  public PipelineSettings {
    require(lanes >= 1 && lanes <= MAX_LANES, "lanes", lanes, "1.." + MAX_LANES);
    require(batchLimit >= 1 && batchLimit <= 10_000, "batchLimit", batchLimit, "1..10000");
    require(batchBytesLimit >= 1, "batchBytesLimit", batchBytesLimit, "at least 1");
    require(queueLimit >= 1, "queueLimit", queueLimit, "at least 1");
    require(!resolveLimit.isNegative(), "resolveLimit", resolveLimit.toMillis(), "not negative");
  }

  private static void require(boolean holds, String name, long value, String allowed) {
    if (!holds) throw new IllegalArgumentException(name + " is " + value + ", allowed: " + allowed);
  }
}
