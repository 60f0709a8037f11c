package dev.tenure.sharding.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.shard.ShardOf;
import dev.tenure.sharding.process.Await;
import dev.tenure.sharding.process.NodeProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * An owner is stopped in the middle of its work, for longer than its leases live; the others take
 * over; then it is resumed, with much of that work still to be done.
 *
 * @param landed what it wrote after it had lost its tenure
 * @param staleRows rows of an older tenure that were stored after rows of a newer one
 */
record StoppedOwner(List<String> landed, long staleRows) {
  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final Duration TAKEN_OVER_WITHIN = Duration.ofSeconds(30);
  private static final Duration STOPS_WITHIN = Duration.ofSeconds(30);
  private static final int QUEUED_PER_COUNTER = 1_000;

  static StoppedOwner in(CountingCluster cluster) {
    try (Load load = new Load(cluster::live, CountingCluster.COUNTERS, 3)) {
      cluster.awaitAllAnswer(load, TAKEN_OVER_WITHIN);
      load.close();
      int owner = (cluster.oldest() + 1) % 3;
      NodeProcess stopped = cluster.node(owner);
      cluster.avoid(owner);
      String holder = "holder_node = '" + cluster.address(owner) + "'";
      List<String> shards = cluster.text("SELECT shard FROM shard_lease WHERE " + holder);
      List<String> owned =
          CountingCluster.COUNTERS.stream()
              .filter(counter -> shards.contains(Integer.toString(shardOf(counter))))
              .toList();
      assertThat(owned).isNotEmpty();

      Set<String> acknowledged = queue(stopped, owned);
      stopped.signal("STOP");
      Set<Fence> tenures =
          cluster.text("SELECT shard || ' ' || epoch FROM shard_lease WHERE " + holder).stream()
              .map(StoppedOwner::fence)
              .collect(Collectors.toSet());
      assertThat(tenures).hasSizeGreaterThanOrEqualTo(1);
      Await.pass(LEASE.plusSeconds(1));
      takeOver(cluster, owned);
      assertThat(cluster.number("SELECT count(*) FROM shard_lease WHERE " + holder)).isZero();
      List<String> before = cluster.writtenUnder(tenures);
      assertThat(before)
          .as("it was stopped before its work was done")
          .hasSizeLessThan(owned.size() * QUEUED_PER_COUNTER);

      stopped.signal("CONT");
      stopped.awaitExit(STOPS_WITHIN);

      List<String> landed = new ArrayList<>(cluster.writtenUnder(tenures));
      landed.removeAll(Set.copyOf(before));
      cluster.assertNothingLost(load.acknowledged());
      cluster.assertNothingLost(acknowledged);
      return new StoppedOwner(landed, cluster.staleRows());
    }
  }

  private static Fence fence(String shardAndEpoch) {
    String[] words = shardAndEpoch.split(" ");
    return new Fence(Integer.parseInt(words[0]), Long.parseLong(words[1]));
  }

  private static int shardOf(String counter) {
    return ShardOf.workflow(counter, CountingCluster.SHARDS);
  }

  /** More than it can do before it is stopped. Returns what it acknowledges, as it does. */
  private static Set<String> queue(NodeProcess node, List<String> counters) {
    Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    for (int i = 0; i < QUEUED_PER_COUNTER; i++) {
      for (String counter : counters) {
        String request = "queued/" + counter + "/" + i;
        node.ask("inc " + counter + " " + request).thenAccept(value -> acknowledged.add(request));
      }
    }
    return acknowledged;
  }

  /**
   * All counters run elsewhere. Every other one also counts there; the rest are only read, so that
   * the versions which the stopped owner would write next are still free, and nothing but the fence
   * stands in its way.
   */
  private static void takeOver(CountingCluster cluster, List<String> counters) {
    for (int i = 0; i < counters.size(); i++) {
      String counter = counters.get(i);
      boolean counts = i % 2 == 0;
      NodeProcess node = cluster.live().get(i % cluster.live().size());
      AtomicInteger attempt = new AtomicInteger();
      Await.until(
          counter + " answers elsewhere",
          TAKEN_OVER_WITHIN,
          () -> {
            String name = "after/" + counter + "/" + attempt.incrementAndGet();
            String request = counts ? "inc " + counter + " " + name : "get " + counter;
            return node.ask(request).handle((value, failure) -> failure == null).join();
          });
    }
  }
}
