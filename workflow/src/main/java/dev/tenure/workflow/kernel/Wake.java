package dev.tenure.workflow.kernel;

import java.time.Instant;

/** When a workflow must be in memory again if it is not: what its row says in {@code wake_at}. */
public sealed interface Wake {
  Wake NOW = new Now();
  Wake NEVER = new Never();

  /** Something is in flight: the owner must keep the workflow in memory. */
  record Now() implements Wake {}

  /** Nothing before that instant, unless a message comes. */
  record At(Instant instant) implements Wake {}

  /** Only a message can let the workflow go on. */
  record Never() implements Wake {}
}
