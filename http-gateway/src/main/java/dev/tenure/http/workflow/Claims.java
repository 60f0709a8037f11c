package dev.tenure.http.workflow;

import static dev.tenure.http.fault.ErrorCode.IDEMPOTENCY_KEY_REUSED;

import dev.tenure.http.fault.ApiFault;
import dev.tenure.persistence.start.StartKeys.Claim;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The request that a caller's key for starts stands for. */
final class Claims {
  private final Engine engine;

  Claims(Engine engine) {
    this.engine = engine;
  }

  /**
   * Completes when the key belongs to this request, and fails when it belongs to another one (I5).
   */
  CompletionStage<Void> claimed(String key, Claim wanted) {
    return CompletableFuture.runAsync(
        () -> {
          Claim found = engine.startKeys().claim(key, wanted);
          if (found.equals(wanted)) return;
          throw ApiFault.of(
                  IDEMPOTENCY_KEY_REUSED,
                  "The key was used for another start: use a new key for a new request.")
              .with("workflowId", found.workflowId().value());
        },
        task -> Thread.ofVirtual().start(task));
  }
}
