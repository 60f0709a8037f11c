package dev.tenure.simulation;

/** A bug that is planted on purpose, one at a time: whoever checks must find it. */
public enum Flaw {
  NONE("nothing is planted"),
  FENCE_IGNORED("the store takes commits of whoever lost the shard"),
  VERSION_UNCHECKED("the store writes a version twice"),
  ACKNOWLEDGED_BEFORE_STORED("what follows from a commit happens before the commit"),
  STALE_OWNER_GOES_ON("a fenced owner takes its commit for stored"),
  UNKNOWN_TAKEN_FOR_STORED("a commit nobody heard of is taken for stored"),
  EPOCH_NOT_RAISED("a shard changes hands under its old epoch"),
  ROW_NOT_WRITTEN("what lists and wake-ups know is not changed with the commit"),
  SIGNAL_NOT_CONSUMED("a signal stays in the inbox when it is received"),
  SIGNAL_ACCEPTED_TWICE("a repeated signal is taken for a new one"),
  SIGNALS_OUT_OF_ORDER("the newest signal is received first"),
  TIMER_EARLY("timers fire before their time"),
  COMPLETION_COUNTED_TWICE("what came out comes out again"),
  REDELIVERY_LOST("a new owner does not hand out again what was in flight"),
  LEDGER_DIGIT_RESET("a digit of a ledger is set back"),
  SEMAPHORE_LEAK("an obligation that is over stays counted"),
  CLOSED_UNRECORDED("the end of a job is not recorded"),
  CANCEL_LOST("a cancellation is acknowledged and not recorded"),
  COMPENSATED_TWICE("what is undone is undone again"),
  COMPENSATED_IN_ORDER("what was done first is undone first"),
  RESULT_CHANGED("another result is recorded than the step had"),
  GOES_ON_AFTER_THE_END("something is recorded behind the end"),
  ROW_WRONG("what lists know is not what the history says"),
  PAYLOAD_NOT_KEPT("a large payload is referred to and not stored"),
  PAYLOAD_MIXED_UP("a large payload is stored in the place of another"),
  FORK_REMEMBERS_WRONG("a fork has another past than the workflow it was made from"),
  MOVE_LOST("a move to another version is acknowledged and not recorded"),
  LOSSES_UNCOUNTED("nobody counts the nodes that a workflow takes down"),
  SUSPECTS_FOR_EVER("what made progress stays suspected");

  private final String what;

  Flaw(String what) {
    this.what = what;
  }

  public String what() {
    return what;
  }
}
