package dev.tenure.sharding.loop;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** A future of the loop: a thread that waits for it runs the loop until the future is complete. */
public final class Driven<T> extends CompletableFuture<T> {
  /** Runs the loop. */
  @FunctionalInterface
  public interface Engine {
    /** Returns when the condition holds, or when the loop has nothing more to do. */
    void driveUntil(BooleanSupplier reached);
  }

  private final Engine engine;

  public Driven(Engine engine) {
    this.engine = engine;
  }

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new Driven<>(engine);
  }

  @Override
  public T get() throws InterruptedException, ExecutionException {
    engine.driveUntil(this::isDone);
    return super.get();
  }

  @Override
  public T get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    engine.driveUntil(this::isDone);
    return super.get(timeout, unit);
  }

  @Override
  public T join() {
    engine.driveUntil(this::isDone);
    return super.join();
  }
}
