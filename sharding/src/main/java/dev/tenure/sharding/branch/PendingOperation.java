package dev.tenure.sharding.branch;

import dev.tenure.sharding.payload.CodeFault;
import dev.tenure.workflow.CancelledException;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.kernel.Wish;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;

/** An operation that the code asked for. */
public class PendingOperation<T> extends PendingResult<T> {
  public final OperationId id;
  private Scope scope;
  private final OutcomeReader<T> reading;
  private Outcome outcome;
  private T value;
  private Throwable failure;
  private boolean read;

  public PendingOperation(
      BranchScheduler scheduler, OperationId id, Scope scope, OutcomeReader<T> reading) {
    super(scheduler);
    this.id = id;
    this.scope = scope;
    this.reading = reading;
    scope.add(this);
  }

  /** The block of code that asked for it has ended; it belongs to the block around that now. */
  void moveTo(Scope outer) {
    scope = outer;
    scope.add(this);
    outer.cancelledBecause().ifPresent(why -> giveUp(new CancelledException(why)));
  }

  /** The child durably exists. Other operations do nothing here. */
  protected void begun() {}

  public void complete(Outcome came) {
    outcome = came;
    scheduler.length.told(came);
    // The scope gives a signal that the code has not received back to the inbox when it is
    // cancelled.
    if (!holdsSignal()) scope.remove(this);
    finish();
  }

  @Override
  public void cancelled(CancelledException why) {
    scheduler.abandon(abandonment());
    failure = why;
    read = true;
    scope.remove(this);
    finish();
  }

  protected Wish.Abandon abandonment() {
    return new Wish.Abandon(id);
  }

  @Override
  public void noticed() {
    if (scheduler.signals.noticed(id)) scope.remove(this);
  }

  @Override
  public boolean holdsSignal() {
    return scheduler.signals.holds(id);
  }

  @Override
  void unwanted(CancelledException why) {
    if (!scheduler.signals.giveBack(id)) return;
    scope.remove(this);
    failure = why;
    read = true;
  }

  @Override
  public T result() throws Throwable {
    // A query that cannot read the value must not decide what the code gets.
    if (!read && scheduler.runsReadOnly()) return read(reading, outcome);
    noticed();
    if (!read) {
      read = true;
      try {
        value = read(reading, outcome);
      } catch (Throwable thrown) {
        failure = thrown;
      }
    }
    if (failure != null) throw failure;
    return value;
  }

  @Override
  protected boolean mayHaveFailed() {
    return failure != null || !(outcome instanceof Outcome.Succeeded);
  }

  T read(OutcomeReader<T> how, Outcome came) throws Throwable {
    if (scheduler.runsReadOnly()) return how.read(loaded(came));
    // The engine reads a value, so it handles an error in that. A failure is thrown into the code.
    if (came instanceof Outcome.Succeeded)
      return scheduler.program().readOrStop(() -> how.read(loaded(came)));
    try {
      return how.read(came);
    } catch (CodeFault unreadable) {
      throw scheduler.program().stopsAt(unreadable);
    }
  }

  private Outcome loaded(Outcome came) {
    return came instanceof Outcome.Succeeded(Payload value)
        ? new Outcome.Succeeded(scheduler.program().work().load(value))
        : came;
  }
}
