package dev.tenure.persistence.commit;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What every storage asks of a batch before it looks at it. */
public final class Batch {
  private Batch() {}

  /** A workflow's second commit is judged against the first one's row, so it must see it. */
  public static void requireOnePerPersistenceId(List<Commit> batch) {
    Set<String> seen = HashSet.newHashSet(batch.size());
    for (Commit commit : batch) {
      if (!seen.add(commit.id().persistenceId())) {
        throw new IllegalArgumentException(
            commit.id().persistenceId() + " is twice in one batch: the second must wait its turn");
      }
    }
  }

  /** Whether some commit of it claims a keyed call: that needs a storage which compares. */
  public static boolean claimsCalls(List<Commit> batch) {
    for (Commit commit : batch)
      for (SideRow row : commit.sideRows()) if (row instanceof SideRow.ActivityClaimed) return true;
    return false;
  }
}
