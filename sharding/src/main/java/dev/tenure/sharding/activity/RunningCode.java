package dev.tenure.sharding.activity;

import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * The keyed calls whose code is under way on this node. Code that was given up goes on as long as
 * it ignores its interrupt, and may still have its effect.
 */
final class RunningCode {
  private record Call(WorkflowId workflow, String runId, OperationId operation) {
    static Call of(ActivityTask task) {
      return new Call(task.workflow(), task.runId(), task.operation());
    }
  }

  /** The attempts of one call that are inside. */
  private static final class Inside {
    private final CompletableFuture<Void> left = new CompletableFuture<>();
    private int attempts;
  }

  private final Map<Call, Inside> calls = new HashMap<>();

  /** Runs the code of an attempt. Of a call without a key nobody asks. */
  Outcome around(ActivityTask task, Supplier<Outcome> code) {
    if (!task.isKeyed()) return code.get();
    enters(task);
    try {
      return code.get();
    } finally {
      leaves(task);
    }
  }

  private synchronized void enters(ActivityTask task) {
    calls.computeIfAbsent(Call.of(task), call -> new Inside()).attempts++;
  }

  private synchronized void leaves(ActivityTask task) {
    Inside inside = calls.get(Call.of(task));
    if (--inside.attempts > 0) return;
    calls.remove(Call.of(task));
    inside.left.complete(null);
  }

  /** Whether an attempt at the call is inside. */
  synchronized boolean isInside(ActivityTask task) {
    return calls.containsKey(Call.of(task));
  }

  /** Waits until the code of the call has left, for so long at most. Says whether it has. */
  boolean hasLeft(ActivityTask task, Duration limit) {
    Inside inside;
    synchronized (this) {
      inside = calls.get(Call.of(task));
    }
    if (inside == null) return true;
    try {
      inside.left.get(limit.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException stillInside) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("Code leaves, it does not fail.", e);
    }
  }
}
