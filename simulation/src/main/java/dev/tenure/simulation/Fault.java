package dev.tenure.simulation;

/** What goes wrong in the time of troubles, and how often: once in so many chances. */
enum Fault {
  COMMIT_LOST("a commit is not stored and its owner hears nothing", 40),
  COMMIT_UNHEARD("a commit is stored and its owner hears nothing", 30),
  PIPELINE_FULL("a node takes no commits for a while", 60),
  ANSWER_LATE("what the store answers arrives after other things", 6),
  ANSWER_NEVER("what the store answers never arrives", 60),
  JOURNAL_AWAY("the journal cannot be read", 40),
  INBOX_AWAY("an inbox cannot be read", 40),
  PAYLOAD_AWAY("a large payload cannot be read", 2),
  SNAPSHOT_AWAY("a snapshot is not kept, or cannot be read", 10),
  SNAPSHOT_DAMAGED("a snapshot is kept in other bytes", 10),
  SIGNAL_LOST("a signal is not accepted and its sender hears nothing", 20),
  SIGNAL_UNHEARD("a signal is accepted and its sender hears nothing", 20),
  MESSAGE_LOST("a message between nodes is lost", 25),
  MESSAGE_DOUBLED("a message between nodes arrives twice", 15),
  MESSAGE_LATE("a message between nodes is late", 12),
  STALE_HOLDER("a message goes to the node that had the shard before", 3),
  NODE_DIES("a node dies between two tasks", 5),
  NODE_DIES_OF_A_COMMIT("a node dies in a commit", 2),
  SHARD_MOVES("a shard moves and the old holder hears of it late", 3),
  SHARD_HANDED_OVER("a shard is handed over, and its holder gives it back", 12),
  DATABASE_CUT_OFF("a node loses its database, and nothing else", 25),
  BEATS_STALL("the beats of a node stand still, and the last answer comes late", 25),
  CLAIM_LATE("a claim is answered late, or never", 20),
  CLOCK_SET("somebody sets the clock of a machine", 10),
  RELEASE_LOST("a node gives a shard back, and the store does not hear it", 2),
  TASKS_AWAY("the tasks of queues cannot be read or written", 20),
  RECORDS_AWAY("the records of keyed calls cannot be read or written", 20),
  OUTCOME_LOST("a commit that says how a keyed call came out is not stored", 4),
  OUTCOME_FENCED("a shard moves before a commit that says how a keyed call came out", 5),
  WORKER_CUT_OFF("a worker does not reach its tasks for a while", 5),
  WORKER_DIES("a node dies when it reports how a task came out", 6),
  OLD_CODE("a node has the code of yesterday", 2);

  private final String what;
  private final int oneIn;

  Fault(String what, int oneIn) {
    this.what = what;
    this.oneIn = oneIn;
  }

  String what() {
    return what;
  }

  int oneIn() {
    return oneIn;
  }
}
