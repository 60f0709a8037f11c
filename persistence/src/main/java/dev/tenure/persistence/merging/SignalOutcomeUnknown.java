package dev.tenure.persistence.merging;

/**
 * It is unknown whether the signal was accepted. The same signalId may be sent again and will be
 * stored once; without one, a retry may be a second signal.
 */
public final class SignalOutcomeUnknown extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public SignalOutcomeUnknown(Throwable cause) {
    super("the database did not say in time whether the signal was accepted", cause);
  }
}
