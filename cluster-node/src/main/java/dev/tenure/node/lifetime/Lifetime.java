package dev.tenure.node.lifetime;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a process has started, to be stopped in reverse order: when it is told to end (SIGTERM,
 * Ctrl-C), when its start fails half-way, or when its node ended by itself.
 */
public final class Lifetime {
  /** How long a signal waits for the step of the start that is under way. */
  private static final Duration START_STEP_LIMIT = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(Lifetime.class);

  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private volatile BooleanSupplier wentWell = () -> true;
  private volatile boolean stopping;

  /** Starts a part, which is stopped with the others. */
  public <T extends AutoCloseable> T start(Supplier<T> starting) {
    lock.lock();
    try {
      if (stopping) throw new StartFailure("the process was told to stop while it started");
      T part = starting.get();
      parts.push(part);
      return part;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Asked once, when everything was stopped: whether that went well. It says itself what did not.
   */
  public void checkedBy(BooleanSupplier check) {
    wentWell = check;
  }

  /** Stops everything in reverse order; returns whether all of it stopped well. */
  public boolean stop() {
    boolean waited = lockInTime();
    try {
      stopping = true;
      boolean well = true;
      while (!parts.isEmpty()) well &= close(parts.pop());
      return well & wentWell.getAsBoolean();
    } finally {
      if (waited) lock.unlock();
    }
  }

  /** True as soon as the stop began. */
  public boolean isStopping() {
    return stopping;
  }

  /**
   * On a signal, stops everything and ends the process with 0 when all went well: what was asked
   * for has been done, which the virtual machine's own 143 or 130 would not say.
   */
  public void stopOnSignal() {
    Runtime.getRuntime().addShutdownHook(new Thread(this::onShutdown, "stop-on-signal"));
  }

  private void onShutdown() {
    boolean begunBefore = stopping; // then the process ends by itself, with an exit code of its own
    boolean well = stop();
    if (!begunBefore) Runtime.getRuntime().halt(well ? 0 : 1);
  }

  // A part that is just being started would be left behind; but a start that hangs must not hold up
  // the stop for ever.
  private boolean lockInTime() {
    try {
      return lock.tryLock(START_STEP_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static boolean close(AutoCloseable part) {
    try {
      part.close();
      return true;
    } catch (Exception e) {
      LOG.error("{} did not stop well", part.getClass().getSimpleName(), e);
      return false;
    }
  }
}
