package dev.tenure.sharding.host;

import java.util.concurrent.CompletableFuture;

/**
 * Makes the futures that clients wait for; all futures that are derived from one are of the same
 * kind.
 */
public interface Futures {
  Futures USUAL =
      new Futures() {
        @Override
        public <T> CompletableFuture<T> make() {
          return new CompletableFuture<>();
        }
      };

  <T> CompletableFuture<T> make();
}
