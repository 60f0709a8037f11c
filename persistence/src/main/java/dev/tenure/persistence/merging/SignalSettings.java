package dev.tenure.persistence.merging;

import dev.tenure.persistence.signal.Signals;
import java.time.Duration;

/**
 * How signals are merged.
 *
 * @param batchLimit signals per transaction
 * @param batchBytesLimit payload bytes per transaction
 * @param queueLimit signals that may wait; one more is refused
 * @param resolveLimit how long an outcome is asked for before it is reported as unknown
 * @param retention how long the answer to a signal is kept for retries
 */
public record SignalSettings(
    int batchLimit,
    long batchBytesLimit,
    int queueLimit,
    Duration resolveLimit,
    Duration retention) {
  public static final SignalSettings DEFAULT =
      new SignalSettings(400, 8L * 1024 * 1024, 20_000, Duration.ofSeconds(8), Duration.ofDays(7));

  public SignalSettings {
    require(batchLimit >= 1 && batchLimit <= Signals.MAX_BATCH, "batchLimit", batchLimit);
    require(batchBytesLimit >= 1, "batchBytesLimit", batchBytesLimit);
    require(queueLimit >= 1, "queueLimit", queueLimit);
    require(!resolveLimit.isNegative(), "resolveLimit", resolveLimit);
    require(!retention.isNegative(), "retention", retention);
    require(retention.compareTo(Signals.MAX_RETENTION) <= 0, "retention", retention);
  }

  public SignalSettings withRetention(Duration span) {
    return new SignalSettings(batchLimit, batchBytesLimit, queueLimit, resolveLimit, span);
  }

  private static void require(boolean holds, String name, Object value) {
    if (!holds) throw new IllegalArgumentException(name + " of signals cannot be " + value);
  }
}
