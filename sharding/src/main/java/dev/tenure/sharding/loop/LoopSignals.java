package dev.tenure.sharding.loop;

import dev.tenure.persistence.merging.SignalIntake;
import dev.tenure.persistence.signal.Signal;
import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.persistence.storage.StorageException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Has the store accept the signals that were sent to a {@link LoopNode}. */
record LoopSignals(LoopNode node) implements SignalIntake {
  private static final Duration RETRY_PAUSE = Duration.ofMillis(200);

  @Override
  public CompletionStage<SignalResult> submit(Signal signal) {
    CompletableFuture<SignalResult> answer = node.around.future();
    node.soon("signal " + signal.name(), () -> accept(signal, answer));
    return answer;
  }

  private void accept(Signal signal, CompletableFuture<SignalResult> answer) {
    SignalResult result;
    try {
      Duration retention = node.host.settings.signals().retention();
      result = node.storage.signals().accept(List.of(signal), retention).getFirst();
    } catch (StorageException.Refused e) {
      result = new SignalResult.InvalidSignal(e.getMessage());
    } catch (StorageException e) {
      // It is unknown whether the signal was stored. Sending it again is safe: if it was stored,
      // the // second is a duplicate.
      node.after(RETRY_PAUSE, "signal " + signal.name(), () -> accept(signal, answer));
      return;
    }
    SignalResult accepted = result;
    node.answers(
        "signal " + signal.name(), () -> answer.complete(accepted), () -> accept(signal, answer));
  }
}
