package dev.tenure.client.worker;

/**
 * Thrown by an activity that is certain to have had no effect outside: its input was refused, or
 * the connection could not be made. A keyed call is then tried again without asking its verifier.
 */
public class NoEffectException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public NoEffectException(String message) {
    super(message);
  }

  public NoEffectException(String message, Throwable cause) {
    super(message, cause);
  }
}
