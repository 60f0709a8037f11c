package dev.tenure.node.health;

import dev.tenure.persistence.storage.Storage;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the storage answers. However many ask, one question at a time is under way, and an answer
 * serves for a moment: a probe that is called in a loop must not load the database.
 */
public final class StorageProbe {
  static final Duration ANSWER_LIMIT = Duration.ofSeconds(2);
  static final Duration FRESH = Duration.ofMillis(500);

  private static final Logger LOG = LoggerFactory.getLogger(StorageProbe.class);

  private final Runnable question;
  private final LongSupplier nanoTime;
  private final Duration answerLimit;
  private final AtomicBoolean failing = new AtomicBoolean();
  private CompletableFuture<Void> latest;
  private long askedAtNanos;

  /** Asks for one row, which takes a connection and a round trip to the primary. */
  public StorageProbe(Storage storage) {
    this(() -> storage.leases().find(0), System::nanoTime, ANSWER_LIMIT);
  }

  StorageProbe(Runnable question, LongSupplier nanoTime, Duration answerLimit) {
    this.question = question;
    this.nanoTime = nanoTime;
    this.answerLimit = answerLimit;
  }

  /** Empty when the storage answered in time. */
  public CompletionStage<Optional<String>> objection() {
    return answer()
        .copy() // the limit is the asker's: a question that is under way is not asked again
        .orTimeout(answerLimit.toMillis(), TimeUnit.MILLISECONDS)
        .handle((answered, failure) -> Optional.ofNullable(failure).map(this::describe));
  }

  private synchronized CompletableFuture<Void> answer() {
    boolean usable =
        latest != null
            && (!latest.isDone() || nanoTime.getAsLong() - askedAtNanos < FRESH.toNanos());
    if (!usable) {
      askedAtNanos = nanoTime.getAsLong();
      latest = new CompletableFuture<>();
      CompletableFuture<Void> asked = latest;
      // Not a virtual one: code that computes without a pause takes all carriers of those.
      Thread.ofPlatform().daemon().name("storage-probe").start(() -> ask(asked));
    }
    return latest;
  }

  private void ask(CompletableFuture<Void> asked) {
    try {
      question.run();
      if (failing.getAndSet(false)) LOG.info("the storage answers again");
      asked.complete(null);
    } catch (RuntimeException | Error e) {
      // A question without an answer is the last one: nobody asks while one is under way.
      // Once per outage, not once per probe.
      if (!failing.getAndSet(true)) LOG.warn("the storage does not answer: {}", e.toString());
      asked.completeExceptionally(e);
    }
  }

  private String describe(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof TimeoutException
        ? "no answer within " + answerLimit.toMillis() + " ms"
        : "unreachable";
  }
}
