package dev.tenure.sharding.workflow;

import dev.tenure.persistence.step.Step;

/** What an owner wants its actor to do now. */
sealed interface Next {
  Next NOTHING = new Nothing();
  Next STOP = new Stop();

  record Nothing() implements Next {}

  /** Commit this, and then, only if it stands, go on. */
  record Commit(Step step, Runnable then) implements Next {}

  record Stop() implements Next {}
}
