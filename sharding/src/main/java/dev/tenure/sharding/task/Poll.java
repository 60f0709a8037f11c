package dev.tenure.sharding.task;

import dev.tenure.persistence.task.TakenTask;
import dev.tenure.persistence.task.Tasks;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A worker that asks for tasks. All but its answer is guarded by the lock of {@link Polls}. */
final class Poll {
  final Line line;
  final Tasks.Poll request;

  /** By the desk's measuring clock. */
  final long until;

  final CompletableFuture<List<TakenTask>> answer = new CompletableFuture<>();

  /** Whether it takes because its line has work, and not because it has just come. */
  boolean isCalled;

  /** Whether it takes now. Otherwise it waits in its line, or is over. */
  boolean isTaking;

  boolean isOver;

  Poll(Line line, Tasks.Poll request, long until) {
    this.line = line;
    this.request = request;
    this.until = until;
  }
}
