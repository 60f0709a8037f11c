package dev.tenure.sharding.host;

import dev.tenure.persistence.merging.SignalIntake;
import dev.tenure.persistence.merging.SignalSettings;
import dev.tenure.persistence.signal.InvalidSignalError;
import dev.tenure.persistence.signal.Signal;
import dev.tenure.persistence.signal.SignalRequest;
import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.sharding.message.IncomingSignal;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.message.WorkflowTransport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Receives the signals on a node. A signal for a workflow in memory is handed to the owner, which
 * may take it with the next commit. All others are put into the inbox.
 */
public final class IncomingSignals implements IncomingSignal.Port {
  /** When an owner is busy for longer than this, its signals are put into the inbox. */
  static final Duration WAITING_MAX = Duration.ofSeconds(1);

  /**
   * The most signals that all owners of a node together may have been handed. Further ones are put
   * into the inbox at once.
   */
  static final int HANDED_MAX = 20_000;

  /** The most bytes that the payloads of those signals may have together. */
  static final long HANDED_BYTES_MAX = 64L * 1024 * 1024;

  private final Residents residents;
  private final WorkflowTransport transport;
  private final SignalIntake inbox;
  private final boolean mayTake;
  private final SignalSettings settings;
  private final Supplier<String> freshIds;
  private final Futures futures;
  private final Executor answers;
  private final LongSupplier nanos;

  /** The signals that this node handed to owners, and when it did. */
  private final Map<IncomingSignal, Handed> handed = new ConcurrentHashMap<>();

  private final AtomicLong handedBytes = new AtomicLong();
  private final AtomicLong numbers = new AtomicLong();

  private volatile boolean closed;

  private record Handed(long number, long atNanos, int bytes) {}

  /**
   * @param mayTake whether the storage can refuse a commit that takes a signal it must not take
   * @param settings how long answers are kept for retries, and how long a sender waits for one
   * @param answers runs the sender's code for an answer: never on an owner's thread, which it may
   *     block
   * @param nanos a clock that only measures
   */
  IncomingSignals(
      Residents residents,
      WorkflowTransport transport,
      SignalIntake inbox,
      boolean mayTake,
      SignalSettings settings,
      Supplier<String> freshIds,
      Futures futures,
      Executor answers,
      LongSupplier nanos) {
    this.residents = residents;
    this.transport = transport;
    this.inbox = inbox;
    this.mayTake = mayTake;
    this.settings = settings;
    this.freshIds = freshIds;
    this.futures = futures;
    this.answers = answers;
    this.nanos = nanos;
  }

  /** Has a signal accepted, and tells its workflow. Completes as {@link SignalIntake#submit}. */
  public CompletionStage<SignalResult> submit(SignalRequest request) {
    Signal signal;
    try {
      signal = request.toSignal(freshIds);
    } catch (InvalidSignalError e) {
      return CompletableFuture.completedStage(new SignalResult.InvalidSignal(e.getMessage()));
    }
    IncomingSignal incoming = new IncomingSignal(signal, this, futures.make());
    if (!mayTake || isFull(signal)) {
      incoming.toInbox();
      return incoming.answer();
    }
    handedBytes.addAndGet(signal.payload().size());
    handed.put(
        incoming,
        new Handed(numbers.incrementAndGet(), nanos.getAsLong(), signal.payload().size()));
    if (!residents.signal(signal.workflowId(), incoming)) incoming.toInbox();
    // The thread that closes may have gone through the signals before this one was handed over.
    if (closed) incoming.takeFromOwner();
    return incoming.answer();
  }

  private boolean isFull(Signal next) {
    return handed.size() >= HANDED_MAX
        || handedBytes.get() + next.payload().size() > HANDED_BYTES_MAX;
  }

  @Override
  public void left(IncomingSignal signal) {
    Handed left = handed.remove(signal);
    if (left != null) handedBytes.addAndGet(-left.bytes());
  }

  /**
   * Called several times a second: puts the signals into the inbox whose owner was busy for too
   * long.
   */
  void look() {
    if (handed.isEmpty()) return;
    long now = nanos.getAsLong();
    for (Map.Entry<IncomingSignal, Handed> one : inOrder(one -> isOlder(one, WAITING_MAX, now))) {
      one.getKey().takeFromOwner();
      if (isOlder(one, WAITING_MAX.plus(settings.resolveLimit()), now))
        one.getKey().answerUnknown();
    }
  }

  /**
   * The node ends, and looks at no signal any more: those that no owner took up are put into the
   * inbox, and the senders of the others hear that the outcome is unknown.
   */
  void close() {
    closed = true;
    for (Map.Entry<IncomingSignal, Handed> one : inOrder(one -> true)) {
      one.getKey().takeFromOwner();
      one.getKey().answerUnknown();
    }
  }

  /** As they came. */
  private List<Map.Entry<IncomingSignal, Handed>> inOrder(
      Predicate<Map.Entry<IncomingSignal, Handed>> which) {
    List<Map.Entry<IncomingSignal, Handed>> all = new ArrayList<>(0);
    for (Map.Entry<IncomingSignal, Handed> one : handed.entrySet())
      if (which.test(one)) all.add(Map.entry(one.getKey(), one.getValue()));
    all.sort(Comparator.comparingLong(one -> one.getValue().number()));
    return all;
  }

  private static boolean isOlder(
      Map.Entry<IncomingSignal, Handed> one, Duration age, long nowNanos) {
    return nowNanos - one.getValue().atNanos() >= age.toNanos();
  }

  @Override
  public Duration retention() {
    return settings.retention();
  }

  @Override
  public CompletionStage<SignalResult> toInbox(Signal signal) {
    return inbox.submit(signal);
  }

  /** If this wake-up is lost, the next scan finds the signal. */
  @Override
  public void wake(Signal signal) {
    transport.tell(signal.workflowId(), Message.WakeUp.WAKE_UP);
  }

  @Override
  public void answer(Runnable answer) {
    answers.execute(answer);
  }
}
