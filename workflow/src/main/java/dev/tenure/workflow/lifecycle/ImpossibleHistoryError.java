package dev.tenure.workflow.lifecycle;

/** Events in an order that no kernel decides: a damaged store, or a defect. */
public final class ImpossibleHistoryError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ImpossibleHistoryError(String message) {
    super(message);
  }
}
