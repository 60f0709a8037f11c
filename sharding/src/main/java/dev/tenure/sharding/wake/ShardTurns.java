package dev.tenure.sharding.wake;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Work that is done once for each shard that a node gets. After another node was lost many shards
 * come at once, and are worked on together. When that fails each of them is tried again by itself:
 * one that always fails holds up no other.
 */
final class ShardTurns {
  private final ScheduledExecutorService thread;
  private final Duration pause;
  private final Predicate<Set<Integer>> work;
  private final Consumer<Set<Integer>> next;
  private final Set<Integer> waiting = ConcurrentHashMap.newKeySet();

  /**
   * @param pause before something that failed is tried again
   * @param work says whether it went well
   * @param next is told of the shards with which it did
   */
  ShardTurns(
      ScheduledExecutorService thread,
      Duration pause,
      Predicate<Set<Integer>> work,
      Consumer<Set<Integer>> next) {
    this.thread = thread;
    this.pause = pause;
    this.work = work;
    this.next = next;
  }

  void add(Set<Integer> shards) {
    if (waiting.addAll(shards)) thread.execute(this::turn);
  }

  private void turn() {
    Set<Integer> now = Set.copyOf(waiting);
    // A shard that comes again meanwhile has another turn.
    waiting.removeAll(now);
    if (!now.isEmpty()) attempt(now);
  }

  private void attempt(Set<Integer> shards) {
    if (work.test(shards)) next.accept(shards);
    else thread.schedule(() -> again(shards), pause.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void again(Set<Integer> shards) {
    for (int shard : shards) attempt(Set.of(shard));
  }
}
