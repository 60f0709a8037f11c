package dev.tenure.persistence.merging;

import java.time.Duration;

/**
 * How the pipeline merges.
 *
 * @param lanes how many transactions may be under way at once; more than two split batches and lose
 * @param batchLimit commits per transaction
 * @param batchBytesLimit payload bytes per transaction, so that one batch of large commits cannot
 *     hold up all other commits
 * @param queueLimit commits that may wait per lane; one more is refused
 * @param resolveLimit how long an outcome is asked for before it is reported as unknown
 * @param spreadAbove while more commits wait, every lane has a transaction of its own; until then
 *     one transaction at a time carries all that waits. With 0 the lanes are always apart
 */
public record PipelineSettings(
    int lanes,
    int batchLimit,
    long batchBytesLimit,
    int queueLimit,
    Duration resolveLimit,
    int spreadAbove) {
  public static final int MAX_LANES = 8;

  public static final PipelineSettings DEFAULT =
      new PipelineSettings(2, 400, 8L * 1024 * 1024, 20_000, Duration.ofSeconds(8), 100);

  public PipelineSettings {
    require(lanes >= 1 && lanes <= MAX_LANES, "lanes", lanes, "1.." + MAX_LANES);
    require(batchLimit >= 1 && batchLimit <= 10_000, "batchLimit", batchLimit, "1..10000");
    require(batchBytesLimit >= 1, "batchBytesLimit", batchBytesLimit, "at least 1");
    require(queueLimit >= 1, "queueLimit", queueLimit, "at least 1");
    require(spreadAbove >= 0, "spreadAbove", spreadAbove, "at least 0");
    require(!resolveLimit.isNegative(), "resolveLimit", resolveLimit.toMillis(), "not negative");
  }

  private static void require(boolean holds, String name, long value, String allowed) {
    if (!holds) throw new IllegalArgumentException(name + " is " + value + ", allowed: " + allowed);
  }
}
