package dev.tenure.workflow;

import java.util.Optional;

/** Thrown by users' code to say more than a message: a code for machines, and whether to retry. */
public final class WorkflowFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String code;
  private final boolean retryable;

  private WorkflowFailure(String code, String message, boolean retryable, Throwable cause) {
    super(message, cause);
    this.code = code;
    this.retryable = retryable;
  }

  /** No further attempt can help. */
  public static WorkflowFailure permanent(String code, String message) {
    return new WorkflowFailure(code, message, false, null);
  }

  public static WorkflowFailure permanent(String code, String message, Throwable cause) {
    return new WorkflowFailure(code, message, false, cause);
  }

  /** Another attempt may help, as far as the retry policy allows. */
  public static WorkflowFailure retryable(String code, String message) {
    return new WorkflowFailure(code, message, true, null);
  }

  public Optional<String> code() {
    return Optional.ofNullable(code);
  }

  public boolean isRetryable() {
    return retryable;
  }
}
