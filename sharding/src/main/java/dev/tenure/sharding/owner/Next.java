package dev.tenure.sharding.owner;

import dev.tenure.persistence.entry.JournalEntry;
import java.util.function.Supplier;

/** What a decider wants the owner to do next. */
public sealed interface Next {
  Next NOTHING = new Nothing();
  Next CARRY_OVER = new CarryOver();
  Next LEAVE = new Leave();

  /** The decider waits: for a message, or for the workflow's code. */
  record Nothing() implements Next {}

  /**
   * Write this commit.
   *
   * @param progress whether it records more than that work was handed out again
   * @param perform runs when the commit stands, and only then (I7)
   */
  record Commit(JournalEntry entry, boolean progress, Supplier<Next> perform) implements Next {}

  /** The commit that stands began another run; the decider for that is asked to begin. */
  record CarryOver() implements Next {}

  /** The memory of the owner is void: it begins anew from the journal. */
  record Restart(String why) implements Next {}

  /** The store cannot be read now: the owner begins anew after a pause. */
  record Pause(String why) implements Next {}

  /** The workflow can leave the memory. */
  record Leave() implements Next {}

  /** The decider threw an exception. */
  record Failed(RuntimeException why) implements Next {}
}
