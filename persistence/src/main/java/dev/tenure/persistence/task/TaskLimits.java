package dev.tenure.persistence.task;

import dev.tenure.workflow.ActivityRouting.RateLimit;
import dev.tenure.workflow.operation.ActivityCall.Queueing;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * How many tasks of one resource may be taken.
 *
 * @param scope what is counted together in the whole cluster: the resource, or all calls of the
 *     activity when no resource is named; empty when there is no limit
 */
public record TaskLimits(String scope, Optional<Integer> atOnceMax, Optional<RateLimit> rate) {
  /** Of what the clock of a database rounds away. */
  private static final double EPSILON = 1e-6;

  public static TaskLimits of(TaskOffer offer) {
    Queueing queueing = offer.queueing();
    if (queueing.atOnceMax().isEmpty() && queueing.rate().isEmpty())
      return new TaskLimits("", Optional.empty(), Optional.empty());
    String scope =
        queueing.resource().isEmpty()
            ? "activity/" + offer.activity()
            : "resource/" + queueing.resource();
    return new TaskLimits(scope, queueing.atOnceMax(), queueing.rate());
  }

  public boolean isLimited() {
    return !scope.isEmpty();
  }

  /**
   * What is known of a scope.
   *
   * @param taken how many tasks are with workers, or lost with one; no more than the limit are
   *     counted
   * @param fullAt when the bucket of its rate is full again: it has a token for each call that the
   *     rate allows within its span, and they come back evenly
   */
  public record Use(long taken, Instant fullAt) {
    public static final Use NONE = new Use(0, Instant.EPOCH);
  }

  /** How many tasks may be taken now, at most so many. */
  public int room(Use use, Instant now, int max) {
    long room = max;
    if (atOnceMax.isPresent()) room = Math.min(room, atOnceMax.get() - use.taken());
    if (rate.isPresent()) room = Math.min(room, tokens(rate.get(), use.fullAt(), now));
    return (int) Math.max(0, room);
  }

  private static long tokens(RateLimit rate, Instant fullAt, Instant now) {
    double spanUs = micros(rate.span());
    double missingUs = fullAt.isAfter(now) ? ChronoUnit.MICROS.between(now, fullAt) : 0;
    return (long) Math.floor((spanUs - missingUs) * rate.callsMax() / spanUs + EPSILON);
  }

  /** When the bucket is full again after so many more tasks were taken. */
  public Instant fullAfter(int begun, Instant fullAt, Instant now) {
    if (rate.isEmpty()) return fullAt;
    Instant from = fullAt.isAfter(now) ? fullAt : now;
    long us = begun * micros(rate.get().span()) / rate.get().callsMax();
    return from.plus(us, ChronoUnit.MICROS);
  }

  private static long micros(Duration span) {
    return span.toNanos() / 1_000;
  }
}
