package dev.tenure.persistence.signal;

import java.util.List;

/** The storage cannot recognise a signal's retries without a race; nothing was stored. */
public final class SignalCapabilityError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private SignalCapabilityError(Class<?> storage, List<String> findings) {
    super(
        "a signal with a signalId needs conditionalBatch, and %s does not offer it%s. Use a PostgreSQL primary, or send without a signalId and expect that a retry is a second signal."
            .formatted(
                storage.getName(), findings.isEmpty() ? "" : ": " + String.join("; ", findings)));
  }

  /**
   * Called by every adapter before it looks at a batch. Reading first and writing then, as such a
   * storage would have to, lets two retries through at once.
   */
  public static void require(
      Class<?> storage, boolean conditionalBatch, List<String> findings, List<Signal> signals) {
    if (conditionalBatch) return;
    if (signals.stream().anyMatch(signal -> signal.identity() == Signal.Identity.GIVEN)) {
      throw new SignalCapabilityError(storage, findings);
    }
  }
}
