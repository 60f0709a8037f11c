package dev.tenure.sharding.workflow;

import dev.tenure.persistence.signal.InboxRead;
import dev.tenure.persistence.signal.PendingSignal;
import dev.tenure.persistence.signal.Signals;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks into inboxes: who asks while one query runs is served by the next, all at once. */
final class InboxReader implements InboxReads, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(InboxReader.class);

  private static final int MERGED_MAX = 500;
  private static final Duration RETRY_PAUSE = Duration.ofMillis(200);

  private record Asked(InboxRead read, Consumer<List<PendingSignal>> answer) {}

  private final Signals signals;
  // Bounded by who asks: an owner asks again only after it was answered.
  private final LinkedBlockingQueue<Asked> queue = new LinkedBlockingQueue<>();
  private final Thread thread;
  private volatile boolean closed;

  InboxReader(Signals signals) {
    this.signals = signals;
    this.thread = Thread.ofPlatform().name("tenure-inbox").daemon().start(this::run);
  }

  @Override
  public void read(WorkflowId id, long after, Consumer<List<PendingSignal>> answer) {
    queue.add(new Asked(new InboxRead(id, after, PAGE_SIGNALS), answer));
  }

  private void run() {
    List<Asked> batch = new ArrayList<>();
    try {
      while (!closed) {
        batch.clear();
        batch.add(queue.take());
        queue.drainTo(batch, MERGED_MAX - 1);
        serve(batch);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // close() asked for it
    }
  }

  private void serve(List<Asked> batch) {
    List<InboxRead> reads = batch.stream().map(Asked::read).toList();
    boolean warned = false;
    while (!closed) {
      try {
        List<List<PendingSignal>> answers = signals.pending(reads);
        for (int i = 0; i < reads.size(); i++) batch.get(i).answer.accept(answers.get(i));
        return;
      } catch (StorageException e) {
        // The signals are durable and stay: whoever waits for them waits until the store is back.
        if (!warned) log.warn("{} inboxes cannot be read: {}", reads.size(), e.getMessage());
        warned = true;
        LockSupport.parkNanos(RETRY_PAUSE.toNanos());
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}
