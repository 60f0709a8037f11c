package dev.tenure.client;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * UUIDs of version 7 (RFC 9562): they rise with time, which keeps the indexes of the store short.
 * This client makes them as the engine does. It shares no code with it.
 */
final class RisingIds implements Supplier<String> {
  private static final int UNIT_BITS = 12;

  private final InstantSource clock;
  private final SecureRandom chance = new SecureRandom();

  /** The time of the newest id, in units of 1/4096 ms. */
  private final AtomicLong newest = new AtomicLong();

  RisingIds(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public String get() {
    long now = clock.millis() << UNIT_BITS;
    long unit = newest.updateAndGet(last -> Math.max(last + 1, now));
    long most = unit >>> UNIT_BITS << 16 | 7L << UNIT_BITS | unit & (1L << UNIT_BITS) - 1;
    return new UUID(most, chance.nextLong() & ~(3L << 62) | 2L << 62).toString();
  }
}
