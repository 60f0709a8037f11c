package dev.tenure.workflow;

import java.time.Duration;
import java.util.Optional;

/**
 * How a step is run.
 *
 * @param key tells the rounds of a loop apart, in any order; by default they are counted
 */
public record StepOptions(Optional<String> key, RetryPolicy retry, Timeouts timeouts) {
  public static final StepOptions DEFAULT =
      new StepOptions(Optional.empty(), RetryPolicy.DEFAULT, Timeouts.DEFAULT);

  public static StepOptions key(String key) {
    return new StepOptions(Optional.of(key), DEFAULT.retry, DEFAULT.timeouts);
  }

  public static StepOptions retry(RetryPolicy policy) {
    return DEFAULT.withRetry(policy);
  }

  public StepOptions withKey(String item) {
    return new StepOptions(Optional.of(item), retry, timeouts);
  }

  public StepOptions withRetry(RetryPolicy policy) {
    return new StepOptions(key, policy, timeouts);
  }

  /** For one attempt. */
  public StepOptions withTimeout(Duration attempt) {
    return new StepOptions(key, retry, timeouts.attempt(attempt));
  }

  /** For all attempts and the delays between them. */
  public StepOptions withTotalTimeout(Duration total) {
    return new StepOptions(key, retry, timeouts.total(total));
  }

  public StepOptions withTimeouts(Timeouts all) {
    return new StepOptions(key, retry, all);
  }
}
