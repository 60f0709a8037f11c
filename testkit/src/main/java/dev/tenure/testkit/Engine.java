package dev.tenure.testkit;

/** What a test runs on. */
public enum Engine {
  /** Everything in this process's memory, on a clock that moves when everything waits for it. */
  IN_MEMORY,

  /** A whole node over a PostgreSQL of its own; its days are as long as days are. */
  NODE
}
