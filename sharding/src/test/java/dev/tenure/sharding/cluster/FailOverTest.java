package dev.tenure.sharding.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.shard.ShardOf;
import dev.tenure.sharding.process.Await;
import dev.tenure.sharding.process.NodeProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Each workflow of a node that is killed, or that leaves, is asked to commit something from that
 * moment on. Prints how long that took; {@code tenure.kills} is how often, {@code tenure.workflows}
 * how many there are.
 */
class FailOverTest {
  private static final int SIZE = 3;
  private static final int KILLS = Integer.getInteger("tenure.kills", 2);
  private static final int WORKFLOWS = Integer.getInteger("tenure.workflows", 600);
  private static final int STARTS_AT_ONCE = 100;
  private static final Duration MOVES_WITHIN = Duration.ofSeconds(40);

  /** What was sent to the dead node is lost, and what a shard held back when it moved. */
  private static final Duration ANSWER_LIMIT = Duration.ofMillis(400);

  private static final Duration AGAIN_AFTER = Duration.ofMillis(50);

  private static final List<String> COUNTERS =
      IntStream.range(0, WORKFLOWS).mapToObj(i -> "active-" + i).toList();

  private final List<Long> all = new ArrayList<>();
  private final List<Long> slowest = new ArrayList<>();
  private int round;

  @Test
  void allWorkflowsOfADeadNodeMoveAgain() {
    try (CountingCluster cluster = CountingCluster.start("fail-over", SIZE)) {
      startAll(cluster);
      for (int kill = 0; kill < KILLS; kill++) {
        int node = kill % SIZE;
        List<String> owned = ownedBy(cluster, node);
        cluster.avoid(node);
        cluster.node(node).signal("KILL");
        measure(cluster, owned, "kill " + (kill + 1));

        cluster.launch(node);
        cluster.awaitUp(node);
        cluster.awaitMembers(SIZE);
        awaitShare(cluster, node);
      }
      print("after SIGKILL");
      assertThat(cluster.generation()).isEqualTo(1);
    }
  }

  @Test
  void noWorkflowOfANodeThatLeavesPausesForLong() {
    try (CountingCluster cluster = CountingCluster.start("drain", SIZE)) {
      startAll(cluster);
      int leaving = 0;
      List<String> owned = ownedBy(cluster, leaving);
      cluster.avoid(leaving);
      cluster.node(leaving).signal("TERM");
      // A workflow pauses while its shard moves: asked all the time, its slowest answer tells.
      while (cluster.node(leaving).isAlive()) measure(cluster, owned, "while it leaves");
      print("while a node left");
      assertThat(cluster.generation()).isEqualTo(1);
    }
  }

  private void startAll(CountingCluster cluster) {
    Semaphore atOnce = new Semaphore(STARTS_AT_ONCE);
    AtomicLongArray done = new AtomicLongArray(WORKFLOWS);
    for (int i = 0; i < WORKFLOWS; i++) {
      int index = i;
      atOnce.acquireUninterruptibly();
      Thread.ofVirtual()
          .start(
              () -> {
                increment(cluster, COUNTERS.get(index), "start");
                done.set(index, 1);
                atOnce.release();
              });
    }
    atOnce.acquireUninterruptibly(STARTS_AT_ONCE);
    for (int i = 0; i < WORKFLOWS; i++) assertThat(done.get(i)).isEqualTo(1);
  }

  /** Asks until it is answered; returns when. */
  private static long increment(CountingCluster cluster, String counter, String request) {
    long start = System.nanoTime();
    int turn = 0;
    while (System.nanoTime() - start < MOVES_WITHIN.toNanos()) {
      List<NodeProcess> live = cluster.live();
      NodeProcess node = live.get(Math.floorMod(counter.hashCode() + turn, live.size()));
      try {
        // The same request: it is counted once, however often it is sent.
        node.ask("inc " + counter + " " + counter + "/" + request)
            .orTimeout(ANSWER_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
            .join();
        return System.nanoTime();
      } catch (CompletionException noAnswer) {
        turn++;
        LockSupport.parkNanos(AGAIN_AFTER.toNanos());
      }
    }
    throw new AssertionError(counter + " does not move");
  }

  private static List<String> ownedBy(CountingCluster cluster, int node) {
    Set<Integer> shards = shards(cluster, node);
    assertThat(shards).as("the shards of the node").isNotEmpty();
    return COUNTERS.stream()
        .filter(id -> shards.contains(ShardOf.workflow(id, CountingCluster.SHARDS)))
        .toList();
  }

  private static Set<Integer> shards(CountingCluster cluster, int node) {
    return IntStream.range(0, CountingCluster.SHARDS)
        .filter(shard -> cluster.node(node).query("owns " + shard) == 1)
        .boxed()
        .collect(Collectors.toSet());
  }

  /** The node gets shards back in a few rounds of rebalancing. */
  private static void awaitShare(CountingCluster cluster, int node) {
    Await.until(
        "the node holds its share again",
        Duration.ofSeconds(60),
        () -> cluster.node(node).query("held") >= CountingCluster.SHARDS / SIZE - 1);
  }

  private void measure(CountingCluster cluster, List<String> owned, String what) {
    long start = System.nanoTime();
    AtomicLongArray took = new AtomicLongArray(owned.size());
    String request = "round-" + ++round;
    List<Thread> clients = new ArrayList<>();
    for (int i = 0; i < owned.size(); i++) {
      int index = i;
      clients.add(
          Thread.ofVirtual()
              .start(() -> took.set(index, increment(cluster, owned.get(index), request) - start)));
    }
    try {
      for (Thread client : clients) client.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
    long[] times = IntStream.range(0, owned.size()).mapToLong(took::get).sorted().toArray();
    assertThat(times[0]).as("every workflow moved").isPositive();
    Arrays.stream(times).forEach(all::add);
    slowest.add(times[times.length - 1]);
    System.out.printf(
        "%s: %d workflows, half after %.2f s, all after %.2f s%n",
        what, times.length, times[times.length / 2] / 1e9, times[times.length - 1] / 1e9);
  }

  private void print(String what) {
    System.out.printf(
        "%s, %d rounds: a workflow p50 %.2f s, p99 %.2f s; all of them p50 %.2f s, worst %.2f s%n",
        what,
        slowest.size(),
        quantile(all, 0.5),
        quantile(all, 0.99),
        quantile(slowest, 0.5),
        quantile(slowest, 1));
  }

  private static double quantile(List<Long> times, double part) {
    List<Long> sorted = times.stream().sorted().toList();
    int index = (int) Math.ceil(part * sorted.size()) - 1;
    return sorted.get(Math.max(index, 0)) / 1e9;
  }
}
