package dev.tenure.sharding.lease;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A claim under way, and the one request, if any, that waits for it. */
final class Claiming {
  Optional<Request> request = Optional.empty();

  /** Whether it is to be tried together with others, before it is alone. */
  boolean isNew = true;

  record Request(
      CompletableFuture<Boolean> answer, Consumer<Optional<Throwable>> lost, long deadline) {}
}
