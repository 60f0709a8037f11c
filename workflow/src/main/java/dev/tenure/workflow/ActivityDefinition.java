package dev.tenure.workflow;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a workflow knows of an activity: its name, its types, how it is retried, how a repetition of
 * it is recognised, and where it runs. The code behind it is registered under the same name, here
 * or elsewhere.
 *
 * @param key by which a call is recognised; an activity without one runs at least once, and proves
 *     nothing
 * @param idempotent whether what the activity calls recognises a repetition by the key: then it may
 *     be called again although it may have had its effect
 * @param heartbeatTimeout after how long without a heartbeat an attempt counts as failed
 * @param routing where it runs, and beside how many others
 * @param undo what undoes it in a saga
 */
public record ActivityDefinition<I, O>(
    String name,
    TypeRef<I> input,
    TypeRef<O> output,
    RetryPolicy retry,
    Timeouts timeouts,
    Key<I> key,
    boolean idempotent,
    Optional<Duration> heartbeatTimeout,
    ActivityRouting<I> routing,
    Optional<Undo<I, O>> undo) {
  public static final int NAME_BYTES_MAX = 256;

  /** The longest key that a call can be given. */
  public static final int KEY_BYTES_MAX = 512;

  /** How a repetition of a call is recognised. */
  public sealed interface Key<I> {
    /** Not at all. */
    record None<I>() implements Key<I> {}

    /** By the operation itself, see {@link ActivityContext#idempotencyKey}. */
    record OfOperation<I>() implements Key<I> {}

    /** By what the caller computes of the input; the same input always gives the same key. */
    record OfInput<I>(Function<? super I, String> function) implements Key<I> {}
  }

  /** What undoes the activity, given its input and its result. */
  @FunctionalInterface
  public interface Undo<I, O> {
    /**
     * @param result empty when the activity failed, returned null, or its result is not known
     */
    void undo(I input, Optional<O> result) throws Exception;
  }

  public ActivityDefinition {
    Text.require("activity name", name, NAME_BYTES_MAX);
    heartbeatTimeout.ifPresent(span -> Timeouts.requireSpan("heartbeat timeout", span));
    if (idempotent && key instanceof Key.None)
      throw new IllegalArgumentException(
          "Activity %s is idempotent and has no key: say by which key a repetition is recognised."
              .formatted(name));
  }

  public static <I, O> ActivityDefinition<I, O> of(String name, Class<I> input, Class<O> output) {
    return of(name, TypeRef.of(input), TypeRef.of(output));
  }

  public static <I, O> ActivityDefinition<I, O> of(
      String name, TypeRef<I> input, TypeRef<O> output) {
    return new ActivityDefinition<>(
        name,
        input,
        output,
        RetryPolicy.DEFAULT,
        Timeouts.DEFAULT,
        new Key.None<>(),
        false,
        Optional.empty(),
        ActivityRouting.local(),
        Optional.empty());
  }

  // --- how it is retried

  public ActivityDefinition<I, O> withRetry(RetryPolicy policy) {
    return with(policy, timeouts);
  }

  /** For one attempt. */
  public ActivityDefinition<I, O> withTimeout(Duration attempt) {
    return with(retry, timeouts.attempt(attempt));
  }

  /** For all attempts and the delays between them, from the call to the end. */
  public ActivityDefinition<I, O> withTotalTimeout(Duration total) {
    return with(retry, timeouts.total(total));
  }

  /** An attempt that is silent for so long counts as failed. */
  public ActivityDefinition<I, O> withHeartbeatTimeout(Duration silence) {
    return new ActivityDefinition<>(
        name, input, output, retry, timeouts, key, idempotent, Optional.of(silence), routing, undo);
  }

  private ActivityDefinition<I, O> with(RetryPolicy policy, Timeouts limits) {
    return new ActivityDefinition<>(
        name, input, output, policy, limits, key, idempotent, heartbeatTimeout, routing, undo);
  }

  // --- how a repetition is recognised

  /** Each call is recognised by its own operation. */
  public ActivityDefinition<I, O> keyed() {
    return with(new Key.OfOperation<>(), idempotent);
  }

  /** The calls are recognised by what this computes of their input. It must not look elsewhere. */
  public ActivityDefinition<I, O> keyedBy(Function<? super I, String> function) {
    return with(new Key.OfInput<>(function), idempotent);
  }

  /** For one call: {@code ctx.activity(CHARGE.withIdempotencyKey("order-17"), input)}. */
  public ActivityDefinition<I, O> withIdempotencyKey(String one) {
    return keyedBy(input -> one);
  }

  /**
   * What it calls recognises a repetition by {@link ActivityContext#idempotencyKey}, so it may be
   * called again at any time. Say so only when the other system promises it.
   */
  public ActivityDefinition<I, O> asIdempotent() {
    return with(key instanceof Key.None ? new Key.OfOperation<>() : key, true);
  }

  private ActivityDefinition<I, O> with(Key<I> other, boolean repeatable) {
    return new ActivityDefinition<>(
        name, input, output, retry, timeouts, other, repeatable, heartbeatTimeout, routing, undo);
  }

  // --- where it runs

  /** Workers take it from this queue; without one it runs on a node that has its code. */
  public ActivityDefinition<I, O> onQueue(String queue) {
    return with(routing.onQueue(queue));
  }

  /** A higher one is taken first; 0 is usual. */
  public ActivityDefinition<I, O> withPriority(int priority) {
    return with(routing.withPriority(priority));
  }

  /** The keys of a queue take turns, so that none waits for one with thousands of calls. */
  public ActivityDefinition<I, O> withFairnessKey(Function<? super I, String> key) {
    return with(routing.withFairnessKey(key));
  }

  /** For how long a worker that took it may be silent before it counts as lost. */
  public ActivityDefinition<I, O> withVisibilityTimeout(Duration span) {
    return with(routing.withVisibilityTimeout(span));
  }

  /** So many calls for one resource run at the same time in the whole cluster. */
  public ActivityDefinition<I, O> withResourceScope(
      Function<? super I, String> resource, int atOnceMax) {
    return with(routing.withResourceScope(resource, atOnceMax));
  }

  /** So many calls begin within a span, for each resource, in the whole cluster. */
  public ActivityDefinition<I, O> withRateLimit(int callsMax, Duration span) {
    return with(routing.withRateLimit(callsMax, span));
  }

  private ActivityDefinition<I, O> with(ActivityRouting<I> other) {
    return new ActivityDefinition<>(
        name, input, output, retry, timeouts, key, idempotent, heartbeatTimeout, other, undo);
  }

  // --- what undoes it

  /** See {@link Saga#activity}. It runs at least once, and has to bear a repetition. */
  public ActivityDefinition<I, O> withCompensation(Undo<I, O> code) {
    return new ActivityDefinition<>(
        name,
        input,
        output,
        retry,
        timeouts,
        key,
        idempotent,
        heartbeatTimeout,
        routing,
        Optional.of(code));
  }

  /** The code behind it, for registration. */
  @FunctionalInterface
  public interface Body<I, O> {
    O run(ActivityContext context, I input) throws Exception;
  }
}
