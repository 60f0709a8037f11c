package dev.tenure.persistence.membership;

import dev.tenure.persistence.lease.Holder;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
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
  private final RowWatch watch;

  /**
   * @param window for how long a member must be silent before it counts as gone
   * @param nanoTime this process's monotonic clock
   */
  public Newcomer(Members members, Holder self, Duration window, LongSupplier nanoTime) {
    this.members = members;
    this.self = self;
    this.window = window;
    this.watch = new RowWatch(window.dividedBy(2), nanoTime);
  }

  /** Looks once. To be called several times in a window until it has been taken in or founded. */
  public Formation look() {
    watch.begin();
    Set<RowWatch.Sighting> seen = new HashSet<>();
    Formation formation;
    try {
      formation =
          members.seek(
              self,
              roster -> {
                roster.rows().forEach(row -> seen.add(sighting(row)));
                return Formation.decide(
                    roster, self, row -> watch.unchangedFor(sighting(row)), window);
              });
    } catch (RuntimeException e) {
      watch.failed();
      throw e;
    }
    watch.end(seen);
    return formation;
  }

  private static RowWatch.Sighting sighting(MemberRow row) {
    return new RowWatch.Sighting(row.node(), row.beats());
  }
}
