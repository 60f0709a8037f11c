package dev.tenure.sharding.loop;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** Whoever waits for it makes the loop go on until it is there. */
public final class Driven<T> extends CompletableFuture<T> {
  /** Lets things happen. */
  @FunctionalInterface
  public interface Engine {
    /** Returns when it holds, or when nothing more can happen. */
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
