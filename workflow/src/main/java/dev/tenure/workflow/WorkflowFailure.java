package dev.tenure.workflow;

import java.util.Optional;

/** Thrown by users' code to say more than a message: a code for machines, and whether to retry. */
public final class WorkflowFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String code;
  private final boolean retryable;
  private final Failure.OutsideEffect outside;

  private WorkflowFailure(
      String code,
      String message,
      boolean retryable,
      Throwable cause,
      Failure.OutsideEffect outside) {
    super(message, cause);
    this.code = code;
    this.retryable = retryable;
    this.outside = outside;
  }

  private static WorkflowFailure of(
      String code, String message, boolean retryable, Throwable cause) {
    return new WorkflowFailure(code, message, retryable, cause, Failure.OutsideEffect.POSSIBLE);
  }

  /** No further attempt can help. */
  public static WorkflowFailure permanent(String code, String message) {
    return of(code, message, false, null);
  }

  public static WorkflowFailure permanent(String code, String message, Throwable cause) {
    return of(code, message, false, cause);
  }

  /** Another attempt may help, as far as the retry policy allows. */
  public static WorkflowFailure retryable(String code, String message) {
    return of(code, message, true, null);
  }

  /**
   * The same failure of an activity that is certain to have had no effect outside: what it calls
   * refused the request. A keyed activity's verifier is then not asked.
   */
  public WorkflowFailure withoutEffect() {
    WorkflowFailure same =
        new WorkflowFailure(code, getMessage(), retryable, getCause(), Failure.OutsideEffect.NONE);
    same.setStackTrace(getStackTrace());
    return same;
  }

  public Optional<String> code() {
    return Optional.ofNullable(code);
  }

  public boolean isRetryable() {
    return retryable;
  }

  /** What is known of the effect that the activity which threw this may have had outside. */
  public Failure.OutsideEffect outside() {
    return outside;
  }
}
