package dev.tenure.sharding.workflow;

import dev.tenure.workflow.kernel.Command;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out what must be done until it is acknowledged: again and again, further and further
 * apart, while the owner who wants it is there. Whoever owns the workflow next starts anew.
 */
final class Courier implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Courier.class);
  static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  static final Duration PAUSE_MAX = Duration.ofSeconds(10);

  /** One way to the other side and back; without an answer it is gone again. */
  interface Errand extends Supplier<CompletionStage<Optional<Command>>> {}

  private final ScheduledThreadPoolExecutor timer;

  Courier() {
    timer =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("tenure-courier").factory());
    timer.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
  }

  /**
   * @param wanted whether the owner is still there
   * @param done given the acknowledgement, once
   */
  void send(String what, Errand errand, BooleanSupplier wanted, Consumer<Command> done) {
    attempt(what, errand, wanted, done, FIRST_PAUSE);
  }

  private void attempt(
      String what, Errand errand, BooleanSupplier wanted, Consumer<Command> done, Duration pause) {
    if (!wanted.getAsBoolean()) return;
    errand
        .get()
        .whenComplete(
            (answer, failure) -> {
              if (failure == null && answer.isPresent()) {
                done.accept(answer.get());
                return;
              }
              if (failure != null) log.debug("{} is tried again: {}", what, failure.toString());
              timer.schedule(
                  () -> attempt(what, errand, wanted, done, longer(pause)),
                  pause.toNanos(),
                  TimeUnit.NANOSECONDS);
            });
  }

  void later(Duration pause, Runnable task) {
    timer.schedule(task, pause.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Tries something again and again that never blocks. */
  void until(BooleanSupplier attempt, BooleanSupplier wanted) {
    until(attempt, wanted, FIRST_PAUSE);
  }

  private void until(BooleanSupplier attempt, BooleanSupplier wanted, Duration pause) {
    if (!wanted.getAsBoolean() || attempt.getAsBoolean()) return;
    timer.schedule(
        () -> until(attempt, wanted, longer(pause)), pause.toNanos(), TimeUnit.NANOSECONDS);
  }

  private static Duration longer(Duration pause) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : twice;
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
