package dev.tenure.persistence.clock;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time of the store, as a node reckons it between two looks at the store's clock. It runs by
 * the process's clock that only measures: a person or a service who sets the clock of the machine
 * changes nothing here.
 *
 * <p>A look says that the store's clock showed a time at some moment between the question and the
 * answer; the middle of the two is taken, and is wrong by half of what lies between at most. A look
 * that says no more than what is known already is not used: an answer that was long on its way
 * would make the clock worse.
 *
 * <p>The clock runs on where it was a little ahead, at half its pace, until the store's has caught
 * up. Only when the store's clock itself was set back does this one go back, too.
 */
public final class StoreClock implements InstantSource {
  /** A machine whose clock is further from the store's is told of. */
  public static final Duration TOLERATED = Duration.ofMillis(500);

  /** What lies further back is a clock that was set, and no error of a look. */
  static final Duration CAUGHT_UP_MAX = Duration.ofSeconds(1);

  /** Clocks that only measure differ by less than one part in this many. */
  private static final long DRIFT_PARTS = 5_000;

  /** An answer takes less time only once its connection is there. */
  private static final int FIRST_LOOKS = 3;

  private static final Logger log = LoggerFactory.getLogger(StoreClock.class);
  private static final long SECOND = 1_000_000_000;

  private final InstantSource machine;
  private final LongSupplier nanoTime;
  private volatile Reckoning reckoning;

  /** By how much the log said last that the machine's clock is off; zero when it is not. */
  private Duration told = Duration.ZERO;

  /**
   * @param at of the clock that only measures
   * @param store nanoseconds since 1970 by the store's clock, at that moment
   * @param doubt by how much that may be wrong
   * @param ahead by how much this clock was ahead of the store's at that moment
   */
  private record Reckoning(long at, long store, long doubt, long ahead) {
    long storeAt(long nanos) {
      return store + (nanos - at);
    }

    long shownAt(long nanos) {
      return storeAt(nanos) + ahead - Math.min(ahead, Math.max(0, nanos - at) / 2);
    }

    long doubtAt(long nanos) {
      return doubt + Math.max(0, nanos - at) / DRIFT_PARTS;
    }
  }

  /**
   * Looks at the store's clock before anything can ask for the time.
   *
   * @param store tells the store's time; throws when the store cannot be reached
   * @param machine the clock that people set
   * @param nanoTime a clock that only measures, as {@link System#nanoTime}
   */
  public StoreClock(Supplier<Instant> store, InstantSource machine, LongSupplier nanoTime) {
    this.machine = machine;
    this.nanoTime = nanoTime;
    for (int i = 0; i < FIRST_LOOKS; i++) {
      long asked = nanoTime.getAsLong();
      Instant time = store.get();
      look(asked, time, nanoTime.getAsLong());
    }
    tell();
  }

  /**
   * Learns what the store's clock showed.
   *
   * @param asked when the question was sent, by the clock that only measures
   * @param answered when the answer was there
   */
  public synchronized void looked(long asked, Instant store, long answered) {
    look(asked, store, answered);
    tell();
  }

  private synchronized void look(long asked, Instant store, long answered) {
    long doubt = (answered - asked) / 2;
    long middle = asked + doubt;
    long shown = nanosOf(store);
    Reckoning before = reckoning;
    if (before == null) {
      reckoning = new Reckoning(middle, shown, doubt, 0);
      return;
    }
    long known = before.doubtAt(middle);
    boolean agrees = Math.abs(shown - before.storeAt(middle)) <= known + doubt;
    if (agrees && known <= doubt) return;
    long now = nanoTime.getAsLong();
    long storeNow = shown + (now - middle);
    long ahead = before.shownAt(now) - storeNow;
    if (!agrees && Math.abs(ahead) > CAUGHT_UP_MAX.toNanos())
      log.warn(
          "the clock of the store has moved by {} ms, and the time of workflows with it",
          -ahead / 1_000_000);
    boolean wasSet = ahead > CAUGHT_UP_MAX.toNanos();
    reckoning = new Reckoning(now, storeNow, doubt, wasSet ? 0 : Math.max(0, ahead));
  }

  /** The time by the store's clock. */
  @Override
  public Instant instant() {
    return instantOf(reckoning.shownAt(nanoTime.getAsLong()));
  }

  /** The clock of the machine, which people set: for code that compares with it. */
  public InstantSource machine() {
    return machine;
  }

  /** By how much the machine's clock is ahead of the store's now; negative when it is behind. */
  public Duration machineAhead() {
    return Duration.between(instantOf(reckoning.storeAt(nanoTime.getAsLong())), machine.instant());
  }

  /** Says it once each time that it has changed, not with each look. */
  private synchronized void tell() {
    Duration ahead = machineAhead();
    Duration doubt = Duration.ofNanos(reckoning.doubtAt(nanoTime.getAsLong()));
    boolean isFar = ahead.abs().minus(doubt).compareTo(TOLERATED) > 0;
    boolean wasFar = !told.isZero();
    if (isFar && ahead.minus(told).abs().compareTo(TOLERATED) > 0) {
      told = ahead;
      log.warn(
          "the clock of this machine is {} ms {} the store's: workflows go by the store's, but log"
              + " entries and other programs here do not",
          ahead.abs().toMillis(),
          ahead.isNegative() ? "behind" : "ahead of");
    } else if (!isFar && wasFar && ahead.abs().compareTo(TOLERATED) <= 0) {
      told = Duration.ZERO;
      log.info("the clock of this machine agrees with the store's again");
    }
  }

  private static long nanosOf(Instant time) {
    return Math.addExact(Math.multiplyExact(time.getEpochSecond(), SECOND), time.getNano());
  }

  private static Instant instantOf(long nanos) {
    return Instant.ofEpochSecond(Math.floorDiv(nanos, SECOND), Math.floorMod(nanos, SECOND));
  }
}
