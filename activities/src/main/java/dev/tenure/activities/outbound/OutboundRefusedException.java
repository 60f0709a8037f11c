package dev.tenure.activities.outbound;

/** A URL is malformed, or leads to where the policy lets nobody connect to. */
public final class OutboundRefusedException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public OutboundRefusedException(String message) {
    super(message);
  }
}
