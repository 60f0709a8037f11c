package dev.tenure.simulation;

import dev.tenure.sharding.loop.Loop;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * All chance of a simulation. Each place that draws has a name and a sequence of its own, from the
 * seed or from a plan, so that a new place leaves the draws of all others as they are. What is
 * drawn is kept; trouble ends when calm begins.
 */
final class Chance implements Loop.Choice {
  private static final String ORDER = "order";

  /** The draws of one place: how many there were, and those that are not 0. */
  private static final class Draws {
    final SplittableRandom random;
    final Map<Integer, Long> recorded;
    final TreeMap<Integer, Long> made = new TreeMap<>();
    int count;

    Draws(SplittableRandom random, Map<Integer, Long> recorded) {
      this.random = random;
      this.recorded = recorded;
    }
  }

  private final long seed;
  private final Map<String, Map<Integer, Long>> plan;
  private final Map<String, Draws> places = new HashMap<>();
  private final Set<Fault> struck = EnumSet.noneOf(Fault.class);
  private boolean calm;

  /**
   * @param plan what to draw, by place; null to draw from the seed
   */
  Chance(long seed, Map<String, Map<Integer, Long>> plan) {
    this.seed = World.mix(seed + 1);
    this.plan = plan;
  }

  private long draw(String place, long bound) {
    return draw(place, bound, random -> random.nextLong(bound));
  }

  private long draw(String place, long bound, ToLongFunction<SplittableRandom> fresh) {
    Draws draws = places.computeIfAbsent(place, this::draws);
    int at = draws.count++;
    long value =
        plan == null
            ? fresh.applyAsLong(draws.random)
            : Math.floorMod(draws.recorded.getOrDefault(at, 0L), bound);
    if (value != 0) draws.made.put(at, value);
    return value;
  }

  private Draws draws(String place) {
    return new Draws(
        new SplittableRandom(World.mix(seed ^ (long) place.hashCode() << 20)),
        plan == null ? Map.of() : plan.getOrDefault(place, Map.of()));
  }

  /** All that was drawn so far, by place. */
  Map<String, Map<Integer, Long>> drawn() {
    Map<String, Map<Integer, Long>> all = new TreeMap<>();
    places.forEach(
        (place, draws) -> {
          if (!draws.made.isEmpty()) all.put(place, draws.made);
        });
    return all;
  }

  void calms() {
    calm = true;
  }

  boolean isCalm() {
    return calm;
  }

  /** Whether the fault strikes now. It does not when a plan does not name it. */
  boolean strikes(Fault fault) {
    boolean strikes =
        !calm && draw(fault.name(), 2, random -> random.nextInt(fault.oneIn()) == 0 ? 1 : 0) == 1;
    if (strikes) struck.add(fault);
    return strikes;
  }

  Set<Fault> struck() {
    return struck;
  }

  boolean half(String place) {
    return draw(place, 2) == 1;
  }

  int below(String place, int bound) {
    return (int) draw(place, bound);
  }

  long anyLong(String place) {
    return draw(place, Long.MAX_VALUE);
  }

  Duration upTo(String place, Duration most) {
    return Duration.ofMillis(draw(place, most.toMillis() + 1));
  }

  @Override
  public int among(int count) {
    // Mostly in order, or no workflow would end.
    return (int) draw(ORDER, count, random -> random.nextInt(4) == 0 ? random.nextInt(count) : 0);
  }
}
