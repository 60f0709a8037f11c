package dev.tenure.persistence.membership;

import dev.tenure.persistence.lease.Holder;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * For how long a process has seen the rows of nodes unchanged. It counts only what it watched
 * without a gap: in a gap of its own the others may not have been able to beat either. Used by one
 * thread.
 */
public final class RowWatch {
  private final long longestGapNanos;
  private final LongSupplier nanoTime;

  private Map<Sighting, Long> since = Map.of();
  private long lookBegan;
  private long lastLook;

  /** What makes a row the same row: a living node changes it at every beat. */
  public record Sighting(Holder node, long beats) {}

  /**
   * @param longestGap between two looks; after a longer one the watch starts anew
   * @param nanoTime this process's monotonic clock
   */
  public RowWatch(Duration longestGap, LongSupplier nanoTime) {
    this.longestGapNanos = longestGap.toNanos();
    this.nanoTime = nanoTime;
  }

  /** A look begins: the rows are asked for after this. */
  public void begin() {
    lookBegan = nanoTime.getAsLong();
    if (lookBegan - lastLook > longestGapNanos) since = Map.of();
  }

  /**
   * For how long this row has stood like that. It counts from after the look that showed it first
   * to before the current one: never longer than it was really watched.
   */
  public Duration unchangedFor(Sighting row) {
    Long first = since.get(row);
    return first == null ? Duration.ZERO : Duration.ofNanos(lookBegan - first);
  }

  /** The look has ended, and showed these rows. */
  public void end(Collection<Sighting> rows) {
    long ended = nanoTime.getAsLong();
    Map<Sighting, Long> seen = new HashMap<>();
    for (Sighting row : rows) seen.put(row, since.getOrDefault(row, ended));
    since = seen;
    lastLook = ended;
  }

  /** The store did not answer: the watch starts anew. */
  public void failed() {
    since = Map.of();
  }
}
