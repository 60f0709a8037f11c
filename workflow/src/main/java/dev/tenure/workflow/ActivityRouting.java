package dev.tenure.workflow;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * Where an activity runs, and beside how many others. Limits hold for the whole cluster, so a call
 * that has one goes through a queue, also when no queue is named.
 *
 * @param queue from which workers take it; empty for nodes that have its code
 * @param priority a higher one is taken first
 * @param fairnessKey whose calls take turns with those of other keys
 * @param visibilityTimeout for how long a worker that took it may be silent
 * @param resource what the two limits count by; all calls together when empty
 * @param atOnceMax how many calls for one resource run at the same time
 * @param rate how many begin within a span
 */
public record ActivityRouting<I>(
    Optional<String> queue,
    int priority,
    Optional<Function<? super I, String>> fairnessKey,
    Duration visibilityTimeout,
    Optional<Function<? super I, String>> resource,
    Optional<Integer> atOnceMax,
    Optional<RateLimit> rate) {
  public static final int QUEUE_BYTES_MAX = 320;
  public static final int KEY_BYTES_MAX = 256;
  public static final int PRIORITY_MAX = 9;
  public static final int AT_ONCE_MAX = 100_000;
  public static final Duration VISIBILITY_DEFAULT = Duration.ofSeconds(30);
  public static final Duration VISIBILITY_MIN = Duration.ofSeconds(1);
  public static final Duration VISIBILITY_MAX = Duration.ofHours(12);

  /** Queues of the engine begin with this. */
  public static final String RESERVED = "tenure.";

  /** So many within a span. */
  public record RateLimit(int callsMax, Duration span) {
    public static final Duration SPAN_MAX = Duration.ofDays(1);

    public RateLimit {
      if (callsMax < 1)
        throw new IllegalArgumentException(
            "A rate of %d calls: use at least 1.".formatted(callsMax));
      if (span.compareTo(Duration.ofMillis(1)) < 0 || span.compareTo(SPAN_MAX) > 0)
        throw new IllegalArgumentException(
            "A rate within %s: use 1 ms to %s.".formatted(span, SPAN_MAX));
    }
  }

  private static final ActivityRouting<Object> LOCAL =
      new ActivityRouting<>(
          Optional.empty(),
          0,
          Optional.empty(),
          VISIBILITY_DEFAULT,
          Optional.empty(),
          Optional.empty(),
          Optional.empty());

  public ActivityRouting {
    queue.ifPresent(name -> Text.require("queue", name, QUEUE_BYTES_MAX));
    if (priority < -PRIORITY_MAX || priority > PRIORITY_MAX)
      throw new IllegalArgumentException(
          "Priority %d: use -%d to %d.".formatted(priority, PRIORITY_MAX, PRIORITY_MAX));
    if (visibilityTimeout.compareTo(VISIBILITY_MIN) < 0
        || visibilityTimeout.compareTo(VISIBILITY_MAX) > 0)
      throw new IllegalArgumentException(
          "A visibility timeout of %s: use %s to %s."
              .formatted(visibilityTimeout, VISIBILITY_MIN, VISIBILITY_MAX));
    atOnceMax.ifPresent(
        max -> {
          if (max < 1 || max > AT_ONCE_MAX)
            throw new IllegalArgumentException(
                "%d calls at once: use 1 to %d.".formatted(max, AT_ONCE_MAX));
        });
  }

  /** On the node of the workflow's owner, which does not reach beyond it. */
  @SuppressWarnings("unchecked")
  public static <I> ActivityRouting<I> local() {
    return (ActivityRouting<I>) LOCAL;
  }

  /** Whether a call goes through a queue. */
  public boolean isQueued() {
    return queue.isPresent() || atOnceMax.isPresent() || rate.isPresent();
  }

  public ActivityRouting<I> onQueue(String name) {
    if (name.startsWith(RESERVED))
      throw new IllegalArgumentException(
          "Queue %s: names that begin with %s are the engine's.".formatted(name, RESERVED));
    return new ActivityRouting<>(
        Optional.of(name), priority, fairnessKey, visibilityTimeout, resource, atOnceMax, rate);
  }

  public ActivityRouting<I> withPriority(int other) {
    return new ActivityRouting<>(
        queue, other, fairnessKey, visibilityTimeout, resource, atOnceMax, rate);
  }

  public ActivityRouting<I> withFairnessKey(Function<? super I, String> key) {
    return new ActivityRouting<>(
        queue, priority, Optional.of(key), visibilityTimeout, resource, atOnceMax, rate);
  }

  public ActivityRouting<I> withVisibilityTimeout(Duration span) {
    return new ActivityRouting<>(queue, priority, fairnessKey, span, resource, atOnceMax, rate);
  }

  public ActivityRouting<I> withResourceScope(Function<? super I, String> of, int max) {
    return new ActivityRouting<>(
        queue, priority, fairnessKey, visibilityTimeout, Optional.of(of), Optional.of(max), rate);
  }

  public ActivityRouting<I> withRateLimit(int callsMax, Duration span) {
    return new ActivityRouting<>(
        queue,
        priority,
        fairnessKey,
        visibilityTimeout,
        resource,
        atOnceMax,
        Optional.of(new RateLimit(callsMax, span)));
  }
}
