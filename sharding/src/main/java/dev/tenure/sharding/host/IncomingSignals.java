package dev.tenure.sharding.host;

import dev.tenure.persistence.merging.SignalIntake;
import dev.tenure.persistence.signal.InvalidSignalError;
import dev.tenure.persistence.signal.Signal;
import dev.tenure.persistence.signal.SignalRequest;
import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.sharding.message.IncomingSignal;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.message.WorkflowTransport;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Where signals come in on a node. One for a workflow in its memory is handed to the owner, which
 * may take it with the next commit; all others are put into the inbox.
 */
public final class IncomingSignals implements IncomingSignal.Ways {
  private final Residents residents;
  private final WorkflowTransport post;
  private final SignalIntake inbox;
  private final boolean mayTake;
  private final Duration retention;
  private final Supplier<String> freshIds;
  private final Futures futures;
  private final Executor answers;

  /**
   * @param mayTake whether the storage can refuse a commit that takes a signal it must not take
   * @param retention how long answers are kept for retries
   * @param answers where what follows an answer runs: never on an owner's thread, which it may hold
   */
  IncomingSignals(
      Residents residents,
      WorkflowTransport post,
      SignalIntake inbox,
      boolean mayTake,
      Duration retention,
      Supplier<String> freshIds,
      Futures futures,
      Executor answers) {
    this.residents = residents;
    this.post = post;
    this.inbox = inbox;
    this.mayTake = mayTake;
    this.retention = retention;
    this.freshIds = freshIds;
    this.futures = futures;
    this.answers = answers;
  }

  /**
   * Hands a signal in, and sees to it that its workflow learns of it. Completes as {@link
   * SignalIntake#submit}.
   */
  public CompletionStage<SignalResult> submit(SignalRequest request) {
    Signal signal;
    try {
      signal = request.toSignal(freshIds);
    } catch (InvalidSignalError e) {
      return CompletableFuture.completedStage(new SignalResult.InvalidSignal(e.getMessage()));
    }
    IncomingSignal incoming = new IncomingSignal(signal, this, futures.make());
    boolean handed = mayTake && residents.signal(signal.workflowId(), incoming);
    if (!handed) incoming.toInbox();
    return incoming.answer();
  }

  @Override
  public Duration retention() {
    return retention;
  }

  @Override
  public CompletionStage<SignalResult> toInbox(Signal signal) {
    return inbox.submit(signal);
  }

  /** Without this the next scan finds it. */
  @Override
  public void wake(Signal signal) {
    post.tell(signal.workflowId(), Message.WakeUp.WAKE_UP);
  }

  @Override
  public void answer(Runnable answer) {
    answers.execute(answer);
  }
}
