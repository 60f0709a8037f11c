package dev.tenure.persistence.membership;

import dev.tenure.persistence.lease.Holder;
import java.time.Instant;
import java.util.List;

/**
 * All announced nodes at one moment.
 *
 * @param generation the newest cluster that was ever founded on this store, 0 when none was
 * @param now the store's clock, which wrote the rows' times
 */
public record Roster(long generation, List<MemberRow> rows, Instant now) {
  public Roster {
    rows = List.copyOf(rows);
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
