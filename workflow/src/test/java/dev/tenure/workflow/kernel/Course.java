package dev.tenure.workflow.kernel;

/** What befalls the owners. */
enum Course {
  /** Failures, losses, repetitions, owners that die at any time. */
  FAULTY,
  /** Nothing. */
  CALM,
  /** Nothing, but that every owner dies right after each of its commits. */
  RESTARTING
}
