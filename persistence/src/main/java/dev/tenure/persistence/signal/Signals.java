package dev.tenure.persistence.signal;

import java.time.Duration;
import java.util.List;

/**
 * The signals that were accepted for workflows. Any node accepts them for any workflow, also when
 * no node owns it at the moment: accepted means durable.
 */
public interface Signals {
  /** Signals that may wait for one workflow. */
  int MAX_PENDING = 10_000;

  /** Signals in one call of {@link #accept}. */
  int MAX_BATCH = 1_000;

  Duration MAX_RETENTION = Duration.ofDays(3_650);

  /**
   * Accepts the signals, in their order, in one transaction; result {@code i} tells what became of
   * signal {@code i}, and one that is not accepted leaves the others alone. Payload and answer are
   * stored together or not at all. Of one {@code (workflow, name, id)}, in this call or in any
   * number at once, exactly one is stored as long as the answer is retained; the others get that
   * answer. The workflow is due from that moment.
   *
   * <p>After {@link dev.tenure.persistence.storage.StorageException.OutcomeUnknown} the same
   * signals can be given again: those that were accepted are duplicates then.
   *
   * @param retention how long the answer is kept for retries
   * @throws SignalCapabilityError when a signal has an id of its sender's and the storage has no
   *     {@code conditionalBatch}; nothing was stored
   */
  List<SignalResult> accept(List<Signal> signals, Duration retention);

  /** For each read, the pending signals in the order of their acceptance (I14). */
  List<List<PendingSignal>> pending(List<InboxRead> reads);

  /** For each read, what was left in the inbox when the workflow closed (I13). */
  List<List<PendingSignal>> unconsumed(List<InboxRead> reads);

  /**
   * Removes answers whose time is over, at most so many, and returns how many it removed. The
   * answer to a signal that still waits is kept: without it, a retry could not be told from damage.
   */
  int purgeAnswers(int limit);

  /** What every adapter asks of a batch before it looks at it. */
  static void requireValid(List<Signal> signals, Duration retention) {
    if (signals.size() > MAX_BATCH) {
      throw new IllegalArgumentException(
          "%d signals at once: at most %d".formatted(signals.size(), MAX_BATCH));
    }
    if (retention.isNegative() || retention.compareTo(MAX_RETENTION) > 0) {
      throw new IllegalArgumentException(
          "answers cannot be kept for %s: choose from 0 to %s".formatted(retention, MAX_RETENTION));
    }
  }
}
