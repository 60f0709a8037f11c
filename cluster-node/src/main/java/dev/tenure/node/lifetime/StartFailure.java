package dev.tenure.node.lifetime;

/** The process cannot start for a reason that its operator can mend; the message says how. */
public final class StartFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StartFailure(String message) {
    super(message);
  }

  public StartFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
