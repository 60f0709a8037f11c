package dev.tenure.persistence.signal;

import dev.tenure.persistence.storage.StorageException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a node takes signals in: those that come while a transaction is under way make up the next
 * one. One thread, because two transactions with signals for one workflow would only wait for each
 * other.
 */
public final class SignalDesk implements SignalIntake, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SignalDesk.class);
  private static final long IDLE_POLL_MS = 200;
  private static final long RETRY_PAUSE_MS = 50;

  private record Waiting(Signal signal, CompletableFuture<SignalResult> answer) {}

  private final Signals signals;
  private final SignalSettings settings;
  private final Supplier<String> freshIds;
  private final BlockingQueue<Waiting> queue;
  // What did not fit into the batch it was drained for; only the desk's thread touches it.
  private final ArrayDeque<Waiting> heldBack = new ArrayDeque<>();
  private final LongAdder judged = new LongAdder();
  private final LongAdder transactions = new LongAdder();
  private final Thread thread;
  private volatile boolean stopping;

  /**
   * @param freshIds makes the ids of signals that come without one; never the same twice
   */
  public SignalDesk(Signals signals, SignalSettings settings, Supplier<String> freshIds) {
    this.signals = signals;
    this.settings = settings;
    this.freshIds = freshIds;
    this.queue = new ArrayBlockingQueue<>(settings.queueLimit());
    this.thread = Thread.ofPlatform().name("tenure-signals").daemon().start(this::run);
  }

  @Override
  public CompletionStage<SignalResult> submit(SignalRequest request) {
    Signal signal;
    try {
      signal = request.toSignal(freshIds);
    } catch (InvalidSignalError e) {
      return CompletableFuture.completedStage(new SignalResult.InvalidSignal(e.getMessage()));
    }
    Waiting waiting = new Waiting(signal, new CompletableFuture<>());
    // Asked again after the offer: a desk that stopped in between looks at its queue no more.
    if (stopping || !queue.offer(waiting) || (stopping && queue.remove(waiting))) {
      waiting.answer.completeExceptionally(new SignalQueueFullError(settings.queueLimit()));
    }
    return waiting.answer;
  }

  /** Signals that the storage has judged so far. */
  public long judged() {
    return judged.sum();
  }

  /** Transactions that took. */
  public long transactions() {
    return transactions.sum();
  }

  private void run() {
    List<Waiting> batch = new ArrayList<>(settings.batchLimit());
    while (true) {
      batch.clear();
      try {
        if (!take(batch)) return;
        store(batch);
      } catch (InterruptedException e) {
        log.warn("{} was interrupted and stops", thread.getName());
        return;
      } catch (RuntimeException | Error e) {
        // A desk that dies would silently hold up every signal of its node.
        log.error("a batch of signals failed in an unforeseen way", e);
        fail(batch, new SignalOutcomeUnknown(e));
      }
    }
  }

  private static void fail(List<Waiting> batch, Throwable failure) {
    for (Waiting w : batch) w.answer.completeExceptionally(failure);
  }

  /** Fills the batch with what waits, up to its limits; false when the desk is closed. */
  private boolean take(List<Waiting> batch) throws InterruptedException {
    List<Waiting> drained = new ArrayList<>(heldBack);
    heldBack.clear();
    if (drained.isEmpty()) {
      Waiting first = queue.poll(IDLE_POLL_MS, TimeUnit.MILLISECONDS);
      if (first == null) return !(stopping && queue.isEmpty());
      drained.add(first);
    }
    queue.drainTo(drained, Math.max(0, settings.batchLimit() - drained.size()));
    long bytes = 0;
    for (Waiting waiting : drained) {
      bytes += waiting.signal.payload().size();
      // In their order: once one is held back, all after it are.
      boolean fits = batch.isEmpty() || bytes <= settings.batchBytesLimit();
      if (fits && heldBack.isEmpty()) batch.add(waiting);
      else heldBack.add(waiting);
    }
    return true;
  }

  private void store(List<Waiting> batch) throws InterruptedException {
    if (batch.isEmpty()) return;
    long deadline = System.nanoTime() + settings.resolveLimit().toNanos();
    while (true) {
      try {
        answer(batch, accept(batch));
        return;
      } catch (SignalCapabilityError e) {
        if (batch.size() > 1) halve(batch);
        else fail(batch, e);
        return;
      } catch (StorageException.Refused e) {
        if (batch.size() > 1) halve(batch);
        else answerRefused(batch.getFirst(), e);
        return;
      } catch (StorageException.Unavailable | StorageException.OutcomeUnknown e) {
        // The same batch again resolves an unknown outcome: what is there already is a duplicate.
        if (System.nanoTime() > deadline) {
          log.warn("the outcome of {} signals stays unknown: {}", batch.size(), e.getMessage());
          fail(batch, new SignalOutcomeUnknown(e));
          return;
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(RETRY_PAUSE_MS));
        if (Thread.interrupted()) throw new InterruptedException();
      }
    }
  }

  private List<SignalResult> accept(List<Waiting> batch) {
    return signals.accept(batch.stream().map(Waiting::signal).toList(), settings.retention());
  }

  /** Something in the batch cannot be stored: halves of it find out what, and spare the rest. */
  private void halve(List<Waiting> batch) throws InterruptedException {
    int half = batch.size() / 2;
    store(batch.subList(0, half));
    store(batch.subList(half, batch.size()));
  }

  private static void answerRefused(Waiting waiting, StorageException.Refused refusal) {
    waiting.answer.complete(
        new SignalResult.InvalidSignal("the store refused the signal: " + refusal.getMessage()));
  }

  private void answer(List<Waiting> batch, List<SignalResult> results) {
    if (results.size() != batch.size()) {
      throw new IllegalStateException(
          "the storage answered " + results.size() + " of " + batch.size() + " signals");
    }
    transactions.increment();
    judged.add(batch.size());
    for (int i = 0; i < results.size(); i++) batch.get(i).answer.complete(results.get(i));
  }

  /** Finishes what was handed in, within the resolve limit, and takes no more. */
  @Override
  public void close() {
    stopping = true;
    try {
      thread.join(settings.resolveLimit().plusSeconds(2));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
