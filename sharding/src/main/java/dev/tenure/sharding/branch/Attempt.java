package dev.tenure.sharding.branch;

import dev.tenure.sharding.payload.Failures;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.StepBody;
import dev.tenure.workflow.operation.Outcome;
import java.util.Optional;

/** One run of a step's code. The owner can stop it; then its result is dropped. */
public final class Attempt {
  private enum Phase {
    WAITING,
    RUNNING,
    OVER
  }

  private static final ScopedValue<PendingStep<?>> RUNNING = ScopedValue.newInstance();

  public final PendingStep<?> step;
  public final int number;
  private Phase phase = Phase.WAITING;
  private boolean stopped;
  private Thread thread;

  /** The result of the step's code, as it is recorded and as it reads from there. */
  private volatile PendingStep.Written<?> written;

  /** The gate that counts this attempt, until the attempt has ended. */
  private ExecutionGate counting;

  Attempt(PendingStep<?> step, int number) {
    this.step = step;
    this.number = number;
  }

  /** False when the attempt was stopped before it began. */
  public synchronized boolean begins(ExecutionGate gate) {
    if (stopped) return false;
    gate.begins();
    counting = gate;
    return true;
  }

  /** The result is reported: the gate counts this attempt no more. */
  public synchronized void ends() {
    if (counting == null) return;
    counting.ends();
    counting = null;
  }

  /** Runs the step's code on the calling thread; empty when the attempt was stopped meanwhile. */
  public Optional<Outcome> run() {
    synchronized (this) {
      if (stopped) return Optional.empty();
      phase = Phase.RUNNING;
      thread = Thread.currentThread();
    }
    Outcome came = outcome(step);
    synchronized (this) {
      phase = Phase.OVER;
      thread = null;
      // An interrupt of this thread was meant for the step, and so was a class loader that the step
      // set.
      Thread.interrupted();
      Thread.currentThread().setContextClassLoader(step.scheduler.program().loader());
      return stopped ? Optional.empty() : Optional.of(came);
    }
  }

  private <T> Outcome outcome(PendingStep<T> of) {
    try {
      StepBody<T, ?> body = of.scheduler.program().body(of, number);
      PendingStep.Written<T> result = of.written(ScopedValue.where(RUNNING, of).call(body::run));
      written = result;
      return result.outcome();
    } catch (Throwable failed) {
      return new Outcome.Failed(Failures.of(failed, of.scheduler.program().loader()));
    }
  }

  /** The step whose code this thread runs. */
  static Optional<PendingStep<?>> onThisThread() {
    return RUNNING.isBound() ? Optional.of(RUNNING.get()) : Optional.empty();
  }

  public synchronized void stop() {
    stopped = true;
    ends();
    if (phase == Phase.RUNNING) thread.interrupt();
  }

  /** Whether the step's code runs at this moment. */
  synchronized boolean isRunning() {
    return phase == Phase.RUNNING;
  }

  /**
   * The result, if it is what the record says. It was read back once, and the code gets that value.
   */
  Optional<PendingStep.Written<?>> written(Payload recorded) {
    PendingStep.Written<?> mine = written;
    return mine != null && mine.outcome().value() == recorded
        ? Optional.of(mine)
        : Optional.empty();
  }
}
