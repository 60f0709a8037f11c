package dev.tenure.sharding.cluster;

import dev.tenure.sharding.process.Await;
import dev.tenure.sharding.process.NodeProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Clients that increment all counters all the time, each through a random live node, and remember
 * what was acknowledged. Every request has its own name and is sent once.
 */
final class Load implements AutoCloseable {
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(3);
  private static final Duration PAUSE = Duration.ofMillis(10);

  private static final AtomicInteger RUNS = new AtomicInteger();

  private final Supplier<List<NodeProcess>> nodes;
  private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
  private final Map<String, Long> lastAnswer = new ConcurrentHashMap<>();
  private final List<Thread> clients = new ArrayList<>();
  private final int run = RUNS.incrementAndGet();
  private volatile boolean running = true;

  Load(Supplier<List<NodeProcess>> nodes, Collection<String> counters, long seed) {
    this.nodes = nodes;
    for (String counter : counters) {
      Random random = new Random(seed ^ counter.hashCode());
      clients.add(
          Thread.ofVirtual().name("client-" + counter).start(() -> increment(counter, random)));
    }
  }

  private void increment(String counter, Random random) {
    for (int i = 0; running; i++) {
      List<NodeProcess> live = nodes.get();
      String request = counter + "/" + run + "/" + i;
      if (!live.isEmpty()) {
        NodeProcess node = live.get(random.nextInt(live.size()));
        try {
          long sent = System.nanoTime();
          node.ask("inc " + counter + " " + request)
              .orTimeout(ANSWER_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
              .join();
          acknowledged.add(request);
          lastAnswer.put(counter, sent);
        } catch (CompletionException noAnswer) {
          // May have been stored or not; the next request is another one.
          LockSupport.parkNanos(PAUSE.toNanos());
        }
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  /** Everything that was acknowledged so far. */
  Set<String> acknowledged() {
    return Set.copyOf(acknowledged);
  }

  /** How many counters have not answered a request that was sent after this moment. */
  long silentSince(long nanoTime, Collection<String> counters) {
    return counters.stream()
        .map(lastAnswer::get)
        .filter(sent -> sent == null || sent - nanoTime < 0)
        .count();
  }

  /** The longest time that any counter did not answer, until the condition holds. */
  Duration longestSilence(Collection<String> counters, BooleanSupplier until) {
    AtomicLong longest = new AtomicLong();
    Await.until(
        "the end of the watch",
        Duration.ofSeconds(60),
        () -> {
          long now = System.nanoTime();
          counters.forEach(
              counter -> longest.accumulateAndGet(now - lastAnswer.get(counter), Math::max));
          return until.getAsBoolean();
        });
    return Duration.ofNanos(longest.get());
  }

  @Override
  public void close() {
    running = false;
    for (Thread client : clients) {
      try {
        client.join(ANSWER_LIMIT.multipliedBy(2));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
