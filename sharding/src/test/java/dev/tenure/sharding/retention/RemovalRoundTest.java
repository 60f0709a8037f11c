package dev.tenure.sharding.retention;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A round goes on while there is something to remove, and leaves half of the time to others. */
class RemovalRoundTest {
  private static final int BATCH = 10;
  private static final long BATCH_NANOS = 1_000_000;

  private final AtomicLong nanos = new AtomicLong();
  private final List<Long> pauses = new ArrayList<>();
  private final AtomicBoolean stops = new AtomicBoolean();
  private long left;

  private RemovalRound round(Duration limit) {
    return new RemovalRound(BATCH, limit, nanos::get, this::pause, stops::get);
  }

  private void pause(long time) {
    pauses.add(time);
    nanos.addAndGet(time);
  }

  private int remove() {
    nanos.addAndGet(BATCH_NANOS);
    int now = (int) Math.min(BATCH, left);
    left -= now;
    return now;
  }

  @Test
  void itGoesOnUntilABatchIsNotFull() {
    left = 50_003;
    assertThat(round(Duration.ofHours(1)).run(this::remove))
        .isEqualTo(new RemovalRound.Ended(50_003, false));
    assertThat(left).isZero();
  }

  @Test
  void aBatchThatIsExactlyTheLastIsFollowedByAnEmptyOne() {
    left = 3 * BATCH;
    assertThat(round(Duration.ofHours(1)).run(this::remove))
        .isEqualTo(new RemovalRound.Ended(3 * BATCH, false));
  }

  @Test
  void afterEachFullBatchItRestsForAsLongAsTheBatchTook() {
    left = 5 * BATCH;
    round(Duration.ofHours(1)).run(this::remove);
    assertThat(pauses).hasSize(5);
    assertThat(pauses.stream().collect(Collectors.toSet())).containsExactly(BATCH_NANOS);
  }

  @Test
  void aRoundThatEndsAtItsLimitSaysThatMoreIsLeft() {
    left = Long.MAX_VALUE;
    long batches = 7;
    assertThat(round(Duration.ofNanos(2 * BATCH_NANOS * batches)).run(this::remove))
        .isEqualTo(new RemovalRound.Ended(batches * BATCH, true));
  }

  @Test
  void itEndsWithTheNode() {
    left = Long.MAX_VALUE;
    RemovalRound.Ended ended =
        round(Duration.ofHours(1))
            .run(
                () -> {
                  stops.set(nanos.get() >= 4 * BATCH_NANOS);
                  return remove();
                });
    assertThat(ended.isFull()).isFalse();
    assertThat(ended.rows()).isEqualTo(3 * BATCH);
  }
}
