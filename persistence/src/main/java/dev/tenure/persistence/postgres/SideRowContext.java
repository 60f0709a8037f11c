package dev.tenure.persistence.postgres;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.workflow.WorkflowId;
import java.util.List;
import java.util.Optional;

/**
 * What a side row takes over from its commit, and from the other rows of that.
 *
 * @param version of the commit; null when the rows go without one
 * @param link of its journal entry; null when that is not known
 * @param queued by how many signals the commit changes what waits in its workflow's inbox
 * @param closes whether it closes its workflow
 * @param startsClosed whether some commit of the same batch begins and closes a workflow in one
 * @param careful after a batch failed: then nothing is taken for granted that makes one fail.
 *     Whether signals can be accepted was looked at under the locks
 */
record SideRowContext(
    Long version, byte[] link, int queued, boolean closes, boolean startsClosed, boolean careful) {
  static SideRowContext of(Commit commit, boolean startsClosed, boolean careful) {
    byte[] link = commit.link().orElse(null);
    return of(commit.sideRows(), commit.id().version(), link, startsClosed, careful);
  }

  static SideRowContext withoutCommit(List<SideRow> rows) {
    return of(rows, null, null, false, true);
  }

  static boolean startsClosed(List<Commit> batch) {
    for (Commit commit : batch)
      for (SideRow row : commit.sideRows())
        if (row instanceof SideRow.WorkflowStarted start && start.row().closedAt().isPresent())
          return true;
    return false;
  }

  private static SideRowContext of(
      List<SideRow> rows, Long version, byte[] link, boolean startsClosed, boolean careful) {
    int queued = 0;
    boolean closes = false;
    for (SideRow row : rows) {
      if (row instanceof SideRow.SignalConsumed) queued--;
      if (row instanceof SideRow.SignalReturned) queued++;
      if (row instanceof SideRow.WorkflowChanged changed)
        closes |= changed.change().closedAt().isPresent();
    }
    return new SideRowContext(version, link, queued, closes, startsClosed, careful);
  }

  /**
   * The workflow whose inbox changes though the commit writes no row of it that would say so. A
   * commit that begins a run leaves nothing in the inbox.
   */
  Optional<WorkflowId> onlyQueued(List<SideRow> rows) {
    if (queued == 0) return Optional.empty();
    WorkflowId id = null;
    for (SideRow row : rows)
      switch (row) {
        case SideRow.WorkflowStarted w -> {
          return Optional.empty();
        }
        case SideRow.WorkflowStartedAgain w -> {
          return Optional.empty();
        }
        case SideRow.WorkflowChanged w -> {
          return Optional.empty();
        }
        case SideRow.SignalConsumed s -> id = s.workflow();
        case SideRow.SignalReturned s -> id = s.workflow();
        default -> {}
      }
    return Optional.ofNullable(id);
  }
}
