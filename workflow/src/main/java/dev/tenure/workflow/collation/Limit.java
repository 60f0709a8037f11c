package dev.tenure.workflow.collation;

/** The ceilings of the integers (I9). The value named is the largest that is allowed. */
public enum Limit {
  LEG1_ATTEMPTS(99, "Find out why its Leg1 never commits, then repair or cancel the activity."),
  LEG2_ENTRIES(99_999_999, "Start a new job for what follows: this activity has no ordinal left."),
  OPEN_OBLIGATIONS(
      999_999_999_999_999L, "Spawn fewer children at once, or split them over several jobs.");

  private final long largest;
  private final String advice;

  Limit(long largest, String advice) {
    this.largest = largest;
    this.advice = advice;
  }

  public long largest() {
    return largest;
  }

  String advice() {
    return advice;
  }
}
