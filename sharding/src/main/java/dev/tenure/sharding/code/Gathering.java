package dev.tenure.sharding.code;

import java.util.ArrayList;
import java.util.List;

/**
 * One strand's wait for many results: it is woken for the last of them, and for each that failed.
 */
final class Gathering implements Slot.Waiter {
  private final Strand strand;
  private final List<? extends Slot<?>> slots;
  private final List<Slot<?>> suspects = new ArrayList<>();
  private int missing;

  Gathering(Strand strand, List<? extends Slot<?>> slots) {
    this.strand = strand;
    this.slots = slots;
    for (Slot<?> slot : slots) {
      if (!slot.done()) {
        missing++;
        slot.addWaiting(this);
      } else if (slot.mayHaveFailed()) suspects.add(slot);
    }
  }

  @Override
  public void done(Slot<?> slot) {
    missing--;
    if (slot.mayHaveFailed()) suspects.add(slot);
    if (missing == 0 || !suspects.isEmpty()) strand.stage.ready(strand);
  }

  /** Whether all are there; throws what the first that failed came to. */
  boolean isComplete() throws Throwable {
    for (Slot<?> suspect : List.copyOf(suspects)) suspect.result();
    suspects.clear();
    return missing == 0;
  }

  void leave() {
    for (Slot<?> slot : slots) slot.removeWaiting(this);
  }
}
