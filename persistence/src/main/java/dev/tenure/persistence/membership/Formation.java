package dev.tenure.persistence.membership;

import dev.tenure.persistence.lease.Holder;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * What a starting node does. It is decided under the store's lock, so two nodes never found two
 * clusters out of the same situation.
 */
public sealed interface Formation {
  /** Join the cluster of these nodes, those with the freshest sign of life and the oldest first. */
  record Join(long generation, List<String> nodes) implements Formation {}

  /**
   * No member gave a sign of life lately. That may be the store's fault and not theirs: go on
   * trying to reach them, for this much longer.
   */
  record Reach(long generation, List<String> nodes, Duration atMost) implements Formation {}

  /** Be the first node of a new cluster of this generation. */
  record Found(long generation, Reason reason) implements Formation {}

  /** Why a cluster may be founded. */
  enum Reason {
    /**
     * There is no other member: the store is empty, or all members left or came back as newcomers.
     */
    NO_OTHER_MEMBER,
    /** No member's row changed for as long as this node was watching. */
    ALL_SILENT,
    /** This process founded it before, and could not learn that it had. */
    ALREADY_FOUNDED
  }

  /**
   * A node founds a cluster only when there can be no other. Stored times alone never prove that:
   * an outage of the store makes all of them old at once, and clocks can be set. So a member counts
   * as gone only when its row did not change for a whole window while this node was watching, and
   * was trying to reach it.
   *
   * @param unchangedFor for how long this node has watched a row without seeing it change
   */
  static Formation decide(
      Roster roster, Holder self, Function<MemberRow, Duration> unchangedFor, Duration window) {
    if (roster.generation() > 0 && roster.hasMember(self)) {
      return new Found(roster.generation(), Reason.ALREADY_FOUNDED);
    }
    List<MemberRow> others = roster.membersBeside(self);
    if (others.isEmpty()) return new Found(roster.generation() + 1, Reason.NO_OTHER_MEMBER);
    Duration shortest =
        others.stream().map(unchangedFor).min(Comparator.naturalOrder()).orElseThrow();
    if (shortest.compareTo(window) >= 0) {
      return new Found(roster.generation() + 1, Reason.ALL_SILENT);
    }
    Comparator<MemberRow> freshFirst =
        Comparator.comparing((MemberRow row) -> !isFresh(row, roster.now(), window));
    List<String> nodes =
        others.stream()
            .sorted(freshFirst.thenComparing(MemberRow::startedAt))
            .map(row -> row.node().node())
            .toList();
    return others.stream().anyMatch(row -> isFresh(row, roster.now(), window))
        ? new Join(roster.generation(), nodes)
        : new Reach(roster.generation(), nodes, window.minus(shortest));
  }

  /** A sign of life from the future is none: the store's clock was set back since. */
  private static boolean isFresh(MemberRow row, Instant now, Duration window) {
    return Duration.between(row.heartbeatAt(), now).abs().compareTo(window) < 0;
  }
}
