package dev.tenure.sharding.pool;

/** What a task is: each kind has a queue and a limit of its own. */
public enum TaskKind {
  /** A turn of an actor, or other work of the engine. Nothing of it blocks, so it has no limit. */
  ENGINE,
  /** Code of workflows, steps and activities: a part of a virtual thread between two waits. */
  CODE,
  /** What a caller does with the answer that it gets. */
  ANSWER
}
