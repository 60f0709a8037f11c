package dev.tenure.persistence.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Whether a shard's lease can be taken: decided from the stored row and the database's clock. */
public sealed interface Takeover {
  /** Take it, under a higher epoch than it ever had. */
  record Take(Reason reason) implements Takeover {}

  /** A node that may still be alive holds it, for this much longer. */
  record Wait(Holder holder, Duration atMost) implements Takeover {}

  /** Why a lease is free to take. */
  enum Reason {
    NEVER_HELD,
    RELEASED,
    EXPIRED,
    OWN,
    HOLDER_GONE
  }

  /**
   * A lease can be taken when no node has it, when it ran out, when the claimant itself has it (the
   * shard starts again; a new epoch fences what the old start left behind), or when its holder is
   * gone for good: fencing makes that safe, so there is no need to wait until the lease runs out.
   */
  static Takeover decide(
      Optional<Lease> stored, Holder claimant, Membership members, Instant databaseNow) {
    if (stored.isEmpty()) return new Take(Reason.NEVER_HELD);
    Lease lease = stored.get();
    if (lease.holder().isEmpty()) return new Take(Reason.RELEASED);
    Holder holder = lease.holder().get();
    if (holder.equals(claimant)) return new Take(Reason.OWN);
    if (!databaseNow.isBefore(lease.expiresAt())) return new Take(Reason.EXPIRED);
    if (members.isGone(holder)) return new Take(Reason.HOLDER_GONE);
    return new Wait(holder, Duration.between(databaseNow, lease.expiresAt()));
  }
}
