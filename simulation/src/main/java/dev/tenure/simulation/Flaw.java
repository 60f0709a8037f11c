package dev.tenure.simulation;

/** A bug that is planted on purpose, one at a time: the checkers must find it. */
public enum Flaw {
  NONE("nothing is planted", ""),
  FENCE_IGNORED("the store takes commits of an owner that lost the shard", "I16"),
  VERSION_UNCHECKED("the store writes a version twice", "I2"),
  ACKNOWLEDGED_BEFORE_STORED("what follows from a commit happens before the commit", "I7"),
  STALE_OWNER_GOES_ON("a fenced owner takes its commit for stored", "I7"),
  UNKNOWN_TAKEN_FOR_STORED("a commit without an answer is taken for stored", "I1"),
  EPOCH_NOT_RAISED("a shard changes hands under its old epoch", "I15"),
  ROW_NOT_WRITTEN("what lists and wake-ups know is not changed with the commit", "I8"),
  SIGNAL_NOT_CONSUMED("a signal stays in the inbox when it is received", "I13"),
  SIGNAL_ACCEPTED_TWICE("a repeated signal is taken for a new one", "I13"),
  SIGNAL_TAKEN_TWICE("a repeated signal is taken by the owner once more", "I13"),
  GIVEN_BACK_LOST("what one commit takes and gives back is stored nowhere", "I13"),
  INBOX_SAID_EMPTY("an end says that nothing is left in the inbox, although signals are", "I13"),
  SIGNALS_OUT_OF_ORDER("the newest signal is received first", "I14"),
  TIMED_OUT_UNREAD("a wait times out although its owner did not look into the inbox since", "I13"),
  TIMER_EARLY("timers fire before their time", "I17"),
  COMPLETION_COUNTED_TWICE("what came out comes out again", "ImpossibleHistoryError"),
  REDELIVERY_LOST("a new owner does not hand out again what was in flight", "I8"),
  LEDGER_DIGIT_RESET("a digit of a ledger is set back", "ImpossibleHistoryError"),
  SEMAPHORE_LEAK("an obligation that is over stays counted", "I10"),
  CLOSED_UNRECORDED("the end of a job is not recorded", "I11"),
  CANCEL_LOST("a cancellation is acknowledged and not recorded", "I9"),
  COMPENSATED_TWICE("what is undone is undone again", "I12"),
  COMPENSATED_IN_ORDER("what was done first is undone first", "I12"),
  RESULT_CHANGED("another result is recorded than the step had", "I6"),
  GOES_ON_AFTER_THE_END("something is recorded behind the end", "ImpossibleHistoryError"),
  ROW_WRONG("what lists know is not what the history says", "I3"),
  SNAPSHOT_BEHIND("a snapshot has the state of an earlier commit", "I3"),
  PAYLOAD_NOT_KEPT("a large payload is referred to and not stored", "MissingPayloadError"),
  PAYLOAD_MIXED_UP("a large payload is stored in the place of another", "MissingPayloadError"),
  FORK_REMEMBERS_WRONG("a fork has another past than the workflow it was made from", "I3"),
  MOVE_LOST("a move to another version is acknowledged and not recorded", "I1"),
  LOSSES_UNCOUNTED("the nodes that a workflow takes down are not counted", "I20"),
  SUSPECTS_FOR_EVER("a workflow that made progress stays suspected", "I20");

  private final String what;
  private final String name;

  /**
   * @param name the invariant that must name it; or the exception, where the kernel or the store
   *     refuses it themselves
   */
  Flaw(String what, String name) {
    this.what = what;
    this.name = name;
  }

  boolean isNamedBy(Throwable violation) {
    return Found.name(violation).equals(name);
  }

  public String what() {
    return what;
  }
}
