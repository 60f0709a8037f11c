package dev.tenure.workflow;

/** What becomes of a child that still runs when its parent ends, however it ends. */
public enum ParentClosePolicy {
  /** It is ended at once, without a word to its code. */
  TERMINATE,
  /** It is asked to cancel, and may clean up. */
  CANCEL,
  /** It goes on by itself. */
  ABANDON
}
