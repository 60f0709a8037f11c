package dev.tenure.sharding.workflow;

import java.util.concurrent.CompletableFuture;

/** Makes what people wait for; all that follows from one is of the same make. */
interface Futures {
  Futures USUAL =
      new Futures() {
        @Override
        public <T> CompletableFuture<T> make() {
          return new CompletableFuture<>();
        }
      };

  <T> CompletableFuture<T> make();
}
