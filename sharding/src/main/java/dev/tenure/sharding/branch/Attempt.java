package dev.tenure.sharding.branch;

import dev.tenure.sharding.payload.Failures;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.StepBody;
import dev.tenure.workflow.operation.Outcome;
import java.util.Optional;

/** One run of a step's code. It can be stopped from outside; its result is not wanted then. */
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

  /** What it led to, and what was read back of it. */
  private volatile PendingStep.Written<?> written;

  /** Who counts it, until it has ended. */
  private ExecutionGate counting;

  Attempt(PendingStep<?> step, int number) {
    this.step = step;
    this.number = number;
  }

  /** False when nobody wants it any more. */
  public synchronized boolean begins(ExecutionGate pace) {
    if (stopped) return false;
    pace.begins();
    counting = pace;
    return true;
  }

  /** What it led to is reported. */
  public synchronized void ends() {
    if (counting == null) return;
    counting.ends();
    counting = null;
  }

  /** Runs it here; empty when nobody wants the result. */
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
      // An interrupt was meant for the step, whoever sent it; so was another class loader.
      Thread.interrupted();
      Thread.currentThread().setContextClassLoader(step.stage.program().loader());
      return stopped ? Optional.empty() : Optional.of(came);
    }
  }

  private <T> Outcome outcome(PendingStep<T> of) {
    try {
      StepBody<T, ?> body = of.stage.program().body(of, number);
      PendingStep.Written<T> result = of.written(ScopedValue.where(RUNNING, of).call(body::run));
      written = result;
      return result.outcome();
    } catch (Throwable failed) {
      return new Outcome.Failed(Failures.of(failed, of.stage.program().loader()));
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

  /** What it led to, if that is what the record says; read back once, for the code to keep. */
  Optional<PendingStep.Written<?>> written(Payload recorded) {
    PendingStep.Written<?> mine = written;
    return mine != null && mine.outcome().value() == recorded
        ? Optional.of(mine)
        : Optional.empty();
  }
}
