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
 * A signal that a workflow's owner was handed, and its sender, who is answered once. Whenever the
 * owner does not bring a commit to stand that takes it, it is put into the inbox: what was accepted
 * by a commit of which nobody heard is found there to be accepted.
 */
public final class IncomingSignal implements ReplyTo {
  /** What it needs of the node that it came in on. */
  public interface Ways {
    /** Accepts it; completes as {@link SignalIntake#submit}. */
    CompletionStage<SignalResult> toInbox(Signal signal);

    /** Tells its workflow that something was accepted for it. */
    void wake(Signal signal);

    /** Runs what follows an answer: never on an owner's thread, which it may hold. */
    void answer(Runnable answer);

    /** How long the answer is kept for retries. */
    Duration retention();

    /** It is not its owner's any more. */
    void left(IncomingSignal signal);
  }

  private enum Place {
    /** For the owner to take it up. */
    WAITS,
    /** The owner is to answer it. */
    TAKEN,
    /** Answered, or handed to the inbox. */
    LEFT
  }

  private final Signal signal;
  private final Ways ways;
  private final CompletableFuture<SignalResult> answer;
  private final AtomicReference<Place> place = new AtomicReference<>(Place.WAITS);

  /** What the commit says of it that is to take it; null while none is. Of the owner's thread. */
  private SideRow.SignalTaken taken;

  private Runnable release = () -> {};

  /** The place that it is to get. */
  private long position;

  public IncomingSignal(Signal signal, Ways ways, CompletableFuture<SignalResult> answer) {
    this.signal = signal;
    this.ways = ways;
    this.answer = answer;
  }

  public Signal signal() {
    return signal;
  }

  public CompletionStage<SignalResult> answer() {
    return answer;
  }

  /**
   * As its owner takes it.
   *
   * @param released called when the owner has no more to do with it
   */
  public Command.Arrival at(long place, Runnable released) {
    position = place;
    release = released;
    return new Command.Arrival(signal.name(), place, signal.id(), signal.content());
  }

  public long position() {
    return position;
  }

  public boolean is(Command.Arrival arrival) {
    return arrival.position() == position && arrival.signal().equals(signal.name());
  }

  /** The owner takes it up: now it alone says what becomes of it. False when it has left. */
  public boolean take() {
    return place.compareAndSet(Place.WAITS, Place.TAKEN) || place.get() == Place.TAKEN;
  }

  /** A commit is to take it. */
  public SideRow.SignalTaken takenBy(int shard, Instant now) {
    taken = new SideRow.SignalTaken(signal, shard, position, now, ways.retention());
    return taken;
  }

  /** What became of it in its owner's hands. */
  @Override
  public void tell(Answer said) {
    if (taken == null || !(said instanceof Answer.Said(Reply.Done done))) {
      toInbox();
      return;
    }
    SignalResult result = by(taken);
    if (leaves()) ways.answer(() -> answer.complete(result));
  }

  private boolean leaves() {
    if (place.getAndSet(Place.LEFT) == Place.LEFT) return false;
    ways.left(this);
    release.run();
    return true;
  }

  /** Its owner did not take it up for too long: it goes to the inbox, from any thread. */
  public void takeFromOwner() {
    if (!place.compareAndSet(Place.WAITS, Place.LEFT)) return;
    ways.left(this);
    hand(this::wakes);
  }

  /** Its owner took it, and nobody hears what came of it: its sender can ask again. */
  public void answerUnknown() {
    SignalOutcomeUnknown unknown = new SignalOutcomeUnknown(new TimeoutException());
    if (place.get() == Place.TAKEN) ways.answer(() -> answer.completeExceptionally(unknown));
  }

  /** Its workflow is woken when it is accepted. */
  public void toInbox() {
    toInbox(this::wakes);
  }

  private void wakes(Optional<PendingSignal> accepted) {
    if (accepted.isPresent()) ways.wake(signal);
  }

  /**
   * @param then is told of what was accepted, or that nothing was, as far as is known
   * @return false when it had left before, and nobody is told
   */
  public boolean toInbox(Consumer<Optional<PendingSignal>> then) {
    if (!leaves()) return false;
    hand(then);
    return true;
  }

  private void hand(Consumer<Optional<PendingSignal>> then) {
    SideRow.SignalTaken maybe = taken;
    ways.toInbox(signal)
        .whenComplete(
            (result, failure) -> {
              then.accept(accepted(result));
              if (failure == null) answer.complete(isBy(maybe, result) ? by(maybe) : result);
              else
                answer.completeExceptionally(
                    maybe == null ? failure : new SignalOutcomeUnknown(failure));
            });
  }

  /** Whether it is a duplicate of nothing but what this node's own commit accepted. */
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
