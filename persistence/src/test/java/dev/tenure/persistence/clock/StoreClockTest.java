package dev.tenure.persistence.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.tenure.persistence.storage.StorageException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** How a node reckons the store's time, on clocks that the test turns. */
class StoreClockTest {
  private static final Duration BEAT = Duration.ofSeconds(2);

  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(StoreClock.class);

  private long nanos = -5;
  private Instant store = Instant.parse("2026-03-01T09:00:00Z");
  private Instant machine = store;

  @BeforeEach
  void listen() {
    lines.start();
    logger.setLevel(Level.INFO);
    logger.addAppender(lines);
  }

  @AfterEach
  void listenNoMore() {
    logger.detachAppender(lines);
    logger.setLevel(null);
  }

  private List<String> said() {
    return lines.list.stream().map(line -> line.getLevel() + " " + line.getMessage()).toList();
  }

  /** All clocks run on by as much. */
  private void pass(Duration time) {
    nanos += time.toNanos();
    store = store.plus(time);
    machine = machine.plus(time);
  }

  private StoreClock clock() {
    return new StoreClock(() -> store, () -> machine, () -> nanos);
  }

  /** A look whose question and answer take so long. */
  private void look(StoreClock clock, Duration there, Duration back) {
    long asked = nanos;
    pass(there);
    Instant shown = store;
    pass(back);
    clock.looked(asked, shown, nanos);
  }

  private void beat(StoreClock clock) {
    pass(BEAT);
    look(clock, Duration.ofMillis(1), Duration.ofMillis(1));
  }

