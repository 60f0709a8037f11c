package dev.tenure.persistence.merging;

import dev.tenure.persistence.signal.Signal;
import dev.tenure.persistence.signal.SignalCapabilityError;
import dev.tenure.persistence.signal.SignalResult;
import java.util.concurrent.CompletionStage;

/** Where signals are taken in. */
@FunctionalInterface
public interface SignalIntake {
  /**
   * Hands a signal in; never blocks. Completes with what became of it, or exceptionally: with
   * {@link SignalQueueFullError} or {@link SignalCapabilityError} when it was certainly not stored,
   * with {@link SignalOutcomeUnknown} when the database did not say whether it was stored.
   */
  CompletionStage<SignalResult> submit(Signal signal);
}
