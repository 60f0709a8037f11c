package dev.tenure.sharding.lease;

/** A shard's lease was lost; its entities are stopped. */
public final class TenureLostError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TenureLostError(int shard, long epoch, String why) {
    // Without a stack trace: it is expected, and reported for many shards at once.
    super(
        "the tenure of shard " + shard + " at epoch " + epoch + " is lost: " + why,
        null,
        false,
        false);
  }
}
