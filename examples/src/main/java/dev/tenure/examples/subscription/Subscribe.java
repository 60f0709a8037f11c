package dev.tenure.examples.subscription;

import java.time.Duration;
import java.util.Optional;

/**
 * What a subscription starts with.
 *
 * @param soFar how it stands when it goes on in another run
 */
public record Subscribe(
    Plan plan, int periods, Duration period, Optional<SubscriptionState> soFar) {
  public Subscribe(Plan plan, int periods, Duration period) {
    this(plan, periods, period, Optional.empty());
  }

  /** Twelve periods of thirty days. */
  public static Subscribe forAYear(Plan plan) {
    return new Subscribe(plan, 12, Duration.ofDays(30));
  }

  /** The same, for the next run. */
  public Subscribe goingOn(SubscriptionState state) {
    return new Subscribe(state.plan(), periods, period, Optional.of(state));
  }
}
