package dev.tenure.sharding.node;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The time by which the journal must have answered an owner. The owner's actor sets it; the thread
 * that checks all workflows of the node notices that it has passed.
 */
final class AnswerDeadline {
  private final LongSupplier nanos;

  /** 0 when the owner waits for no answer. */
  private volatile long answerBy;

  /** Used by the thread that checks. */
  private long seen;

  AnswerDeadline(LongSupplier nanos) {
    this.nanos = nanos;
  }

  void await(Duration limit) {
    long until = nanos.getAsLong() + limit.toNanos();
    answerBy = until == 0 ? 1 : until;
  }

  void answered() {
    answerBy = 0;
  }

  boolean hasPassed() {
    return isPassed(answerBy, nanos.getAsLong());
  }

  /** As {@link #hasPassed}, for the thread that checks: true once for each deadline. */
  boolean passesNow(long now) {
    long until = answerBy;
    if (until == seen || !isPassed(until, now)) return false;
    seen = until;
    return true;
  }

  private static boolean isPassed(long until, long now) {
    return until != 0 && now - until >= 0;
  }
}
