package dev.tenure.workflow;

/** What becomes of a run whose own code throws what nobody expected. */
public enum OnBug {
  /** It stands still as an incident, and goes on from its last record when the code is mended. */
  INCIDENT,
  /** It fails, as with a failure that the code threw on purpose. */
  FAIL
}
