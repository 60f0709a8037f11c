package dev.tenure.sharding.branch;

import java.util.ArrayList;
import java.util.List;

/**
 * One strand's wait for many results: it is woken for the last of them, and for each that failed.
 */
final class AllOfWaiter implements PendingResult.Waiter {
  private final WorkflowThread strand;
  private final List<? extends PendingResult<?>> slots;
  private final List<PendingResult<?>> suspects = new ArrayList<>();
  private int missing;

  AllOfWaiter(WorkflowThread strand, List<? extends PendingResult<?>> slots) {
    this.strand = strand;
    this.slots = slots;
    for (PendingResult<?> slot : slots) {
      if (!slot.done()) {
        missing++;
        slot.addWaiting(this);
      } else if (slot.mayHaveFailed()) suspects.add(slot);
    }
  }

  @Override
  public void done(PendingResult<?> slot) {
    missing--;
    if (slot.mayHaveFailed()) suspects.add(slot);
    if (missing == 0 || !suspects.isEmpty()) strand.stage.ready(strand);
  }

  /** Whether all are there; throws what the first that failed came to. */
  boolean isComplete() throws Throwable {
    for (PendingResult<?> suspect : List.copyOf(suspects)) suspect.result();
    suspects.clear();
    return missing == 0;
  }

  void leave() {
    for (PendingResult<?> slot : slots) slot.removeWaiting(this);
  }
}
