package dev.tenure.bench.commits;

import dev.tenure.bench.measure.Meter;
import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The ceiling: the commit statement in a bare loop, with every writer's next commit always at hand.
 * As many connections as the pipeline has, each with its share of the writers in one statement.
 */
final class CeilingLoad implements Meter.Load {
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicLong transactions = new AtomicLong();
  private volatile boolean stopped;

  CeilingLoad(FencedStore store, Meter meter, int writers, int connections, int batchLimit) {
    for (int connection = 0; connection < connections; connection++) {
      List<FencedStore.Source> sources = new ArrayList<>();
      for (int writer = connection; writer < writers; writer += connections) {
        sources.add(store.new Source("ceiling" + writers, writer));
      }
      threads.add(Thread.ofPlatform().start(() -> run(store, meter, sources, batchLimit)));
    }
  }

  private void run(
      FencedStore store, Meter meter, List<FencedStore.Source> sources, int batchLimit) {
    int position = 0;
    int size = Math.min(sources.size(), batchLimit);
    while (!stopped) {
      List<Commit> batch = new ArrayList<>(size);
      for (int i = 0; i < size; i++) {
        batch.add(sources.get(position).next());
        position = (position + 1) % sources.size();
      }
      long start = System.nanoTime();
      for (CommitResult result : store.storage().commit(batch)) {
        if (!(result instanceof CommitResult.Committed))
          throw new IllegalStateException("" + result);
      }
      meter.done(System.nanoTime() - start, size);
      transactions.incrementAndGet();
    }
  }

  @Override
  public long transactions() {
    return transactions.get();
  }

  @Override
  public void stop() {
    stopped = true;
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
