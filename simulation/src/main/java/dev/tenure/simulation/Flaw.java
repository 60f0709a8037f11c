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
  BEAT_COUNTED_FROM_ITS_ANSWER("a node believes in its leases from the answer of a beat on", "I15"),
  MACHINES_CLOCK_TRUSTED("a node takes the time of its machine for the store's", "I17"),
  LEASE_TRUSTED_TOO_LONG("a node believes in its leases for longer than the store", "I15"),
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
  SUSPECTS_FOR_EVER("a workflow that made progress stays suspected", "I20"),
  CLAIM_NOT_WRITTEN("a keyed call goes out without its claim", "I6"),
  PROOF_TAKEN_AS_GIVEN("a new owner has keyed calls run as if nothing went out before", "I6"),
  LATE_EFFECT_NOT_KEPT("what a call did whose owner is over is not recorded", "I6"),
  NOT_COMPLETED_ASSUMED("the verifier is taken to say that there was no effect", "I6"),
  COMPLETED_RECORD_UNSEEN("the record of a call that came out is read as one under way", "I6"),
  UNPROVEN_FAILURE_SHOWN("a failure that may be a success counts as any other", "I6"),
  TASK_HANDED_OUT_TWICE("two workers get the same task", "I6"),
  LOST_TASK_OFFERED_AGAIN("the task of a lost worker is handed out again without proof", "I6"),
  UNTAKEN_OUTCOME_FORGOTTEN("nothing makes the workflow of an outcome due that nobody takes", "I8"),
  TASK_NOT_REMOVED("the task of a call that is over stays in its queue", "I6"),
  RECORDED_FOR_OTHER_RUN("a result is recorded for another run", "I6"),
  RESOURCE_NOT_LOOKED_AT("a new owner does not look up what calls made", "I6"),
  LEFT_CALL_NOT_SETTLED("the record of a call that its run leaves open stays as it is", "I6"),
  CONCLUSION_LOST("what a person says of a call is acknowledged and not recorded", "I6");

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
