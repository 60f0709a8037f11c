package dev.tenure.workflow;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * How often, and how long after a failure, something is tried again.
 *
 * @param attemptsMax how many attempts in all, the first included
 * @param initialBackoff the delay before the second attempt
 * @param multiplier what each further delay is multiplied by
 * @param backoffMax the longest delay
 * @param jitter which part of a delay is random, 0 to 1, so that many do not retry at once
 * @param neverFor types of failures that no further attempt can help
 * @param whenExhausted what becomes of the operation when the policy gives up
 * @param attemptsFor how many attempts in all there are when the newest failure is of that type,
 *     where that is not {@code attemptsMax}
 */
public record RetryPolicy(
    int attemptsMax,
    Duration initialBackoff,
    double multiplier,
    Duration backoffMax,
    double jitter,
    Set<String> neverFor,
    Exhaustion whenExhausted,
    Map<String, Integer> attemptsFor) {
  /** How many attempts a type of failure can be given at most. */
  public static final int ATTEMPTS_FOR_MAX = 10;

  /** What becomes of an operation that is not tried again. */
  public enum Exhaustion {
    /** The workflow learns the failure. */
    FAILURE,
    /** The workflow stands still until a person has it tried again, or ends it. */
    INCIDENT
  }

  /** As many attempts as it takes; a total timeout may still end it. */
  public static final int UNLIMITED = Integer.MAX_VALUE;

  public static final Duration BACKOFF_MAX = Duration.ofDays(30);

  /** Three attempts, after one second and then twice as long each time, up to half a minute. */
  public static final RetryPolicy DEFAULT =
      new RetryPolicy(3, Duration.ofSeconds(1), 2.0, Duration.ofSeconds(30), 0.1, Set.of());

  /**
   * What undoes something, see {@link Saga}: ten attempts, after one second and then twice as long
   * each time, so that the last follows some nine minutes after the first. Then a person decides.
   */
  public static final RetryPolicy COMPENSATION =
      DEFAULT
          .attempts(10)
          .backoff(Duration.ofSeconds(1), 2.0, Duration.ofMinutes(5))
          .thenIncident();

  /** One attempt. */
  public static final RetryPolicy NONE = DEFAULT.attempts(1);

  public RetryPolicy(
      int attemptsMax,
      Duration initialBackoff,
      double multiplier,
      Duration backoffMax,
      double jitter,
      Set<String> neverFor) {
    this(
        attemptsMax,
        initialBackoff,
        multiplier,
        backoffMax,
        jitter,
        neverFor,
        Exhaustion.FAILURE,
        Map.of());
  }

  public RetryPolicy {
    if (attemptsMax < 1) throw invalid("attemptsMax is " + attemptsMax + ", but the first counts");
    if (initialBackoff.isNegative() || initialBackoff.compareTo(BACKOFF_MAX) > 0)
      throw invalid("initialBackoff is " + initialBackoff + ", outside 0 to " + BACKOFF_MAX);
    if (!(multiplier >= 1 && multiplier <= 1000))
      throw invalid("multiplier is " + multiplier + ", outside 1 to 1000");
    if (backoffMax.compareTo(initialBackoff) < 0 || backoffMax.compareTo(BACKOFF_MAX) > 0)
      throw invalid("backoffMax is " + backoffMax + ", outside initialBackoff to " + BACKOFF_MAX);
    if (!(jitter >= 0 && jitter <= 1)) throw invalid("jitter is " + jitter + ", outside 0 to 1");
    neverFor = Set.copyOf(neverFor);
    attemptsFor = Map.copyOf(attemptsFor);
    for (Map.Entry<String, Integer> one : attemptsFor.entrySet())
      if (one.getValue() < 1 || one.getValue() > ATTEMPTS_FOR_MAX)
        throw invalid(
            "for %s it allows %d attempts, outside 1 to %d"
                .formatted(one.getKey(), one.getValue(), ATTEMPTS_FOR_MAX));
  }

  private static IllegalArgumentException invalid(String why) {
    return new IllegalArgumentException("This retry policy cannot be: " + why + ".");
  }

  public RetryPolicy attempts(int max) {
    return new RetryPolicy(
        max, initialBackoff, multiplier, backoffMax, jitter, neverFor, whenExhausted, attemptsFor);
  }

  public RetryPolicy unlimited() {
    return attempts(UNLIMITED);
  }

  public RetryPolicy backoff(Duration initial, double times, Duration max) {
    return new RetryPolicy(
        attemptsMax, initial, times, max, jitter, neverFor, whenExhausted, attemptsFor);
  }

  public RetryPolicy jitter(double part) {
    return new RetryPolicy(
        attemptsMax,
        initialBackoff,
        multiplier,
        backoffMax,
        part,
        neverFor,
        whenExhausted,
        attemptsFor);
  }

  /**
   * When the policy gives up, the workflow does not learn the failure: it stands still as an
   * incident until a person removes the cause and has it tried again.
   */
  public RetryPolicy thenIncident() {
    return new RetryPolicy(
        attemptsMax,
        initialBackoff,
        multiplier,
        backoffMax,
        jitter,
        neverFor,
        Exhaustion.INCIDENT,
        attemptsFor);
  }

  /** Failures of these classes, by their exact names, are final. */
  @SafeVarargs
  public final RetryPolicy never(Class<? extends Throwable>... types) {
    Set<String> all = new HashSet<>(neverFor);
    for (Class<? extends Throwable> type : types) all.add(type.getName());
    return new RetryPolicy(
        attemptsMax,
        initialBackoff,
        multiplier,
        backoffMax,
        jitter,
        all,
        whenExhausted,
        attemptsFor);
  }

  /**
   * How many attempts there are in all, 1 to 10, when the newest failure is of this class, by its
   * exact name.
   */
  public RetryPolicy attempts(Class<? extends Throwable> type, int max) {
    return attempts(type.getName(), max);
  }

  /** As the other, by the type that a failure is recorded with. */
  public RetryPolicy attempts(String type, int max) {
    Map<String, Integer> all = new HashMap<>(attemptsFor);
    all.put(type, max);
    return new RetryPolicy(
        attemptsMax, initialBackoff, multiplier, backoffMax, jitter, neverFor, whenExhausted, all);
  }

  /** Whether the policy allows one more attempt after this failure of the given attempt. */
  public boolean allowsAfter(int attempt, Failure failure) {
    return attempt < attemptsFor.getOrDefault(failure.type(), attemptsMax)
        && failure.retryable()
        && !neverFor.contains(failure.type());
  }

  /**
   * The delay after the given attempt.
   *
   * @param chance from 0 up to 1, from the workflow's recorded seed: the same for every replay
   */
  public Duration delayAfter(int attempt, double chance) {
    double nanos = (double) initialBackoff.toNanos() * Math.pow(multiplier, attempt - 1.0);
    double capped = Math.min(nanos, (double) backoffMax.toNanos());
    return Duration.ofNanos((long) (capped * (1 - jitter * chance)));
  }
}
