package dev.tenure.sharding.host;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * UUIDs of version 7 (RFC 9562): they rise with time, and no two are the same. Rows whose keys rise
 * are inserted at one end of an index, whose pages are in memory and have been logged; with random
 * keys each start of a workflow would write a page that nothing else has touched.
 *
 * <p>The first 60 bits that are not fixed are the time, in units of 1/4096 ms. The ids of one
 * process rise strictly: one that would be in the unit of the id before, or before it, gets the
 * next unit. The other 62 bits are random and cannot be guessed. They are taken from the system for
 * many ids at a time: {@link UUID#randomUUID} takes them for each id under one lock, on which all
 * threads that start workflows would wait.
 */
public final class UniqueIds implements Supplier<String> {
  private static final int IDS_AT_ONCE = 256;
  private static final int UNIT_BITS = 12;
  private static final long NANOS_PER_MS = 1_000_000;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final InstantSource clock;
  private final SecureRandom chance = new SecureRandom();
  private final AtomicLong newest = new AtomicLong();
  private final Stripe[] stripes;

  /** Sources of random bytes; two threads rarely use the same one. */
  private final class Stripe {
    private final byte[] random = new byte[Long.BYTES * IDS_AT_ONCE];
    private int used = random.length;

    private synchronized long next() {
      if (used == random.length) {
        chance.nextBytes(random);
        used = 0;
      }
      long bits = (long) LONGS.get(random, used);
      // The bytes of ids that were given out are erased from memory.
      Arrays.fill(random, used, used + Long.BYTES, (byte) 0);
      used += Long.BYTES;
      return bits;
    }
  }

  public UniqueIds(InstantSource clock) {
    this.clock = clock;
    int cores = Runtime.getRuntime().availableProcessors();
    stripes = new Stripe[Integer.highestOneBit(cores) * 4];
    Arrays.setAll(stripes, i -> new Stripe());
  }

  @Override
  public String get() {
    int stripe = (int) Thread.currentThread().threadId() & (stripes.length - 1);
    return of(nextUnit(), stripes[stripe].next()).toString();
  }

  /** Also when the clock stands or goes back. */
  private long nextUnit() {
    long now = unit(clock.instant());
    return newest.updateAndGet(last -> Math.max(last + 1, now));
  }

  private static long unit(Instant time) {
    long rest = time.getNano() % NANOS_PER_MS;
    return time.toEpochMilli() << UNIT_BITS | (rest << UNIT_BITS) / NANOS_PER_MS;
  }

  private static UUID of(long unit, long random) {
    long most = unit >>> UNIT_BITS << 16 | 7L << UNIT_BITS | unit & (1L << UNIT_BITS) - 1;
    return new UUID(most, random & ~(3L << 62) | 2L << 62);
  }
}
