package dev.tenure.sharding.client;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/** Waits for answers that come later. */
final class Answers {
  private Answers() {}

  /** Returns the answer, or throws its failure. An interrupt ends the waiting, not the request. */
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
