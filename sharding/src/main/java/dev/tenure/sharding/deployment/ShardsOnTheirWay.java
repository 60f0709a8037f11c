package dev.tenure.sharding.deployment;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * The shards that nodes which leave have given away, and whose workflows do not all move again yet.
 * The others have to read the histories of these workflows. When they were given all shards as fast
 * as shards can move, the workflows of the last ones would wait for those of all others.
 */
final class ShardsOnTheirWay {
  private static final class Move {
    final String from;
    final long begunAt;
    long seenMovingAt;

    Move(String from, long now) {
      this.from = from;
      begunAt = now;
      seenMovingAt = now;
    }
  }

  private final long settleMax;
  private final IntFunction<OptionalLong> begunAt;
  private final Map<String, Move> moves = new HashMap<>();

  /**
   * @param settleMax for how many nanoseconds after it has gone a shard counts at most. A node of
   *     an older version says nothing, and a message may get lost
   * @param begunAt when what was due in a shard began at its new owner
   */
  ShardsOnTheirWay(long settleMax, IntFunction<OptionalLong> begunAt) {
    this.settleMax = settleMax;
    this.begunAt = begunAt;
  }

  /** This shard goes from that node. */
  synchronized void goes(String shard, String from, long now) {
    moves.put(shard, new Move(from, now));
  }

  /**
   * How many shards of this node are on their way.
   *
   * @param held the shards that it has, as far as the coordinator knows
   * @param underWay the shards that their owners are giving up
   */
  synchronized int of(String node, Collection<String> held, Set<String> underWay, long now) {
    moves.forEach(
        (shard, move) -> {
          if (underWay.contains(shard)) move.seenMovingAt = now;
        });
    moves.entrySet().removeIf(one -> isDone(one.getKey(), one.getValue(), now));
    Set<String> going = new HashSet<>(held);
    going.retainAll(underWay);
    moves.forEach(
        (shard, move) -> {
          if (move.from.equals(node)) going.add(shard);
        });
    return going.size();
  }

  private boolean isDone(String shard, Move move, long now) {
    if (now - move.seenMovingAt >= settleMax) return true;
    OptionalLong begun = begunAt.apply(Integer.parseInt(shard));
    return begun.isPresent() && begun.getAsLong() - move.begunAt > 0;
  }
}
