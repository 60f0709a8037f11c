package dev.tenure.sharding.node;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * When the journal must have answered an owner. The owner's actor sets it; another thread, which
 * looks after all workflows of the node, sees first that it has passed.
 */
final class AnswerDeadline {
  private final LongSupplier nanos;

  /** 0 when the journal was asked for nothing. */
  private volatile long answerBy;

  /** Of the thread that looks. */
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

  /** As {@link #hasPassed}, for the thread that looks: true once for each deadline. */
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
