package dev.tenure.persistence.merging;

import dev.tenure.persistence.storage.StorageException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** Merging queues for reads: one that failed is not made again, its callers ask again. */
public final class ReadQueue {
  /** Each recovery and each resident workflow waits for one answer at a time. */
  private static final int MAX_WAITING = 1_000_000;

  private ReadQueue() {}

  /**
   * @param merged questions in one query
   */
  public static <Q, A> MergingQueue<Q, A> of(
      String name, int merged, Function<List<Q>, List<A>> query) {
    return new MergingQueue<>(
        name,
        new MergingQueue.Limits(merged, MAX_WAITING, Duration.ZERO),
        new MergingQueue.Work<>() {
          @Override
          public List<A> call(List<Q> questions) {
            return query.apply(questions);
          }

          @Override
          public boolean isRefusal(RuntimeException failure) {
            // What one question is about may be damaged, or too large to be read.
            return !(failure instanceof StorageException.Unavailable)
                && !(failure instanceof StorageException.OutcomeUnknown);
          }

          @Override
          public A unknown(Q question, Throwable cause) {
            if (cause instanceof RuntimeException failure) throw failure;
            throw new StorageException.Unavailable(name + " was not answered", cause);
          }

          @Override
          public RuntimeException notTaken() {
            return new StorageException.Unavailable(
                name + " is closed, or has " + MAX_WAITING + " questions that wait", null);
          }
        });
  }
}
