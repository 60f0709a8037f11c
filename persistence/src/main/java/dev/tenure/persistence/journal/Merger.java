package dev.tenure.persistence.journal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;

/** Answers single questions with bulk queries: what arrives during one query makes up the next. */
final class Merger<Q, A> implements AutoCloseable {
  private record Asked<Q, A>(Q question, CompletableFuture<A> answer) {}

  private final int maxMerged;
  private final Function<List<Q>, List<A>> query;
  // Bounded by who asks: each recovering actor waits for its one answer.
  private final LinkedBlockingQueue<Asked<Q, A>> queue = new LinkedBlockingQueue<>();
  private final Thread thread;
  private volatile boolean closed;

  Merger(String name, int maxMerged, Function<List<Q>, List<A>> query) {
    this.maxMerged = maxMerged;
    this.query = query;
    this.thread = Thread.ofPlatform().name(name).daemon().start(this::run);
  }

  CompletionStage<A> ask(Q question) {
    Asked<Q, A> asked = new Asked<>(question, new CompletableFuture<>());
    queue.add(asked);
    if (closed && queue.remove(asked)) asked.answer.completeExceptionally(closedError());
    return asked.answer;
  }

  private void run() {
    List<Asked<Q, A>> batch = new ArrayList<>();
    try {
      while (!closed) {
        batch.clear();
        batch.add(queue.take());
        queue.drainTo(batch, maxMerged - 1);
        answer(batch);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // close() asked for it
    }
    batch.clear();
    queue.drainTo(batch);
    for (Asked<Q, A> asked : batch) asked.answer.completeExceptionally(closedError());
  }

  private void answer(List<Asked<Q, A>> batch) {
    try {
      List<A> answers = query.apply(batch.stream().map(Asked::question).toList());
      for (int i = 0; i < batch.size(); i++) batch.get(i).answer.complete(answers.get(i));
    } catch (RuntimeException | Error e) {
      for (Asked<Q, A> asked : batch) asked.answer.completeExceptionally(e);
    }
  }

  private static IllegalStateException closedError() {
    return new IllegalStateException("the storage of this node is closed");
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}
