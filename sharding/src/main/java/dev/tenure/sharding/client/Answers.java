package dev.tenure.sharding.client;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/** Waits for what comes later. */
final class Answers {
  private Answers() {}

  /** The answer, or what it failed with. An interrupt ends the waiting, not what was asked for. */
  static <T> T of(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      CancellationException stopped =
          new CancellationException(
              "Interrupted while waiting for an answer: whether it was done is not known.");
      stopped.initCause(e);
      throw stopped;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) throw failure;
      if (e.getCause() instanceof Error failure) throw failure;
      throw new IllegalStateException(e.getCause());
    }
  }
}
