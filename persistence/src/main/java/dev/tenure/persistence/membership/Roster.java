package dev.tenure.persistence.membership;

import dev.tenure.persistence.format.FormatFloor;
import dev.tenure.persistence.lease.Holder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * All announced nodes at one moment.
 *
 * @param generation the newest cluster that was ever founded on this store, 0 when none was
 * @param now the store's clock, which wrote the rows' times
 * @param floor the level of formats that every engine on the store must read
 */
public record Roster(long generation, List<MemberRow> rows, Instant now, FormatFloor floor) {
  private static final Duration GAVE_UP = Duration.ofHours(1);

  public Roster {
    rows = List.copyOf(rows);
  }

  /** Of a store in which nothing newer than the first level stands. */
  public Roster(long generation, List<MemberRow> rows, Instant now) {
    this(generation, rows, now, FormatFloor.FIRST);
  }

  /** Whether the floor may rise to a level: every announced node reads it. */
  public boolean allRead(int level) {
    return rows.stream().allMatch(row -> row.reads() >= level || gaveUp(row));
  }

  /** A newcomer that has been silent for long has to announce itself again before it gets in. */
  private boolean gaveUp(MemberRow row) {
    return row.generation().isEmpty()
        && Duration.between(row.heartbeatAt(), now).compareTo(GAVE_UP) > 0;
  }

  /** The members of the cluster that may run. */
  public List<MemberRow> members() {
    return rows.stream()
        .filter(row -> row.generation().orElse(0) == generation && generation > 0)
        .toList();
  }

  /** Those of them that are other nodes than this one. */
  public List<MemberRow> membersBeside(Holder self) {
    return members().stream()
        // The process that had this node's address is gone: this node has bound its port.
        .filter(row -> !row.node().node().equals(self.node()))
        .toList();
  }

  /** True when this very process is already recorded as a member of the newest cluster. */
  public boolean hasMember(Holder self) {
    return rows.stream()
        .anyMatch(row -> row.node().equals(self) && row.generation().orElse(0) == generation);
  }
}
