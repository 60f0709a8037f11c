package dev.tenure.workflow.owner;

/** The states of an owner. */
public enum OwnerState {
  /** The history is being read; messages are kept. */
  RECOVERING,

  /** The owner takes up one message after the other, alone or with the workflow's code. */
  READY,

  /** The journal has a commit and did not answer yet; messages are kept. */
  COMMITTING,

  /** As {@link #COMMITTING}, and the owner stops as soon as the journal has answered. */
  STOPPING,

  /** The decider was given up. The owner begins anew after a pause; messages are kept. */
  PAUSING,

  /** The workflow cannot be owned, because its history cannot be read; a stand-in answers. */
  UNREADABLE,

  /**
   * The decider was given up, and the owner waits to be stopped; messages are for the next owner.
   * The owner must not end by itself: messages on their way to it would be lost.
   */
  LEAVING,

  /** The owner has stopped; messages are for the next owner. */
  STOPPED
}
