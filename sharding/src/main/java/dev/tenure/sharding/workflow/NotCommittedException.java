package dev.tenure.sharding.workflow;

/** A commit was refused, or nobody can say whether it stands: the store knows. */
final class NotCommittedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NotCommittedException(String why) {
    super(why, null, false, false);
  }
}
