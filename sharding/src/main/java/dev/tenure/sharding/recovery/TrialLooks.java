package dev.tenure.sharding.recovery;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Looks after {@link Trials} on one thread of its own, because the store blocks. */
public final class TrialLooks implements AutoCloseable {
  private final ScheduledThreadPoolExecutor thread;

  public TrialLooks(Trials trials) {
    thread =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("tenure-trials").factory());
    thread.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
    long every = Trials.LOOK_EVERY.toMillis();
    thread.scheduleWithFixedDelay(trials::look, every, every, TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
