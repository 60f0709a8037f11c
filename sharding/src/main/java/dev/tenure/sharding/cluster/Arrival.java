package dev.tenure.sharding.cluster;

import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.membership.MemberRow;
import dev.tenure.persistence.membership.Roster;
import dev.tenure.persistence.membership.RowWatch;
import dev.tenure.persistence.membership.RowWatch.Sighting;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * What a node finds out before it announces itself: that no living process has its address, which
 * it would drive out, and that the living members and this node can reach each other at all. Rows
 * of the dead are told from those of the living by watching them. Used by one thread.
 */
final class Arrival {
  private static final int BEATS = 4;
  private static final Duration WATCH_MIN = Duration.ofSeconds(2);
  private static final Duration WATCH_MAX = Duration.ofSeconds(5);

  private final Holder self;
  private final Duration watchFor;
  private final RowWatch watch;
  private final Map<Holder, Long> seen = new HashMap<>();

  Arrival(Holder self, Duration beatEvery, LongSupplier nanoTime) {
    this.self = self;
    this.watchFor = watchFor(beatEvery);
    this.watch = new RowWatch(watchFor, nanoTime);
  }

  private static Duration watchFor(Duration beatEvery) {
    Duration beats = beatEvery.multipliedBy(BEATS);
    if (beats.compareTo(WATCH_MIN) < 0) return WATCH_MIN;
    return beats.compareTo(WATCH_MAX) > 0 ? WATCH_MAX : beats;
  }

  /** A look begins: the rows are read after this. */
  void begin() {
    watch.begin();
  }

  /** The store did not answer. */
  void failed() {
    watch.failed();
  }

  /**
   * Whether the node may announce itself; if not, it looks again soon.
   *
   * @throws AddressConflictError when a living process stands in the way
   */
  boolean mayAnnounce(Roster roster) {
    boolean clear = true;
    Set<Sighting> rows = new HashSet<>();
    for (MemberRow row : roster.rows()) {
      if (!isSameAddress(row) && !isMixed(row, roster)) continue;
      Sighting sighting = new Sighting(row.node(), row.beats());
      Long before = seen.put(row.node(), row.beats());
      if (before != null && before != row.beats()) throw conflict(row);
      clear &= watch.unchangedFor(sighting).compareTo(watchFor) >= 0;
      rows.add(sighting);
    }
    watch.end(rows);
    return clear;
  }

  private boolean isSameAddress(MemberRow row) {
    return row.node().node().equals(self.node()) && row.node().incarnation() != self.incarnation();
  }

  private boolean isMixed(MemberRow row, Roster roster) {
    return row.generation().orElse(0) == roster.generation()
        && isLoopback(row.node()) != isLoopback(self);
  }

  private AddressConflictError conflict(MemberRow row) {
    return isSameAddress(row)
        ? AddressConflictError.taken(self.node())
        : AddressConflictError.mixed(self.node(), row.node().node());
  }

  private static boolean isLoopback(Holder node) {
    String host = Arbiter.address(node.node()).getHost().orElse("");
    return host.startsWith("127.")
        || host.equals("localhost")
        || host.equals("::1")
        || host.equals("[::1]");
  }
}
