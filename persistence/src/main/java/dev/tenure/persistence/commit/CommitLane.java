package dev.tenure.persistence.commit;

import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread, one transaction at a time: takes what waits, stores it, tells each what became of it.
 */
final class CommitLane {
  private static final Logger log = LoggerFactory.getLogger(CommitLane.class);
  private static final long IDLE_POLL_MS = 200;
  private static final long RETRY_PAUSE_MS = 50;

  private record Waiting(Commit commit, CompletableFuture<CommitResult> answer) {}

  private final Storage storage;
  private final PipelineSettings settings;
  private final IntConsumer batchDone;
  private final BlockingQueue<Waiting> queue;
  // What did not fit into the batch it was drained for; only the lane's thread touches it.
  private final ArrayDeque<Waiting> heldBack = new ArrayDeque<>();
  private final Thread thread;
  private volatile boolean stopping;

  CommitLane(Storage storage, PipelineSettings settings, String name, IntConsumer batchDone) {
    this.storage = storage;
    this.settings = settings;
    this.batchDone = batchDone;
    this.queue = new ArrayBlockingQueue<>(settings.queueLimit());
    this.thread = Thread.ofPlatform().name(name).daemon().start(this::run);
  }

  CompletionStage<CommitResult> submit(Commit commit) {
    Waiting waiting = new Waiting(commit, new CompletableFuture<>());
    if (stopping || !queue.offer(waiting)) {
      waiting.answer.completeExceptionally(new PipelineSaturatedError(settings.queueLimit()));
    } else if (stopping && queue.remove(waiting)) {
      // The lane stopped between the check and the offer: nobody would look at the queue again.
      waiting.answer.completeExceptionally(new PipelineSaturatedError(settings.queueLimit()));
    }
    return waiting.answer;
  }

  void stop() {
    stopping = true;
  }

  void awaitStopped() {
    try {
      thread.join(settings.resolveLimit().plusSeconds(2));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    List<Waiting> batch = new ArrayList<>(settings.batchLimit());
    while (true) {
      batch.clear();
      try {
        if (!take(batch)) return;
        store(batch);
      } catch (InterruptedException e) {
        log.warn("{} was interrupted and stops", thread.getName());
        return;
      } catch (RuntimeException | Error e) {
        // A lane that dies would silently hold up its shards for ever.
        log.error("{}: a batch failed in an unforeseen way", thread.getName(), e);
        for (Waiting w : batch) w.answer.complete(new CommitResult.Unknown(w.commit.id(), e));
      }
    }
  }

  /** Fills the batch with what waits, up to its limits; false when the lane is done. */
  private boolean take(List<Waiting> batch) throws InterruptedException {
    List<Waiting> drained = new ArrayList<>(heldBack);
    heldBack.clear();
    if (drained.isEmpty()) {
      Waiting first = queue.poll(IDLE_POLL_MS, TimeUnit.MILLISECONDS);
      if (first == null) return !(stopping && queue.isEmpty());
      drained.add(first);
    }
    queue.drainTo(drained, Math.max(0, settings.batchLimit() - drained.size()));
    long bytes = 0;
    Set<String> persistenceIds = HashSet.newHashSet(drained.size());
    for (Waiting waiting : drained) {
      Commit commit = waiting.commit;
      bytes += commit.bytes();
      boolean fits = batch.isEmpty() || bytes <= settings.batchBytesLimit();
      // A workflow's second commit is judged against the first one's row: it must see it.
      if (heldBack.isEmpty() && fits && persistenceIds.add(commit.id().persistenceId())) {
        batch.add(waiting);
      } else {
        heldBack.add(waiting);
      }
    }
    return true;
  }

  private void store(List<Waiting> batch) throws InterruptedException {
    if (batch.isEmpty()) return;
    long deadline = System.nanoTime() + settings.resolveLimit().toNanos();
    while (true) {
      try {
        answer(batch, storage.commit(batch.stream().map(Waiting::commit).toList()));
        return;
      } catch (StorageException.Refused e) {
        isolate(batch, e);
        return;
      } catch (StorageException.Unavailable | StorageException.OutcomeUnknown e) {
        // Handing the same batch in again is how an unknown outcome is resolved: what is already
        // there is recognised by its identity, what is not is stored now, and if an abandoned
        // attempt is still running, uniqueness lets only one of the two through.
        if (System.nanoTime() > deadline) {
          log.warn("the outcome of {} commits stays unknown: {}", batch.size(), e.getMessage());
          for (Waiting w : batch) w.answer.complete(new CommitResult.Unknown(w.commit.id(), e));
          return;
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(RETRY_PAUSE_MS));
        if (Thread.interrupted()) throw new InterruptedException();
      }
    }
  }

  private void answer(List<Waiting> batch, List<CommitResult> results) {
    if (results.size() != batch.size()) {
      throw new IllegalStateException(
          "the storage answered " + results.size() + " of " + batch.size() + " commits");
    }
    batchDone.accept(batch.size());
    for (int i = 0; i < results.size(); i++) batch.get(i).answer.complete(results.get(i));
  }

  /** The store refuses something in the batch: halves of it find out what, and spare the rest. */
  private void isolate(List<Waiting> batch, StorageException.Refused refusal)
      throws InterruptedException {
    if (batch.size() == 1) {
      batch
          .get(0)
          .answer
          .completeExceptionally(
              new InvalidCommitError(
                  batch.get(0).commit.id() + " was refused: " + refusal.getMessage()));
      return;
    }
    int half = batch.size() / 2;
    store(batch.subList(0, half));
    store(batch.subList(half, batch.size()));
  }
}
