package dev.tenure.sharding.branch;

import dev.tenure.workflow.CancelledException;
import dev.tenure.workflow.Handle;
import java.util.ArrayList;
import java.util.List;

/** A result that strands wait for. It is touched by whoever has the baton, and by nobody else. */
public abstract class PendingResult<T> implements Handle<T> {
  /** Who is told that a result is there. */
  public interface Waiter {
    void done(PendingResult<?> slot);
  }

  final BranchScheduler stage;
  private List<Waiter> waiting = List.of();
  private boolean done;
  private long order;

  public PendingResult(BranchScheduler stage) {
    this.stage = stage;
  }

  /** What it came to; asked once it is done. */
  public abstract T result() throws Throwable;

  /** Whether it may have come to an exception; asked once it is done, and cheap. */
  protected abstract boolean mayHaveFailed();

  /** Stops what would have made the result. */
  public abstract void cancelled(CancelledException why);

  /** The code has learned that it is done. */
  public void noticed() {}

  /** Stops what would have made the result, because the code cancels it and nothing around it. */
  protected void cancelledByCode(CancelledException why) {
    cancelled(why);
  }

  /** It is done, the code has not noticed, and nobody wants it any more. */
  void unwanted(CancelledException why) {}

  /** Whether it holds a signal that the code has not received. */
  public boolean holdsSignal() {
    return false;
  }

  /**
   * The code around it goes another way: what is not done is stopped, what nobody received goes
   * back.
   */
  public final void giveUp(CancelledException why) {
    if (done) unwanted(why);
    else cancelled(why);
  }

  @Override
  public final boolean isDone() {
    stage.me();
    // Who only looks receives nothing.
    if (done && !stage.isLooking()) noticed();
    return done;
  }

  public final boolean done() {
    return done;
  }

  /** Which of those that are done was first. */
  final long order() {
    return order;
  }

  public final void finish() {
    done = true;
    order = stage.nextOrder();
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
    WorkflowThread me = done ? stage.me() : stage.actor();
    me.awaitDone(this);
    try {
      return result();
    } catch (Throwable thrown) {
      throw SneakyThrow.raise(thrown);
    }
  }

  @Override
  public final void cancel(String reason) {
    stage.actor();
    CancelledException why = new CancelledException(reason);
    if (done) unwanted(why);
    else cancelledByCode(why);
  }
}
