package dev.tenure.sharding.mailbox;

import dev.tenure.persistence.signal.Signal;
import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.sharding.message.IncomingSignal;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Makes signals, and notes which of them are put into the inbox; the inbox never answers. */
final class SignalsOfTest implements IncomingSignal.Port {
  static final WorkflowId ID = WorkflowId.of("w");

  /** The ids of the signals that were put into the inbox. */
  final List<String> handedIn = new ArrayList<>();

  IncomingSignal signal(String name, String id) {
    Signal signal = new Signal(ID, name, id, Signal.Identity.GIVEN, Payload.NONE);
    return new IncomingSignal(signal, this, new CompletableFuture<>());
  }

  @Override
  public CompletionStage<SignalResult> toInbox(Signal signal) {
    handedIn.add(signal.id());
    return new CompletableFuture<>();
  }

  @Override
  public void wake(Signal signal) {}

  @Override
  public void answer(Runnable answer) {
    answer.run();
  }

  @Override
  public Duration retention() {
    return Duration.ofDays(1);
  }

  @Override
  public void left(IncomingSignal signal) {}
}
