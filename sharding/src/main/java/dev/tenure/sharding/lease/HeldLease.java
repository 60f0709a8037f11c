package dev.tenure.sharding.lease;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** A lease of this node, and until when it may be trusted. */
final class HeldLease {
  final long epoch;
  final Consumer<Optional<Throwable>> lost;
  final AtomicBoolean isChecked = new AtomicBoolean();
  volatile long trustedUntil;

  HeldLease(long epoch, long trustedUntil, Consumer<Optional<Throwable>> lost) {
    this.epoch = epoch;
    this.trustedUntil = trustedUntil;
    this.lost = lost;
  }
}
