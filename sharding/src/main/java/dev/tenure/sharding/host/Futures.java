package dev.tenure.sharding.host;

import java.util.concurrent.CompletableFuture;

/** Makes what people wait for; all that follows from one is of the same make. */
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
