package dev.tenure.sharding.task;

import dev.tenure.persistence.task.TakenTask;
import dev.tenure.persistence.task.Tasks;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Calls one by one, on the thread that makes them, or when the test says so. */
final class PlainCalls implements TaskCalls {
  private final Tasks tasks;
  private final Deque<Runnable> held = new ArrayDeque<>();
  private boolean holds;
  private int secrets;
  boolean closed;

  PlainCalls(Tasks tasks) {
    this.tasks = tasks;
  }

  /** The answers to calls wait from now on, while the calls themselves are made. */
  void hold() {
    holds = true;
  }

  void letGo() {
    holds = false;
    for (Runnable one = held.poll(); one != null; one = held.poll()) one.run();
  }

  @Override
  public CompletionStage<List<TakenTask>> take(String queue, Tasks.Poll poll) {
    return call(() -> tasks.take(queue, List.of(poll), () -> "s" + ++secrets).getFirst());
  }

  @Override
  public CompletionStage<Tasks.Heard> hear(Tasks.Report report) {
    return call(() -> tasks.hear(List.of(report)).getFirst());
  }

  private <T> CompletionStage<T> call(Supplier<T> made) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    Runnable complete;
    try {
      T value = made.get();
      complete = () -> answer.complete(value);
    } catch (RuntimeException failure) {
      complete = () -> answer.completeExceptionally(failure);
    }
    if (holds) held.add(complete);
    else complete.run();
    return answer;
  }

  @Override
  public void close() {
    closed = true;
  }
}
