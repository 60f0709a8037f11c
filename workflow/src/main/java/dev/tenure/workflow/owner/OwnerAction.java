package dev.tenure.workflow.owner;

/** What the owner does about an input. */
enum OwnerAction {
  /** Does nothing: the owner knows this already. */
  IGNORE,

  /** Puts the message behind those that wait. */
  KEEP,

  /** Hands the message to the decider. */
  TAKE_UP,

  /** Hands the message to the stand-in. */
  STAND_IN,

  /** Gives the message back: answers its sender, or sends it on to the next owner. */
  HAND_ON,

  /** Adds the commit to the state. */
  FOLD,

  /** Takes the snapshot's state for that of its commit. */
  RESTORE,

  /** The history is complete: the decider begins, and takes up what waits. */
  BEGIN,

  /** There is no history: the decider waits for the message that starts the workflow. */
  AWAIT_START,

  /** Hands the commit to the journal. */
  WRITE,

  /** Performs the effects of the commit, and takes up waiting messages. */
  PERFORM,

  /** Performs the effects of the commit, and ends. */
  PERFORM_LAST,

  /** Goes on with the next run, which the last commit began, without reading the history. */
  CARRY_OVER,

  /** Reads the history again, under the tenure that the node has now. */
  RECOVER,

  /** Gives up the decider, and begins anew after a pause. */
  PAUSE,

  /** As {@link #PAUSE}, and counts the failure: several in a row become an incident. */
  FAIL,

  /** Records the failure; the state stays. */
  NOTE_FAILURE,

  /** Has a stand-in answer for a workflow that cannot be owned. */
  STAND_FOR,

  /** Asks to be stopped without losing a message. */
  ASK_TO_LEAVE,

  /** Gives up the decider, gives all messages back, and asks to be stopped. */
  LET_GO,

  /** Stops as soon as the journal has answered. */
  AWAIT_COMMIT,

  /** Ends: gives up the decider, and gives all messages back. */
  END,

  /** Cannot happen, for the reason in the table. */
  IMPOSSIBLE
}
