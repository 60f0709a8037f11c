package dev.tenure.sharding.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.message.Message;
import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Which workflows in memory are looked at, on clocks that the test turns. */
class ResidentsTest {
  private static final WorkflowId ID = WorkflowId.of("w");
  private static final Duration LOOK = Residents.LOOK_EVERY;

  private long nanos;
  private long ms = 1_000_000;
  private final Residents residents =
      new Residents(() -> Instant.ofEpochMilli(ms), () -> nanos, 10, Duration.ofSeconds(10));
  private final Resident one = new Resident();

  private static final class Resident extends Residents.Resident {
    private boolean quiet = true;
    private long dueMs = Long.MAX_VALUE;
    private int looks;

    @Override
    protected void look(long nowMs, boolean crowded, boolean carriers) {
      looks++;
    }

    @Override
    protected boolean rests() {
      return quiet;
    }

    @Override
    protected boolean isQuiet() {
      return quiet;
    }

    @Override
    protected boolean tell(Message message) {
      return true;
    }

    @Override
    protected long dueMs() {
      return dueMs;
    }
  }

  /** So many looks in the usual distance; how many of them were at it. */
  private int looksAtIt(int looks) {
    int before = one.looks;
    for (int i = 0; i < looks; i++) {
      nanos += LOOK.toNanos();
      ms += LOOK.toMillis();
      residents.look(true);
    }
    return one.looks - before;
  }

  @Test
  void whatDoesSomethingIsLookedAtEachTime() {
    one.quiet = false;
    residents.add(ID, one);

    assertThat(looksAtIt(40)).isEqualTo(40);
  }

  @Test
  void whatRestsIsLookedAtNowAndThen() {
    residents.add(ID, one);

    int all = (int) (40 * LOOK.toNanos() / Residents.ALL_EVERY_MAX.toNanos());
    assertThat(looksAtIt(40)).isBetween(all, all + 1);
  }

  @Test
  void whatItsOwnerTakesUpAgainIsLookedAtAtOnce() {
    residents.add(ID, one);
    looksAtIt(3);
    one.quiet = false;
    one.awakes();

    assertThat(looksAtIt(5)).isEqualTo(5);
  }

  @Test
  void aTimerOfWhatRestsIsSeenInTime() {
    one.dueMs = ms + 10_000;
    residents.add(ID, one);
    looksAtIt(3);
    int before = one.looks;
    // Only the clock of the workflows moves: somebody turns it.
    ms += 10_000;
    residents.look(true);

    assertThat(one.looks).isEqualTo(before + 1);
  }

  @Test
  void whatIsDueSoonIsLookedAtEachTime() {
    one.dueMs = ms + 500;
    residents.add(ID, one);

    assertThat(looksAtIt(19)).isEqualTo(19);
  }

  @Test
  void aClockThatIsSetBackHidesNothing() {
    residents.add(ID, one);
    looksAtIt(3);
    int before = one.looks;
    ms -= 3_600_000;
    residents.look(true);

    assertThat(one.looks).isEqualTo(before + 1);
  }

  @Test
  void whatHasGoneIsLookedAtNoMore() {
    one.quiet = false;
    residents.add(ID, one);
    looksAtIt(3);
    residents.remove(ID, one);

    assertThat(looksAtIt(30)).isZero();
    assertThat(residents.size()).isZero();
  }
}
