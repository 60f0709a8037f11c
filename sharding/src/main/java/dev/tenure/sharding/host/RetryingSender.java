package dev.tenure.sharding.host;

import dev.tenure.workflow.kernel.Command;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repeats deliveries until they are acknowledged, with growing pauses, while the owner that wants
 * them is there. The next owner of the workflow starts them anew.
 */
public final class RetryingSender {
  private static final Logger log = LoggerFactory.getLogger(RetryingSender.class);
  static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  static final Duration PAUSE_MAX = Duration.ofSeconds(10);

  /** How often a delivery may fail before it is sent; after that it is not tried again. */
  static final int FAILURES_MAX = 5;

  /** One try to deliver a message; its result is empty when the receiver did not acknowledge it. */
  public interface Delivery extends Supplier<CompletionStage<Optional<Command>>> {}

  /**
   * A message to be delivered.
   *
   * @param delivery one try
   * @param undeliverable what the sender is told when the delivery cannot even begin
   */
  public record Load(
      String what, Delivery delivery, Function<RuntimeException, Command> undeliverable) {}

  private final Timers timers;

  RetryingSender(Timers timers) {
    this.timers = timers;
  }

  /**
   * @param wanted whether the owner is still there
   * @param done gets the acknowledgement, once
   */
  public void send(Load load, BooleanSupplier wanted, Consumer<Command> done) {
    attempt(load, wanted, done, FIRST_PAUSE, FAILURES_MAX);
  }

  private void attempt(
      Load load, BooleanSupplier wanted, Consumer<Command> done, Duration pause, int mayFail) {
    if (!wanted.getAsBoolean()) return;
    CompletionStage<Optional<Command>> sent;
    try {
      sent = load.delivery.get();
    } catch (RuntimeException defect) {
      cannotBegin(load, defect, wanted, done, pause, mayFail - 1);
      return;
    }
    sent.whenComplete(
        (answer, failure) -> {
          if (failure == null && answer.isPresent()) {
            done.accept(answer.get());
            return;
          }
          if (failure != null) log.debug("{} is tried again: {}", load.what, failure.toString());
          timers.after(pause, () -> attempt(load, wanted, done, longer(pause), mayFail));
        });
  }

  /**
   * When the cause is that this node is ending, the next owner sends the message. With any other
   * cause it would fail on every node for ever, so the sender is told that it is undeliverable.
   */
  private void cannotBegin(
      Load load,
      RuntimeException defect,
      BooleanSupplier wanted,
      Consumer<Command> done,
      Duration pause,
      int mayFail) {
    if (mayFail > 0) {
      timers.after(pause, () -> attempt(load, wanted, done, longer(pause), mayFail));
      return;
    }
    log.warn("{} cannot be sent: {}", load.what, defect.toString());
    done.accept(load.undeliverable.apply(defect));
  }

  void later(Duration pause, Runnable task) {
    timers.after(pause, task);
  }

  /**
   * Repeats a task that never blocks, until it returns true. What the first try throws is for the
   * caller. A later try has no caller: the timers report what it throws, and the task is tried
   * again, because it is still wanted.
   *
   * @param what the task, for the report
   */
  public void until(Supplier<String> what, BooleanSupplier attempt, BooleanSupplier wanted) {
    if (!wanted.getAsBoolean() || attempt.getAsBoolean()) return;
    again(what, attempt, wanted, FIRST_PAUSE);
  }

  private void again(
      Supplier<String> what, BooleanSupplier attempt, BooleanSupplier wanted, Duration pause) {
    timers.after(
        pause,
        () -> {
          if (!wanted.getAsBoolean()) return;
          boolean done = false;
          try {
            done = attempt.getAsBoolean();
          } catch (RuntimeException defect) {
            throw new IllegalStateException(what.get() + " is tried again", defect);
          } finally {
            if (!done) again(what, attempt, wanted, longer(pause));
          }
        });
  }

  private static Duration longer(Duration pause) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : twice;
  }
}
