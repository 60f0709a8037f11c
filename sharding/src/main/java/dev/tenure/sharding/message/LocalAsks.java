package dev.tenure.sharding.message;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * The clients in this process that wait for an answer, and until when. A regular check finds those
 * whose time is over: with a timer for each, a thread would wake twice for each request.
 */
public final class LocalAsks implements AutoCloseable {
  private final Executor answers;
  private final LongSupplier nanos;
  private final Set<Ask> waiting = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * @param answers runs the client's code for an answer: never on an owner's thread, which it may
   *     block
   */
  public LocalAsks(Executor answers, LongSupplier nanos) {
    this.answers = answers;
    this.nanos = nanos;
  }

  /** A client that waits. */
  public final class Ask implements ReplyTo {
    private final CompletableFuture<Answer> answer = new CompletableFuture<>();
    private final long deadline;

    private Ask(long deadline) {
      this.deadline = deadline;
    }

    public CompletableFuture<Answer> answer() {
      return answer;
    }

    @Override
    public void tell(Answer said) {
      waiting.remove(this);
      answer.completeAsync(() -> said, answers);
    }

    private boolean isLate(long now) {
      return now - deadline >= 0;
    }

    private void timeOut() {
      if (waiting.remove(this))
        answers.execute(() -> answer.completeExceptionally(new TimeoutException()));
    }

    private void timeOutByItself(long now) {
      answer.orTimeout(Math.max(0, deadline - now), TimeUnit.NANOSECONDS);
    }
  }

  /** Begins to wait. Without an answer within the limit it fails with a TimeoutException. */
  public Ask begin(Duration limit) {
    long now = nanos.getAsLong();
    Ask ask = new Ask(now + limit.toNanos());
    waiting.add(ask);
    if (closed) ask.timeOutByItself(now);
    return ask;
  }

  int size() {
    return waiting.size();
  }

  /** Called several times a second. */
  public void look() {
    long now = nanos.getAsLong();
    for (Ask ask : waiting) if (ask.isLate(now)) ask.timeOut();
  }

  /** The checks have ended: clients that still wait get a timer each. */
  @Override
  public void close() {
    closed = true;
    long now = nanos.getAsLong();
    for (Ask ask : waiting) ask.timeOutByItself(now);
  }
}
