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
import java.util.concurrent.Semaphore;
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
  private static final int OPEN_PER_COUNTER = 500;

  static StoppedOwner in(CountingCluster cluster) {
    try (Load load = new Load(cluster::live, CountingCluster.COUNTERS, 3)) {
      cluster.awaitAllAnswer(load, TAKEN_OVER_WITHIN);
      load.close();
      int owner = (cluster.oldest() + 1) % 3;
      NodeProcess stopped = cluster.node(owner);
      cluster.avoid(owner);
      String holder = "holder_node = '" + cluster.address(owner) + "'";
      Await.until(
          "it holds shards with counters",
          CountingCluster.START_LIMIT,
          () -> !ownedBy(cluster, holder).isEmpty());
      List<String> owned = ownedBy(cluster, holder);

      Asking asking = new Asking(stopped, owned);
      Await.until("it works", TAKEN_OVER_WITHIN, () -> !asking.acknowledged().isEmpty());
      stopped.signal("STOP");
      asking.end();
      Set<Fence> tenures =
          cluster.text("SELECT shard || ' ' || epoch FROM shard_lease WHERE " + holder).stream()
              .map(StoppedOwner::fence)
              .collect(Collectors.toSet());
      assertThat(tenures).hasSizeGreaterThanOrEqualTo(1);
      // It may have got another shard between the look at its shards and its stop.
      List<String> held = ownedBy(cluster, holder);
      Await.pass(LEASE.plusSeconds(1));
      takeOver(cluster, held);
      assertThat(ownedBy(cluster, holder)).isEmpty();
      List<String> before = cluster.writtenUnder(tenures);
      assertThat(asking.open()).as("requests it had not answered").isPositive();

      stopped.signal("CONT");
      stopped.awaitExit(STOPS_WITHIN);

      List<String> landed = new ArrayList<>(cluster.writtenUnder(tenures));
      landed.removeAll(Set.copyOf(before));
      cluster.assertNothingLost(load.acknowledged());
      cluster.assertNothingLost(asking.acknowledged());
      return new StoppedOwner(landed, cluster.staleRows());
    }
  }

  private static List<String> ownedBy(CountingCluster cluster, String holder) {
    List<String> shards = cluster.text("SELECT shard FROM shard_lease WHERE " + holder);
    return CountingCluster.COUNTERS.stream()
        .filter(counter -> shards.contains(Integer.toString(shardOf(counter))))
        .toList();
  }

  private static Fence fence(String shardAndEpoch) {
    String[] words = shardAndEpoch.split(" ");
    return new Fence(Integer.parseInt(words[0]), Long.parseLong(words[1]));
  }

  private static int shardOf(String counter) {
    return ShardOf.workflow(counter, CountingCluster.SHARDS);
  }

  /**
   * Clients that keep it busy until {@link #end}: each counter has many requests open at any time,
   * however fast the node answers them.
   */
  private static final class Asking {
    private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    private final AtomicInteger open = new AtomicInteger();
    private volatile boolean ended;

    Asking(NodeProcess node, List<String> counters) {
      for (String counter : counters) Thread.startVirtualThread(() -> ask(node, counter));
    }

    private void ask(NodeProcess node, String counter) {
      Semaphore free = new Semaphore(OPEN_PER_COUNTER);
      for (int i = 0; !ended; i++) {
        free.acquireUninterruptibly();
        String request = "queued/" + counter + "/" + i;
        open.incrementAndGet();
        node.ask("inc " + counter + " " + request)
            .whenComplete(
                (value, failure) -> {
                  if (failure == null) acknowledged.add(request);
                  open.decrementAndGet();
                  free.release();
                });
      }
    }

    /** No more requests than are open now, and one for each counter. */
    void end() {
      ended = true;
    }

    int open() {
      return open.get();
    }

    Set<String> acknowledged() {
      return Set.copyOf(acknowledged);
    }
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
