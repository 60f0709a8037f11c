package dev.tenure.sharding.retention;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Removes rows of one kind in batches, until a batch is not full. What arrives in one round can be
 * removed in one round, however many rows that are. After each batch it rests for as long as the
 * batch took: commits have the store for themselves at least half of the time.
 *
 * @param batch rows of a full batch
 * @param limit how long a round lasts at most
 * @param nanos a clock that only counts
 * @param pause waits for so many nanoseconds, or until the node stops
 * @param stops whether the node stops
 */
record RemovalRound(
    int batch, Duration limit, LongSupplier nanos, LongConsumer pause, BooleanSupplier stops) {
  /**
   * What a round removed.
   *
   * @param isFull whether the last batch was full, too: the round ended at its limit, and rows are
   *     left
   */
  record Ended(long rows, boolean isFull) {}

  Ended run(IntSupplier removal) {
    long begun = nanos.getAsLong();
    long removed = 0;
    while (!stops.getAsBoolean()) {
      long before = nanos.getAsLong();
      if (before - begun >= limit.toNanos()) return new Ended(removed, true);
      int now = removal.getAsInt();
      removed += now;
      if (now < batch) break;
      pause.accept(nanos.getAsLong() - before);
    }
    return new Ended(removed, false);
  }
}
