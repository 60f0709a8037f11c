package dev.tenure.sharding.host;

import dev.tenure.persistence.merging.MergingQueue;
import dev.tenure.persistence.merging.ReadQueue;
import dev.tenure.persistence.signal.InboxRead;
import dev.tenure.persistence.signal.PendingSignal;
import dev.tenure.persistence.signal.Signals;
import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads inboxes. Owners that ask while one query runs are served together by the next query. */
final class InboxReader implements InboxReads, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(InboxReader.class);

  private static final int MERGED_MAX = 500;
  private static final Duration RETRY_PAUSE = Duration.ofMillis(200);
  private static final Executor LATER =
      CompletableFuture.delayedExecutor(RETRY_PAUSE.toMillis(), TimeUnit.MILLISECONDS);

  private final MergingQueue<InboxRead, List<PendingSignal>> queue;
  private final AtomicBoolean failing = new AtomicBoolean();
  private final int pageSignals;
  private volatile boolean closed;

  InboxReader(Signals signals, int pageSignals) {
    this.pageSignals = pageSignals;
    queue = ReadQueue.of("tenure-inbox", MERGED_MAX, signals::pending);
  }

  @Override
  public void read(WorkflowId id, long after, Consumer<List<PendingSignal>> answer) {
    queue
        .ask(new InboxRead(id, after, pageSignals))
        .whenComplete(
            (page, failure) -> {
              if (failure == null) {
                failing.set(false);
                answer.accept(page);
              } else if (!closed) {
                // The signals are durable and stay: the owner waits until the store is back.
                if (failing.compareAndSet(false, true)) log.warn("inboxes cannot be read", failure);
                LATER.execute(() -> read(id, after, answer));
              }
            });
  }

  @Override
  public void close() {
    closed = true;
    queue.close();
  }
}
