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
      BranchScheduler stage, OperationId id, Scope scope, OutcomeReader<T> reading) {
    super(stage);
    this.id = id;
    this.scope = scope;
    this.reading = reading;
    scope.add(this);
  }

  /** The code that asked for it is over; the code around that has it from now on. */
  void moveTo(Scope outer) {
    scope = outer;
    scope.add(this);
    outer.cancelledBecause().ifPresent(why -> giveUp(new CancelledException(why)));
  }

  /** A child that durably exists. Nothing, for other operations. */
  protected void begun() {}

  public void complete(Outcome came) {
    outcome = came;
    stage.length.told(came);
    // A signal that the code has not received goes back with what its scope cancels.
    if (!holdsSignal()) scope.remove(this);
    finish();
  }

  @Override
  public void cancelled(CancelledException why) {
    stage.abandon(abandonment());
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
    if (stage.signals.noticed(id)) scope.remove(this);
  }

  @Override
  public boolean holdsSignal() {
    return stage.signals.holds(id);
  }

  @Override
  void unwanted(CancelledException why) {
    if (!stage.signals.giveBack(id)) return;
    scope.remove(this);
    failure = why;
    read = true;
  }

  @Override
  public T result() throws Throwable {
    // What a query fails to read, for whatever reason, is not what the code will be told.
    if (!read && stage.isLooking()) return read(reading, outcome);
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
    if (stage.isLooking()) return how.read(loaded(came));
    // A value is read by the engine, and so is what goes wrong; a failure is thrown for the code.
    if (came instanceof Outcome.Succeeded)
      return stage.program().readOrStop(() -> how.read(loaded(came)));
    try {
      return how.read(came);
    } catch (CodeFault unreadable) {
      throw stage.program().stopsAt(unreadable);
    }
  }

  private Outcome loaded(Outcome came) {
    return came instanceof Outcome.Succeeded(Payload value)
        ? new Outcome.Succeeded(stage.program().work().load(value))
        : came;
  }
}
