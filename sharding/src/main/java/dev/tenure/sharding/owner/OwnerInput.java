package dev.tenure.sharding.owner;

/** What can happen to an owner. */
public enum OwnerInput {
  /** A message has arrived, from another or from within the node. */
  MESSAGE,

  // --- what taking the workflow up comes to

  /** This node does not hold the shard any more. */
  NO_TENURE,

  /** Its decider failed again and again, also where it only had to raise an incident. */
  BEYOND_HELP,

  /** The workflow is taken for new: there is no history to read. */
  FRESH,

  /** The next commit of the history was read. */
  STEP_READ,

  /** A snapshot was read, which stands for the commits before its own. */
  SNAPSHOT_READ,

  /** The history is complete. */
  HISTORY_READ,

  /** The history could not be read now. */
  HISTORY_UNREACHABLE,

  /** What is stored is wrong. */
  HISTORY_DAMAGED,

  // --- what the decider wants

  /** It has decided something that is to be committed. */
  WANTS_COMMIT,

  /** What it has in memory is of no use any more; the journal is to be read again. */
  WANTS_RESTART,

  /** It needs something that cannot be read now. */
  WANTS_PAUSE,

  /** Nothing is left to do: the workflow may leave the memory. */
  WANTS_TO_LEAVE,

  /** The last commit began another run of the workflow. */
  RUN_FOLLOWS,

  /** It threw an exception. */
  FAILED,

  // --- what the journal answers

  /** The commit stands. */
  COMMIT_STANDS,

  /** The commit certainly does not stand. */
  COMMIT_REFUSED,

  /** Nobody can say whether the commit stands. */
  COMMIT_UNCERTAIN,

  /** The journal has said nothing for too long, of a read or of a commit. */
  JOURNAL_SILENT,

  // --- time and other people

  /** The pause is over. */
  PAUSE_OVER,

  /** A person says that the history was restored. */
  RESTORED,

  /** The shard moves, or the owner was allowed to leave. */
  STOP,

  /** What carries the owner has ended already: no commit is waited for. */
  KILLED
}
