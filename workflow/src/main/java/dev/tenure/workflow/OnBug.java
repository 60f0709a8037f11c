package dev.tenure.workflow;

/**
 * What becomes of a run whose own code has a bug: it throws an exception that is not meant as a
 * failure.
 */
public enum OnBug {
  /** It stands still as an incident, and goes on from its last record when the code is mended. */
  INCIDENT,
  /** It fails, as with a failure that the code threw on purpose. */
  FAIL
}
