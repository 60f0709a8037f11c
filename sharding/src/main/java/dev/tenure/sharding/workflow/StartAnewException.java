package dev.tenure.sharding.workflow;

/** What the owner has in memory is of no use any more: it starts again from the history. */
final class StartAnewException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StartAnewException(String why) {
    super(why, null, false, false);
  }
}
