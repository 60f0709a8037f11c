package dev.tenure.workflow.owner;

/** The inputs of an owner. */
public enum OwnerInput {
  /** A message has arrived, from a client, another workflow or within the node. */
  MESSAGE,

  // --- the results of taking the workflow up

  /** This node does not hold the shard any more. */
  NO_TENURE,

  /** Its decider failed again and again, even when it only had to raise an incident. */
  BEYOND_HELP,

  /** The workflow is taken for new: there is no history to read. */
  FRESH,

  /** The next commit of the history was read. */
  COMMIT_READ,

  /** A snapshot was read, which stands for the commits before its own. */
  SNAPSHOT_READ,

  /** The history is complete. */
  HISTORY_READ,

  /** The history could not be read now. */
  HISTORY_UNREACHABLE,

  /** The stored history is damaged. */
  HISTORY_DAMAGED,

  // --- what the decider wants

  /** The decider has decided something that has to be committed. */
  WANTS_COMMIT,

  /** The decider's memory is void; the journal has to be read again. */
  WANTS_RESTART,

  /** The decider needs data that cannot be read now. */
  WANTS_PAUSE,

  /** The decider has nothing left to do: the workflow may leave the memory. */
  WANTS_TO_LEAVE,

  /** The last commit began another run of the workflow. */
  RUN_FOLLOWS,

  /** The decider threw an exception. */
  FAILED,

  // --- what the journal answers

  /** The commit stands. */
  COMMIT_STANDS,

  /** The commit certainly does not stand. */
  COMMIT_REFUSED,

  /** It is unknown whether the commit stands. */
  COMMIT_UNCERTAIN,

  /** The journal has said nothing for too long, of a read or of a commit. */
  JOURNAL_SILENT,

  // --- time, people and the cluster

  /** The pause is over. */
  PAUSE_OVER,

  /** A person says that the history was restored. */
  RESTORED,

  /** The shard moves, or the owner was allowed to leave. */
  STOP,

  /** The actor of the owner has ended already, so the owner waits for no commit. */
  KILLED
}
