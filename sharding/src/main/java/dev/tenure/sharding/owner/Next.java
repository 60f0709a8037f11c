package dev.tenure.sharding.owner;

import dev.tenure.persistence.entry.JournalEntry;
import java.util.function.Supplier;

/** What a decider wants to happen now. */
public sealed interface Next {
  Next NOTHING = new Nothing();
  Next CARRY_OVER = new CarryOver();
  Next LEAVE = new Leave();

  /** The decider waits: for a message, or for the workflow's code. */
  record Nothing() implements Next {}

  /**
   * The step is to be committed.
   *
   * @param progress whether it says more than that work was handed out again
   * @param perform what follows when the commit stands, and only then (I7)
   */
  record Commit(JournalEntry entry, boolean progress, Supplier<Next> perform) implements Next {}

  /** The commit that stands began another run; the decider for that is asked to begin. */
  record CarryOver() implements Next {}

  /** What is in memory is of no use any more: the owner begins anew from the journal. */
  record Restart(String why) implements Next {}

  /** Something cannot be read now: the owner begins anew after a pause. */
  record Pause(String why) implements Next {}

  /** Nothing is left to do in memory. */
  record Leave() implements Next {}

  /** The decider threw an exception. */
  record Failed(RuntimeException why) implements Next {}
}
