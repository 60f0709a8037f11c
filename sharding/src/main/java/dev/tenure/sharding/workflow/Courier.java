package dev.tenure.sharding.workflow;

import dev.tenure.workflow.kernel.Command;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out what must be done until it is acknowledged: again and again, further and further
 * apart, while the owner who wants it is there. Whoever owns the workflow next starts anew.
 */
final class Courier {
  private static final Logger log = LoggerFactory.getLogger(Courier.class);
  static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  static final Duration PAUSE_MAX = Duration.ofSeconds(10);

  /** One way to the other side and back; without an answer it is gone again. */
  interface Errand extends Supplier<CompletionStage<Optional<Command>>> {}

  private final Timers timers;

  Courier(Timers timers) {
    this.timers = timers;
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
              timers.after(pause, () -> attempt(what, errand, wanted, done, longer(pause)));
            });
  }

  void later(Duration pause, Runnable task) {
    timers.after(pause, task);
  }

  /** Tries something again and again that never blocks. */
  void until(BooleanSupplier attempt, BooleanSupplier wanted) {
    until(attempt, wanted, FIRST_PAUSE);
  }

  private void until(BooleanSupplier attempt, BooleanSupplier wanted, Duration pause) {
    if (!wanted.getAsBoolean() || attempt.getAsBoolean()) return;
    timers.after(pause, () -> until(attempt, wanted, longer(pause)));
  }

  private static Duration longer(Duration pause) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : twice;
  }
}
