package dev.tenure.sharding.lease;

import com.typesafe.config.Config;
import java.time.Duration;

/**
 * The times and limits of leases.
 *
 * @param timeToLive for how long a lease is held without being renewed
 * @param renewEvery how often all leases of the node are renewed
 * @param claimLimit the time after which a claim that was not granted counts as refused
 * @param claimRetry how often a claim is repeated until then
 */
public record LeaseTimes(
    Duration timeToLive, Duration renewEvery, Duration claimLimit, Duration claimRetry) {
  public LeaseTimes {
    if (renewEvery.multipliedBy(3).compareTo(timeToLive) > 0) {
      throw new IllegalArgumentException(
          "leases live for %s and are renewed every %s: one late renewal would lose them all. Renew at least three times in a lifetime"
              .formatted(timeToLive, renewEvery));
    }
    if (claimLimit.isNegative() || claimLimit.isZero() || claimRetry.isNegative()) {
      throw new IllegalArgumentException("the limits of a claim are not positive");
    }
  }

  static LeaseTimes of(Config lease) {
    return new LeaseTimes(
        lease.getDuration("time-to-live"),
        lease.getDuration("renew-every"),
        lease.getDuration("lease-operation-timeout"),
        lease.getDuration("claim-retry"));
  }

  /**
   * For how long the holder itself believes in a lease after it sent the renewal: less than the
   * store does, so that clocks which do not run equally fast never make it believe longer (I15).
   */
  public Duration trusted() {
    return timeToLive.minus(timeToLive.dividedBy(10));
  }
}
