package dev.tenure.workflow;

/** What a start does when its id belongs to another start already. */
public enum StartPolicy {
  /** It is refused and changes nothing, whether the workflow runs or has ended. */
  REJECT_DUPLICATE,
  /**
   * It begins a new run when the workflow has ended, however it ended. It is refused while the
   * workflow runs, also while that is paused, blocked or has an incident.
   */
  ALLOW_IF_CLOSED,
  /** It ends the workflow if that still runs, in any state, and begins a new run. */
  TERMINATE_IF_RUNNING
}
