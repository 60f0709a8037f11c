package dev.tenure.persistence.membership;

import dev.tenure.persistence.lease.Holder;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * A node that looks for its cluster, and remembers since when it has seen each row unchanged. Its
 * memory starts anew whenever it could not look for a while: in that time the others could not beat
 * either. Used by one thread.
 */
public final class Newcomer {
  private final Members members;
  private final Holder self;
  private final Duration window;
  private final long longestGapNanos;
  private final LongSupplier nanoTime;

  private Map<Sighting, Long> since = Map.of();
  private long lastLook;

  /** What makes a row the same row: a living node changes it at every beat. */
  private record Sighting(Holder node, long beats) {}

  /**
   * @param window for how long a member must be silent before it counts as gone
   * @param nanoTime this process's monotonic clock
   */
  public Newcomer(Members members, Holder self, Duration window, LongSupplier nanoTime) {
    this.members = members;
    this.self = self;
    this.window = window;
    this.longestGapNanos = window.dividedBy(2).toNanos();
    this.nanoTime = nanoTime;
  }

  /** Looks once. To be called several times in a window until it has been taken in or founded. */
  public Formation look() {
    long started = nanoTime.getAsLong();
    if (started - lastLook > longestGapNanos) since = Map.of();
    Map<Sighting, Long> seen = new HashMap<>();
    Formation formation;
    try {
      formation =
          members.seek(
              self,
              roster -> {
                // A row counts from after the look that showed it, to before this one: never longer
                // than it was really watched.
                roster.rows().forEach(row -> seen.put(sighting(row), null));
                return Formation.decide(roster, self, row -> unchangedFor(row, started), window);
              });
    } catch (RuntimeException e) {
      since = Map.of();
      throw e;
    }
    long ended = nanoTime.getAsLong();
    seen.replaceAll((sighting, none) -> since.getOrDefault(sighting, ended));
    since = seen;
    lastLook = ended;
    return formation;
  }

  private Duration unchangedFor(MemberRow row, long now) {
    Long first = since.get(sighting(row));
    return first == null ? Duration.ZERO : Duration.ofNanos(now - first);
  }

  private static Sighting sighting(MemberRow row) {
    return new Sighting(row.node(), row.beats());
  }
}
