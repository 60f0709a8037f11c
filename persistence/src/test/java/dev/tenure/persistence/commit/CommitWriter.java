package dev.tenure.persistence.commit;

import dev.tenure.persistence.merging.CommitPipeline;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * An owner that writes one version after the other for as long as it may, and keeps a list of what
 * it was told. After an unknown outcome it reads, as an owner that recovers does.
 */
final class CommitWriter {
  private static final int PROGRESS = 20;

  private final CommitPipeline pipeline;
  private final Storage storage;
  private final String id;
  private final Fence fence;
  private final List<Long> acknowledged = new ArrayList<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private int incarnation;
  private long unknownOutcomes;
  private boolean stopping;

  CommitWriter(CommitPipeline pipeline, Storage storage, String id, Fence fence) {
    this.pipeline = pipeline;
    this.storage = storage;
    this.id = id;
    this.fence = fence;
  }

  String id() {
    return id;
  }

  synchronized List<Long> acknowledged() {
    return List.copyOf(acknowledged);
  }

  synchronized long unknownOutcomes() {
    return unknownOutcomes;
  }

  void start() {
    next();
  }

  void stop(Duration patience) throws Exception {
    synchronized (this) {
      stopping = true;
    }
    ended.get(patience.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Waits until so many more versions were acknowledged. */
  synchronized void awaitProgress(Duration patience) throws InterruptedException {
    int goal = acknowledged.size() + PROGRESS;
    long deadline = System.nanoTime() + patience.toNanos();
    while (acknowledged.size() < goal) {
      long left = deadline - System.nanoTime();
      if (left <= 0)
        throw new AssertionError(id + " makes no progress after " + acknowledged.size());
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }

  private void next() {
    long version;
    String writer;
    synchronized (this) {
      if (stopping) {
        ended.complete(null);
        return;
      }
      version = acknowledged.size() + 1;
      writer = "w" + incarnation;
    }
    byte[] payload = (id + "/" + version).getBytes(java.nio.charset.StandardCharsets.UTF_8);
    pipeline
        .submit(
            new Commit(
                new CommitId(id, version, Writers.named(writer)), fence, "", payload, List.of()))
        .whenComplete((result, failure) -> Thread.startVirtualThread(() -> told(result, failure)));
  }

  private void told(CommitResult result, Throwable failure) {
    if (failure != null) {
      ended.completeExceptionally(failure);
      return;
    }
    switch (result) {
      case CommitResult.Committed committed -> acknowledge(committed.version());
      case CommitResult.Unknown unknown -> recover();
      case CommitResult.SignalNotTaken signal ->
          ended.completeExceptionally(new AssertionError(signal));
      case CommitResult.Fenced fenced -> ended.completeExceptionally(new AssertionError(fenced));
      case CommitResult.Conflict conflict ->
          ended.completeExceptionally(new AssertionError(conflict));
    }
    if (!ended.isDone()) next();
  }

  private synchronized void acknowledge(long version) {
    acknowledged.add(version);
    notifyAll();
  }

  private void recover() {
    long newest = readNewest();
    synchronized (this) {
      unknownOutcomes++;
      incarnation++;
      if (newest > acknowledged.size()) acknowledge(newest);
    }
  }

  private long readNewest() {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (true) {
      try {
        return storage.newestVersions(List.of(id)).getFirst();
      } catch (StorageException e) {
        if (System.nanoTime() > deadline) throw e;
      }
    }
  }
}
