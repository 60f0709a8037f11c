package dev.tenure.simulation;

import dev.tenure.sharding.loop.Loop;
import dev.tenure.workflow.audit.Violation;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs a life on a thread of its own, and gives the life up when a task of its loop does not end:
 * the run goes on with other seeds, and the report names the task.
 */
final class Watchdog {
  private static final long LOOK_EVERY_MS = 200;

  private Watchdog() {}

  /**
   * @param limit how long one task of the loop may take, in real time
   * @throws Violation I20 when one takes longer; its thread is left behind
   */
  static void run(Loop loop, Runnable life, Duration limit) {
    FutureTask<Void> task = new FutureTask<>(life, null);
    Thread thread = Thread.ofPlatform().daemon().name("a simulated life").start(task);
    while (true)
      try {
        task.get(LOOK_EVERY_MS, TimeUnit.MILLISECONDS);
        return;
      } catch (TimeoutException stillAlive) {
        Optional<String> hanging = loop.hanging(limit);
        if (hanging.isPresent())
          throw new Violation(
              "I20",
              "\"%s\" does not end: %s"
                  .formatted(hanging.get(), Arrays.toString(thread.getStackTrace())));
      } catch (ExecutionException failed) {
        switch (failed.getCause()) {
          case RuntimeException broken -> throw broken;
          case Error broken -> throw broken;
          default -> throw new IllegalStateException(failed.getCause());
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
  }
}
