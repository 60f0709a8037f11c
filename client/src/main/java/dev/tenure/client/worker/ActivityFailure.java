package dev.tenure.client.worker;

import java.util.Optional;

/** A failure of an activity that says of itself what the engine has to know. */
public final class ActivityFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The engine's own types of failures begin with it. */
  private static final String RESERVED = "tenure.";

  private final String type;
  private final boolean retryable;
  private final Optional<String> code;
  private final boolean noEffect;

  private ActivityFailure(
      String type,
      String message,
      boolean retryable,
      Optional<String> code,
      boolean noEffect,
      Throwable cause) {
    super(message, cause);
    if (type.isEmpty() || type.startsWith(RESERVED))
      throw new IllegalArgumentException(
          "\"%s\" is no type of a failure: use a word that does not begin with %s"
              .formatted(type, RESERVED));
    this.type = type;
    this.retryable = retryable;
    this.code = code;
    this.noEffect = noEffect;
  }

  /**
   * Another attempt could help.
   *
   * @param type a word that a retry policy may know
   */
  public static ActivityFailure retryable(String type, String message) {
    return new ActivityFailure(type, message, true, Optional.empty(), false, null);
  }

  /** No further attempt could help. */
  public static ActivityFailure permanent(String type, String message) {
    return new ActivityFailure(type, message, false, Optional.empty(), false, null);
  }

  /** With a word for machines. */
  public ActivityFailure withCode(String word) {
    return new ActivityFailure(
        type, getMessage(), retryable, Optional.of(word), noEffect, getCause());
  }

  /** It is certain that nothing was done outside. */
  public ActivityFailure withoutEffect() {
    return new ActivityFailure(type, getMessage(), retryable, code, true, getCause());
  }

  public ActivityFailure causedBy(Throwable cause) {
    return new ActivityFailure(type, getMessage(), retryable, code, noEffect, cause);
  }

  public String type() {
    return type;
  }

  public boolean isRetryable() {
    return retryable;
  }

  public Optional<String> code() {
    return code;
  }

  /** Whether it is certain that nothing was done outside. */
  public boolean hadNoEffect() {
    return noEffect;
  }
}
