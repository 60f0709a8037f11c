package dev.tenure.persistence.merging;

import dev.tenure.persistence.signal.InvalidSignalError;
import dev.tenure.persistence.signal.Signal;
import dev.tenure.persistence.signal.SignalCapabilityError;
import dev.tenure.persistence.signal.SignalRequest;
import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.persistence.signal.Signals;
import dev.tenure.persistence.storage.StorageException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * Where a node takes signals in: those that come while a transaction is under way make up the next
 * one. One at a time, because two transactions with signals for one workflow would only wait for
 * each other.
 */
public final class SignalDesk implements SignalIntake, AutoCloseable {
  private final Signals signals;
  private final SignalSettings settings;
  private final Supplier<String> freshIds;
  private final MergingQueue<Signal, SignalResult> queue;
  private final LongAdder judged = new LongAdder();
  private final LongAdder transactions = new LongAdder();

  /**
   * @param freshIds makes the ids of signals that come without one; never the same twice
   */
  public SignalDesk(Signals signals, SignalSettings settings, Supplier<String> freshIds) {
    this.signals = signals;
    this.settings = settings;
    this.freshIds = freshIds;
    this.queue =
        new MergingQueue<>(
            "tenure-signals",
            new MergingQueue.Limits(
                settings.batchLimit(), settings.queueLimit(), settings.resolveLimit()),
            new Acceptance());
  }

  /** As {@link #submit(Signal)}; a request that is no signal is answered with what is wrong. */
  public CompletionStage<SignalResult> submit(SignalRequest request) {
    try {
      return submit(request.toSignal(freshIds));
    } catch (InvalidSignalError e) {
      return CompletableFuture.completedStage(new SignalResult.InvalidSignal(e.getMessage()));
    }
  }

  @Override
  public CompletionStage<SignalResult> submit(Signal signal) {
    return queue.ask(signal);
  }

  /** Signals that the storage has judged so far. */
  public long judged() {
    return judged.sum();
  }

  /** Transactions in which they were judged. */
  public long transactions() {
    return transactions.sum();
  }

  /** Finishes what was handed in, within the resolve limit, and takes no more. */
  @Override
  public void close() {
    queue.close();
  }

  private final class Acceptance implements MergingQueue.Work<Signal, SignalResult> {
    /**
     * The same batch again resolves an unknown outcome: signals that were stored are duplicates
     * then.
     */
    @Override
    public List<SignalResult> call(List<Signal> batch) {
      List<SignalResult> results = signals.accept(batch, settings.retention());
      transactions.increment();
      judged.add(batch.size());
      return results;
    }

    @Override
    public MergingQueue.Room<Signal> room() {
      return new MergingQueue.Room<>() {
        private long bytes;

        @Override
        public boolean takes(Signal signal) {
          bytes += signal.payload().size();
          return bytes <= settings.batchBytesLimit();
        }
      };
    }

    @Override
    public boolean isRefusal(RuntimeException failure) {
      return failure instanceof StorageException.Refused
          || failure instanceof SignalCapabilityError;
    }

    @Override
    public SignalResult refused(Signal signal, RuntimeException refusal) {
      if (refusal instanceof SignalCapabilityError) throw refusal;
      return new SignalResult.InvalidSignal(
          "the store refused the signal: " + refusal.getMessage());
    }

    @Override
    public SignalResult unknown(Signal signal, Throwable cause) {
      throw new SignalOutcomeUnknown(cause);
    }

    @Override
    public RuntimeException notTaken() {
      return new SignalQueueFullError(settings.queueLimit());
    }
  }
}
