package dev.tenure.workflow;

import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Random numbers from a recorded seed. The algorithm (SplitMix64) is part of what is recorded: a
 * replay, on any Java version, must see the same numbers, so the algorithm is written down here.
 */
public final class SeededRandom implements RandomGenerator {
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private long state;

  public SeededRandom(long seed) {
    this.state = seed;
  }

  /** An independent sequence for a name, so that a new branch does not disturb the others. */
  public static SeededRandom of(long seed, String name) {
    long hash = seed;
    for (int at = 0; at < name.length(); at++) hash = mix(hash + GOLDEN + name.charAt(at));
    return new SeededRandom(hash);
  }

  private static long mix(long value) {
    long z = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  @Override
  public long nextLong() {
    state += GOLDEN;
    return mix(state);
  }

  /** From 0 up to 1. */
  public double chance() {
    return (nextLong() >>> 11) * 0x1.0p-53;
  }

  public UUID nextUuid() {
    long most = nextLong() & 0xffffffffffff0fffL | 0x0000000000004000L;
    long least = nextLong() & 0x3fffffffffffffffL | 0x8000000000000000L;
    return new UUID(most, least);
  }
}
