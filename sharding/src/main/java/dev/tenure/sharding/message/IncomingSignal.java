package dev.tenure.sharding.message;

import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.merging.SignalIntake;
import dev.tenure.persistence.merging.SignalOutcomeUnknown;
import dev.tenure.persistence.signal.PendingSignal;
import dev.tenure.persistence.signal.Signal;
import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * A signal that a workflow's owner was handed, with its sender, who is answered once. Unless the
 * owner knows of a commit that took the signal, the signal is put into the inbox. If such a commit
 * stands all the same, the inbox finds that the signal was accepted.
 */
public final class IncomingSignal implements ReplyTo {
  /** What the signal needs of the node that received it. */
  public interface Port {
    /** Puts the signal into the inbox; completes as {@link SignalIntake#submit}. */
    CompletionStage<SignalResult> toInbox(Signal signal);

    /** Tells the workflow that a signal was accepted for it. */
    void wake(Signal signal);

    /** Runs the sender's code for an answer: never on an owner's thread, which it may block. */
    void answer(Runnable answer);

    /** How long the answer is kept for retries. */
    Duration retention();

    /** The owner has no more to do with the signal. */
    void left(IncomingSignal signal);
  }

  private enum State {
    /** The owner has not taken it up. */
    WAITS,
    /** The owner took it up, and will answer it. */
    TAKEN,
    /** Answered, or handed to the inbox. */
    LEFT
  }

  private final Signal signal;
  private final Port port;
  private final CompletableFuture<SignalResult> answer;
  private final AtomicReference<State> state = new AtomicReference<>(State.WAITS);

  /**
   * The row of the commit that takes the signal; null while there is none. Used by the owner's
   * thread.
   */
  private SideRow.SignalTaken taken;

  private Runnable release = () -> {};

  /** The position that the owner chose for it. */
  private long position;

  public IncomingSignal(Signal signal, Port port, CompletableFuture<SignalResult> answer) {
    this.signal = signal;
    this.port = port;
    this.answer = answer;
  }

  public Signal signal() {
    return signal;
  }

  public CompletionStage<SignalResult> answer() {
    return answer;
  }

  /**
   * The signal for the command that takes it.
   *
   * @param released called when the owner has no more to do with the signal
   */
  public Command.Arrival at(long chosen, Runnable released) {
    position = chosen;
    release = released;
    return new Command.Arrival(signal.name(), chosen, signal.id(), signal.content());
  }

  public long position() {
    return position;
  }

  public boolean is(Command.Arrival arrival) {
    return arrival.position() == position && arrival.signal().equals(signal.name());
  }

  /**
   * The owner takes the signal up: from now on only the owner may answer it. False when it was put
   * into the inbox before.
   */
  public boolean take() {
    return state.compareAndSet(State.WAITS, State.TAKEN) || state.get() == State.TAKEN;
  }

  /** The row with which a commit takes the signal. */
  public SideRow.SignalTaken takenBy(int shard, Instant now) {
    taken = new SideRow.SignalTaken(signal, shard, position, now, port.retention());
    return taken;
  }

  /** The owner's answer: anything but {@link Reply.Done} puts the signal into the inbox. */
  @Override
  public void tell(Answer said) {
    if (taken == null || !(said instanceof Answer.Said(Reply.Done done))) {
      toInbox();
      return;
    }
    SignalResult result = by(taken);
    if (leaves()) port.answer(() -> answer.complete(result));
  }

  private boolean leaves() {
    if (state.getAndSet(State.LEFT) == State.LEFT) return false;
    port.left(this);
    release.run();
    return true;
  }

  /**
   * The owner has not taken the signal up for too long: puts it into the inbox. Called on any
   * thread.
   */
  public void takeFromOwner() {
    if (!state.compareAndSet(State.WAITS, State.LEFT)) return;
    port.left(this);
    hand(this::wakes);
  }

  /**
   * The owner took the signal up, and does not answer: tells the sender that the outcome is
   * unknown.
   */
  public void answerUnknown() {
    SignalOutcomeUnknown unknown = new SignalOutcomeUnknown(new TimeoutException());
    if (state.get() == State.TAKEN) port.answer(() -> answer.completeExceptionally(unknown));
  }

  /** Puts the signal into the inbox, and wakes its workflow when it is accepted. */
  public void toInbox() {
    toInbox(this::wakes);
  }

  private void wakes(Optional<PendingSignal> accepted) {
    if (accepted.isPresent()) port.wake(signal);
  }

  /**
   * @param then gets the accepted signal; empty when it was refused, or when the outcome is unknown
   * @return false when it was answered or put into the inbox before
   */
  public boolean toInbox(Consumer<Optional<PendingSignal>> then) {
    if (!leaves()) return false;
    hand(then);
    return true;
  }

  private void hand(Consumer<Optional<PendingSignal>> then) {
    SideRow.SignalTaken maybe = taken;
    port.toInbox(signal)
        .whenComplete(
            (result, failure) -> {
              then.accept(accepted(result));
              if (failure == null) answer.complete(isBy(maybe, result) ? by(maybe) : result);
              else
                answer.completeExceptionally(
                    maybe == null ? failure : new SignalOutcomeUnknown(failure));
            });
  }

  /** Whether it is a duplicate only because this node's own commit had accepted it. */
  private static boolean isBy(SideRow.SignalTaken commit, SignalResult result) {
    return commit != null
        && result instanceof SignalResult.Duplicate duplicate
        && duplicate.original().equals(commit.result());
  }

  private static SignalResult by(SideRow.SignalTaken commit) {
    return new SignalResult.Accepted(commit.result());
  }

  private Optional<PendingSignal> accepted(SignalResult result) {
    return result instanceof SignalResult.Accepted(var accepted)
        ? Optional.of(
            new PendingSignal(
                accepted.position(),
                signal.name(),
                signal.id(),
                accepted.acceptedAt(),
                signal.content()))
        : Optional.empty();
  }
}
