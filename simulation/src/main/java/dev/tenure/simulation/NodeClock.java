package dev.tenure.simulation;

import dev.tenure.persistence.clock.StoreClock;
import dev.tenure.sharding.loop.Loop;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

/**
 * The clocks of one node. That of its machine is wrong and is set now and then; the engine goes by
 * the store's, as the node reckons it.
 */
final class NodeClock {
  /** A plan that says nothing of clocks has right ones. */
  private static final List<Duration> WRONG_BY =
      List.of(
          Duration.ZERO,
          Duration.ofHours(1),
          Duration.ofHours(-1),
          Duration.ofMillis(700),
          Duration.ofDays(-400));

  private final Loop loop;
  private final Chance chance;
  private final InstantSource machine;
  private final StoreClock store;
  private Duration wrongBy = Duration.ZERO;

  NodeClock(Loop loop, Chance chance, Supplier<Instant> storesTime) {
    this.loop = loop;
    this.chance = chance;
    this.machine = () -> loop.instant().plus(wrongBy);
    set();
    this.store = new StoreClock(storesTime, machine, loop::nanos);
  }

  /** Somebody sets the clock of the machine. */
  void set() {
    wrongBy = WRONG_BY.get(chance.below("clock", WRONG_BY.size()));
  }

  /** What the engine goes by. */
  InstantSource engines(Flaw flaw) {
    return flaw == Flaw.MACHINES_CLOCK_TRUSTED ? machine : store;
  }

  /** A beat was sent and answered at these times, by a clock of that pace in hundredths. */
  void looked(long asked, Instant time, long answered, int pace) {
    // The paces that leases are tried with are none that this clock could make up for.
    store.looked(asked / pace * 100, time, answered / pace * 100);
  }
}
