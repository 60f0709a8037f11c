package dev.tenure.examples.subscription;

import java.time.Duration;

/** What a subscription starts with. */
public record Subscribe(Plan plan, int periods, Duration period) {
  /** Twelve periods of thirty days. */
  public static Subscribe forAYear(Plan plan) {
    return new Subscribe(plan, 12, Duration.ofDays(30));
  }
}
