package dev.tenure.sharding.host;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Random UUIDs that cannot be guessed. Random bytes are taken from the system for many ids at a
 * time: {@link UUID#randomUUID} takes them for each id under one lock, on which all threads that
 * start workflows would wait.
 */
public final class UniqueIds implements Supplier<String> {
  private static final int ID_BYTES = 16;
  private static final int IDS_AT_ONCE = 128;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final SecureRandom chance = new SecureRandom();
  private final Stripe[] stripes;

  /** Sources of random bytes; two threads rarely use the same one. */
  private final class Stripe {
    private final byte[] random = new byte[ID_BYTES * IDS_AT_ONCE];
    private int used = random.length;

    private synchronized UUID next() {
      if (used == random.length) {
        chance.nextBytes(random);
        used = 0;
      }
      long most = (long) LONGS.get(random, used);
      long least = (long) LONGS.get(random, used + Long.BYTES);
      // The bytes of ids that were given out are erased from memory.
      Arrays.fill(random, used, used + ID_BYTES, (byte) 0);
      used += ID_BYTES;
      // Version 4, variant 2: as every random UUID.
      return new UUID(most & ~0xf000L | 0x4000L, least & ~(3L << 62) | 2L << 62);
    }
  }

  public UniqueIds() {
    int cores = Runtime.getRuntime().availableProcessors();
    stripes = new Stripe[Integer.highestOneBit(cores) * 4];
    Arrays.setAll(stripes, i -> new Stripe());
  }

  @Override
  public String get() {
    int stripe = (int) Thread.currentThread().threadId() & (stripes.length - 1);
    return stripes[stripe].next().toString();
  }
}
