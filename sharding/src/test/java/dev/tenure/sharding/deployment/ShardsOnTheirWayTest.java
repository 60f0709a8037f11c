package dev.tenure.sharding.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** For how long a shard that goes keeps its place. */
class ShardsOnTheirWayTest {
  private static final long SETTLE_MAX = 100;
  private static final String ONE = "10.0.0.1:7355";
  private static final String TWO = "10.0.0.2:7355";

  private final Map<Integer, Long> begun = new HashMap<>();
  private final ShardsOnTheirWay shards =
      new ShardsOnTheirWay(
          SETTLE_MAX,
          shard ->
              begun.containsKey(shard) ? OptionalLong.of(begun.get(shard)) : OptionalLong.empty());

  private int of(String node, long now, String... underWay) {
    return shards.of(node, List.of("1", "2", "3"), Set.of(underWay), now);
  }

  @Test
  void aShardHasAPlaceUntilWhatWasDueThereHasBegun() {
    shards.goes("4", ONE, 0);
    assertThat(of(ONE, 10, "4")).isEqualTo(1);
    assertThat(of(ONE, 20)).as("handed over, and nothing of it has begun").isEqualTo(1);
    begun.put(4, 30L);
    assertThat(of(ONE, 40)).isZero();
  }

  @Test
  void whatBeganAtAnEarlierOwnerSaysNothing() {
    begun.put(4, 5L);
    shards.goes("4", ONE, 10);
    assertThat(of(ONE, 20)).isEqualTo(1);
  }

  @Test
  void aShardOfWhichNobodySaysAnythingKeepsItsPlaceForAWhileAfterItHasGone() {
    shards.goes("4", ONE, 0);
    assertThat(of(ONE, 5 * SETTLE_MAX, "4")).isEqualTo(1);
    assertThat(of(ONE, 6 * SETTLE_MAX - 1)).isEqualTo(1);
    assertThat(of(ONE, 6 * SETTLE_MAX)).isZero();
  }

  @Test
  void aShardThatMovesForAnotherReasonHasAPlaceOnceOnly() {
    shards.goes("2", ONE, 0);
    assertThat(of(ONE, 10, "2", "3", "9")).isEqualTo(2);
  }

  @Test
  void eachNodeHasItsOwnPlaces() {
    shards.goes("4", ONE, 0);
    shards.goes("5", TWO, 0);
    shards.goes("6", TWO, 0);
    assertThat(of(ONE, 10)).isEqualTo(1);
    assertThat(of(TWO, 10)).isEqualTo(2);
  }
}
