package dev.tenure.workflow;

import java.time.Duration;

/**
 * What a workflow knows of an activity: its name, its types, how it is retried. The code behind it
 * is registered under the same name, here or elsewhere.
 */
public record ActivityDefinition<I, O>(
    String name, TypeRef<I> input, TypeRef<O> output, RetryPolicy retry, Timeouts timeouts) {
  public static final int NAME_BYTES_MAX = 256;

  public ActivityDefinition {
    Text.require("activity name", name, NAME_BYTES_MAX);
  }

  public static <I, O> ActivityDefinition<I, O> of(String name, Class<I> input, Class<O> output) {
    return of(name, TypeRef.of(input), TypeRef.of(output));
  }

  public static <I, O> ActivityDefinition<I, O> of(
      String name, TypeRef<I> input, TypeRef<O> output) {
    return new ActivityDefinition<>(name, input, output, RetryPolicy.DEFAULT, Timeouts.DEFAULT);
  }

  public ActivityDefinition<I, O> withRetry(RetryPolicy policy) {
    return new ActivityDefinition<>(name, input, output, policy, timeouts);
  }

  /** For one attempt. */
  public ActivityDefinition<I, O> withTimeout(Duration attempt) {
    return new ActivityDefinition<>(name, input, output, retry, timeouts.attempt(attempt));
  }

  /** For all attempts and the delays between them. */
  public ActivityDefinition<I, O> withTotalTimeout(Duration total) {
    return new ActivityDefinition<>(name, input, output, retry, timeouts.total(total));
  }

  /** The code behind it, for registration. */
  @FunctionalInterface
  public interface Body<I, O> {
    O run(ActivityContext context, I input) throws Exception;
  }
}
