package dev.tenure.workflow;

/** Something is larger than a named limit allows. Nothing was cut, nothing was stored. */
public final class LimitExceededException extends WorkflowException {
  private static final long serialVersionUID = 1L;

  private final String limit;

  public LimitExceededException(String limit, long value, long largest, String advice) {
    super("%d is past the limit %s = %d. %s".formatted(value, limit, largest, advice));
    this.limit = limit;
  }

  public String limit() {
    return limit;
  }
}