  @Test
  void itShowsTheTimeOfTheStoreFromTheBeginning() {
    machine = store.plus(Duration.ofHours(1));
    StoreClock clock = clock();
    assertThat(clock.instant()).isEqualTo(store);
    pass(Duration.ofDays(1));
    assertThat(clock.instant()).isEqualTo(store);
    assertThat(clock.machineAhead()).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void aStoreThatCannotBeReachedLetsNoClockBegin() {
    assertThatThrownBy(
            () ->
                new StoreClock(
                    () -> {
                      throw new StorageException.Unavailable("away", null);
                    },
                    () -> machine,
                    () -> nanos))
        .isInstanceOf(StorageException.Unavailable.class);
  }

  @Test
  void whatIsDoneToTheMachinesClockChangesNothing() {
    StoreClock clock = clock();
    for (long hours : new long[] {1, -2, 24 * 365}) {
      machine = machine.plus(Duration.ofHours(hours));
      assertThat(clock.instant()).isEqualTo(store);
      beat(clock);
      assertThat(clock.instant()).isEqualTo(store);
    }
  }

  @Test
  void theMiddleOfTheRoundTripIsTaken() {
    StoreClock clock = clock();
    // Only after an hour of drift a look that takes 100 ms says more than the one of before.
    for (int i = 0; i < 1_800; i++) pass(BEAT);
    store = store.plusMillis(300);
    machine = store;
    look(clock, Duration.ofMillis(50), Duration.ofMillis(50));
    assertThat(clock.instant()).isEqualTo(store);
    for (int i = 0; i < 1_800; i++) pass(BEAT);
    look(clock, Duration.ofMillis(100), Duration.ZERO);
    assertThat(clock.instant()).as("wrong by half").isCloseTo(store, within(50, ChronoUnit.MILLIS));
  }

  @Test
  void anAnswerThatWasLongOnItsWayDoesNotMakeItWorse() {
    StoreClock clock = clock();
    look(clock, Duration.ofSeconds(4), Duration.ZERO);
    assertThat(clock.instant()).isEqualTo(store);
    assertThat(said()).isEmpty();
  }

  @Test
  void itDoesNotGoBackWhenItWasALittleAhead() {
    StoreClock clock = clock();
    Random random = new Random(7);
    Instant last = clock.instant();
    for (int i = 0; i < 5_000; i++) {
      // A clock that runs wrong by up to 100 parts in a million.
      store = store.plusNanos(random.nextLong(-200_000, 200_001));
      pass(BEAT);
      look(
          clock,
          Duration.ofNanos(random.nextLong(20_000_000)),
          Duration.ofNanos(random.nextLong(20_000_000)));
      for (int n = 0; n < 4; n++) {
        Instant now = clock.instant();
        assertThat(now).isAfterOrEqualTo(last);
        assertThat(now).isCloseTo(store, within(40, ChronoUnit.MILLIS));
        last = now;
        pass(Duration.ofNanos(random.nextLong(10_000_000)));
      }
    }
    assertThat(said()).isEmpty();
  }

  @Test
  void itRunsAtHalfItsPaceUntilTheStoreHasCaughtUp() {
    StoreClock clock = clock();
    Instant before = clock.instant();
    store = store.minusMillis(400);
    look(clock, Duration.ZERO, Duration.ZERO);
    assertThat(clock.instant()).isEqualTo(before);
    pass(Duration.ofMillis(400));
    assertThat(clock.instant()).isEqualTo(before.plusMillis(200)).isEqualTo(store.plusMillis(200));
    pass(Duration.ofMillis(400));
    assertThat(clock.instant()).isEqualTo(store);
    pass(Duration.ofMillis(400));
    assertThat(clock.instant()).isEqualTo(store);
  }

  @Test
  void itFollowsAStoreWhoseClockIsSet() {
    StoreClock clock = clock();
    store = store.plus(Duration.ofHours(1));
    beat(clock);
    assertThat(clock.instant()).isEqualTo(store);
    store = store.minus(Duration.ofHours(3));
    beat(clock);
    assertThat(clock.instant()).isEqualTo(store);
    assertThat(said()).filteredOn(line -> line.contains("store has moved")).hasSize(2);
  }

  /** As in a virtual machine that was stopped, whose clock that measures stood still. */
  @Test
  void itFollowsTheStoreAfterAPauseThatItDidNotMeasure() {
    StoreClock clock = clock();
    store = store.plusSeconds(90);
    machine = machine.plusSeconds(90);
    beat(clock);
    assertThat(clock.instant()).isEqualTo(store);
  }

  @Test
  void aMachineThatIsFarOffIsToldOfOnceForEachChange() {
    StoreClock clock = clock();
    machine = machine.plusMillis(490);
    for (int i = 0; i < 10; i++) beat(clock);
    assertThat(said()).isEmpty();
    machine = machine.plusMillis(100);
    for (int i = 0; i < 10; i++) beat(clock);
    assertThat(said()).hasSize(1);
    machine = machine.minus(Duration.ofHours(1));
    for (int i = 0; i < 10; i++) beat(clock);
    assertThat(said()).hasSize(2).allMatch(line -> line.startsWith("WARN"));
    machine = store;
    for (int i = 0; i < 10; i++) beat(clock);
    assertThat(said()).hasSize(3).last().asString().contains("INFO", "agrees");
    assertThat(lines.list.get(1).getFormattedMessage()).contains("ms behind the store's");
  }

  @Test
  void aMachineThatIsFarOffAtTheStartIsToldOf() {
    machine = machine.plus(Duration.ofHours(1));
    clock();
    assertThat(said()).hasSize(1);
    assertThat(lines.list.getFirst().getFormattedMessage())
        .contains("3600000 ms ahead of the store's");
  }

  @Test
  void aLookThatTookLongSaysNothingOfTheMachine() {
    StoreClock clock =
        new StoreClock(
            () -> {
              Instant shown = store;
              pass(Duration.ofSeconds(2));
              return shown;
            },
            () -> machine,
            () -> nanos);
    assertThat(said()).isEmpty();
    assertThat(clock.instant()).isCloseTo(store, within(1, ChronoUnit.SECONDS));
  }
}
