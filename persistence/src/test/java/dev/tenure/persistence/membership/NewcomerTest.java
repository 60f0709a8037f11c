package dev.tenure.persistence.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.memory.MemoryStorage;
import dev.tenure.persistence.storage.StorageException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** How long a newcomer watches before it believes that nobody is there. */
class NewcomerTest {
  private static final Duration WINDOW = Duration.ofSeconds(10);
  private static final Holder OLD = new Holder("tenure@old:1", 1);
  private static final Holder NEW = new Holder("tenure@new:1", 2);

  private long nanos = 1;
  private Instant storeTime = Instant.parse("2026-03-01T09:00:00Z");
  private final AtomicBoolean outage = new AtomicBoolean();
  private final Members store = MemoryStorage.create(() -> storeTime).members();
  private final Newcomer newcomer = new Newcomer(withOutages(), NEW, WINDOW, () -> nanos);

  @Test
  void silentMembersAreWaitedForAWholeWindowOfWatching() {
    foundBy(OLD);
    pass(Duration.ofHours(1));

    assertThat(newcomer.look()).isInstanceOf(Formation.Reach.class);
    for (int second = 1; second < 10; second++) {
      pass(Duration.ofSeconds(1));
      assertThat(newcomer.look()).as("after %d s", second).isInstanceOf(Formation.Reach.class);
    }
    pass(Duration.ofSeconds(1));
    assertThat(newcomer.look()).isEqualTo(new Formation.Found(2, Formation.Reason.ALL_SILENT));
  }

  @Test
  void aSignOfLifeStartsTheWindowAnew() {
    foundBy(OLD);
    pass(Duration.ofHours(1));
    newcomer.look();
    lookEverySecond(9);
    store.beat(OLD, 1, Duration.ZERO);

    lookEverySecond(10);
    assertThat(newcomer.look()).isInstanceOf(Formation.Reach.class);
    lookEverySecond(1);
    assertThat(newcomer.look()).isInstanceOf(Formation.Found.class);
  }

  @Test
  void anOutageOfTheStoreStartsTheWindowAnew() {
    foundBy(OLD);
    newcomer.look();
    outage.set(true);
    for (int second = 0; second < 30; second++) {
      pass(Duration.ofSeconds(1));
      assertThatThrownBy(newcomer::look).isInstanceOf(StorageException.class);
    }
    outage.set(false);

    // The member could not beat either; it is older than the window by every clock.
    assertThat(newcomer.look()).isInstanceOf(Formation.Reach.class);
    lookEverySecond(9);
    store.beat(OLD, 1, Duration.ZERO);
    assertThat(newcomer.look()).isInstanceOf(Formation.Join.class);
  }

  @Test
  void aPauseOfTheNewcomerStartsTheWindowAnew() {
    foundBy(OLD);
    newcomer.look();
    pass(Duration.ofSeconds(30));

    assertThat(newcomer.look()).isInstanceOf(Formation.Reach.class);
  }

  @Test
  void watchedTimeIsCountedFromTheAnswerOfTheFirstLookToTheStartOfThisOne() {
    foundBy(OLD);
    Newcomer slow =
        new Newcomer(
            new ForwardingMembers(store) {
              @Override
              public Formation seek(Holder self, Function<Roster, Formation> decision) {
                Formation formation = super.seek(self, decision);
                pass(Duration.ofSeconds(4)); // the answer takes its time
                return formation;
              }
            },
            NEW,
            WINDOW,
            () -> nanos);
    pass(Duration.ofSeconds(60));
    slow.look(); // answered at 4 s
    pass(Duration.ofSeconds(3));
    slow.look(); // asked at 7 s: watched for 3 s
    pass(Duration.ofSeconds(2));
    // asked at 13 s: watched for 9 s, although 13 s went by since the first question
    assertThat(slow.look())
        .isInstanceOfSatisfying(
            Formation.Reach.class,
            reach -> assertThat(reach.atMost()).isEqualTo(Duration.ofSeconds(1)));
  }

  private void foundBy(Holder node) {
    store.seek(node, roster -> Formation.decide(roster, node, row -> Duration.ZERO, WINDOW));
  }

  private void lookEverySecond(int times) {
    for (int i = 0; i < times; i++) {
      pass(Duration.ofSeconds(1));
      assertThat(newcomer.look()).isInstanceOf(Formation.class);
    }
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
    storeTime = storeTime.plus(time);
  }

  private Members withOutages() {
    return new ForwardingMembers(store) {
      @Override
      public Formation seek(Holder self, Function<Roster, Formation> decision) {
        if (outage.get()) throw new StorageException.Unavailable("the store is down", null);
        return super.seek(self, decision);
      }
    };
  }
}
