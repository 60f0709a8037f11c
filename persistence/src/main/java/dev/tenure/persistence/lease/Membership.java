package dev.tenure.persistence.lease;

/** What a claimant knows of the cluster when it asks for a lease. */
@FunctionalInterface
public interface Membership {
  /** No member is known to be gone: leases are taken when they expire. */
  Membership UNKNOWN = holder -> false;

  /** True when this incarnation was downed or removed and will not come back. */
  boolean isGone(Holder holder);
}
