package dev.tenure.simulation;

import dev.tenure.sharding.loop.Loop;
import java.time.Duration;
import java.util.SplittableRandom;

/** All chance of a simulation, from its seed. Trouble ends when calm begins. */
final class Chance implements Loop.Choice {
  private final SplittableRandom random;
  private boolean calm;

  Chance(long seed) {
    random = new SplittableRandom(seed);
  }

  void calms() {
    calm = true;
  }

  boolean isCalm() {
    return calm;
  }

  /** Whether something goes wrong now, which it does once in so many times. */
  boolean trouble(int oneIn) {
    return !calm && random.nextInt(oneIn) == 0;
  }

  boolean half() {
    return random.nextBoolean();
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  long anyLong() {
    return random.nextLong();
  }

  Duration upTo(Duration most) {
    return Duration.ofMillis(random.nextLong(most.toMillis() + 1));
  }

  @Override
  public int among(int count) {
    // Mostly in order, or nothing would ever come to its end.
    return random.nextInt(4) == 0 ? random.nextInt(count) : 0;
  }
}
