package dev.tenure.sharding.branch;

import dev.tenure.workflow.CancelledException;
import dev.tenure.workflow.Handle;
import java.util.ArrayList;
import java.util.List;

/**
 * A result that threads of the workflow's code wait for. Only the thread that runs now touches it.
 */
public abstract class PendingResult<T> implements Handle<T> {
  /** Gets told that a result is there. */
  public interface Waiter {
    void done(PendingResult<?> awaited);
  }

  final BranchScheduler scheduler;
  private List<Waiter> waiting = List.of();
  private boolean done;
  private long order;

  public PendingResult(BranchScheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** The result, or throws; called once it is done. */
  public abstract T result() throws Throwable;

  /** Whether the result may be an exception; called once it is done, and cheap. */
  protected abstract boolean mayHaveFailed();

  /** Stops what would have made the result. */
  public abstract void cancelled(CancelledException why);

  /** The code has learned that it is done. */
  public void noticed() {}

  /** The code cancels this result alone. Stops what would have made it. */
  protected void cancelledByCode(CancelledException why) {
    cancelled(why);
  }

  /** It is done, the code has not noticed, and the code will not use it. */
  void unwanted(CancelledException why) {}

  /** Whether it holds a signal that the code has not received. */
  public boolean holdsSignal() {
    return false;
  }

  /**
   * The block of code around it does not use it any more. What is not done is stopped, and a signal
   * that the code has not received goes back to the inbox.
   */
  public final void giveUp(CancelledException why) {
    if (done) unwanted(why);
    else cancelled(why);
  }

  @Override
  public final boolean isDone() {
    scheduler.me();
    // A query receives nothing.
    if (done && !scheduler.runsReadOnly()) noticed();
    return done;
  }

  public final boolean done() {
    return done;
  }

  /** The place of this result among those that are done. */
  final long order() {
    return order;
  }

  public final void finish() {
    done = true;
    order = scheduler.nextOrder();
    List<Waiter> told = waiting;
    waiting = List.of();
    for (Waiter waiter : told) waiter.done(this);
  }

  public final void addWaiting(Waiter waiter) {
    if (waiting.isEmpty()) waiting = List.of(waiter);
    else {
      List<Waiter> more = new ArrayList<>(waiting);
      more.add(waiter);
      waiting = more;
    }
  }

  final void removeWaiting(Waiter waiter) {
    if (waiting.isEmpty()) return;
    List<Waiter> rest = new ArrayList<>(waiting);
    rest.remove(waiter);
    waiting = rest;
  }

  @Override
  public final T get() {
    WorkflowThread me = done ? scheduler.me() : scheduler.actor();
    me.awaitDone(this);
    try {
      return result();
    } catch (Throwable thrown) {
      throw SneakyThrow.raise(thrown);
    }
  }

  @Override
  public final void cancel(String reason) {
    scheduler.actor();
    CancelledException why = new CancelledException(reason);
    if (done) unwanted(why);
    else cancelledByCode(why);
  }
}
