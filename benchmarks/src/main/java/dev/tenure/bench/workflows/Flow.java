package dev.tenure.bench.workflows;

import dev.tenure.bench.measure.Meter;
import dev.tenure.workflow.Payload;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/** Keeps so many workflows going: when one is recorded as completed, the next one starts. */
public final class Flow implements Meter.Load {
  private static final AtomicLong NUMBER = new AtomicLong();

  private final Engine engine;
  private final String type;
  private final Payload input;
  private final LongConsumer completed;
  private final Supplier<String> ids;
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicLong done = new AtomicLong();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private volatile boolean stopped;

  /**
   * @param completed told the nanoseconds from start to end of each
   */
  public Flow(Engine engine, String type, Payload input, int inFlight, LongConsumer completed) {
    this(engine, type, input, inFlight, completed, () -> type + "-" + NUMBER.incrementAndGet());
  }

  /** As the other, with ids of its own. */
  public Flow(
      Engine engine,
      String type,
      Payload input,
      int inFlight,
      LongConsumer completed,
      Supplier<String> ids) {
    this.engine = engine;
    this.type = type;
    this.input = input;
    this.completed = completed;
    this.ids = ids;
    for (int i = 0; i < inFlight; i++) next();
  }

  private void next() {
    running.incrementAndGet();
    String id = ids.get();
    long start = System.nanoTime();
    engine
        .start(id, type, input)
        .thenCompose(started -> engine.completion(id))
        .whenComplete(
            (end, problem) -> {
              if (problem != null) failure.compareAndSet(null, problem);
              else {
                completed.accept(System.nanoTime() - start);
                done.incrementAndGet();
                if (!stopped) next();
              }
              running.decrementAndGet();
            });
  }

  /** How many have completed. */
  public long done() {
    return done.get();
  }

  @Override
  public long transactions() {
    return engine.transactions();
  }

  /** Lets those that run come to their end. */
  @Override
  public void stop() {
    stopped = true;
    Engine.until(() -> running.get() == 0, "the last workflows of " + type + " end");
    if (failure.get() != null)
      throw new IllegalStateException("a workflow of " + type + " failed", failure.get());
  }
}
