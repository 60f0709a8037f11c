package dev.tenure.persistence.watch;

import java.util.ArrayList;
import java.util.List;

/**
 * The newest answers of one kind, with the time of each. A log that is cut off loses its end, so
 * the newest answers from before the cut are the first to be missing.
 */
final class RecentAnswers<T> {
  private final Object[] answers;
  private final long[] atNanos;
  private long next;
  private long forgotten;

  RecentAnswers(int capacity) {
    answers = new Object[capacity];
    atNanos = new long[capacity];
  }

  /**
   * @param upTo the number of the last of them
   */
  record Taken<T>(List<T> answers, long upTo) {}

  synchronized void add(List<T> given, long nanos) {
    for (T answer : given) {
      int place = (int) (next++ % answers.length);
      answers[place] = answer;
      atNanos[place] = nanos;
    }
  }

  /** Those that were given at most so long ago, the oldest first. */
  @SuppressWarnings("unchecked")
  synchronized Taken<T> since(long nowNanos, long ageNanos) {
    List<T> found = new ArrayList<>();
    for (long i = Math.max(forgotten, next - answers.length); i < next; i++) {
      int place = (int) (i % answers.length);
      if (nowNanos - atNanos[place] <= ageNanos) found.add((T) answers[place]);
    }
    return new Taken<>(found, next);
  }

  /** What is missing was reported, and is not reported again. */
  synchronized void forget(Taken<T> taken) {
    forgotten = taken.upTo;
  }
}
