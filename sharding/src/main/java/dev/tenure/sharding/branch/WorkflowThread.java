package dev.tenure.sharding.branch;

import dev.tenure.workflow.Branch;
import dev.tenure.workflow.CancelledException;
import dev.tenure.workflow.SeededRandom;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * One thread of a workflow's code: that of its method, of a branch, of an update handler or of a
 * query. At most one of a workflow's threads runs; the others sleep. While a thread sleeps for a
 * step of its own, that step may run on it: a step is not the workflow's code, and may run beside
 * it.
 */
public final class WorkflowThread implements PendingResult.Waiter {
  public final BranchScheduler scheduler;
  public OperationIdSequence ids;
  public Scope scope;

  /** Set while it answers a query or checks an update: it may only read then. */
  public volatile ReadOnlyCall readOnly;

  private final Runnable code;
  private volatile Thread thread;
  private volatile boolean resumed;
  private final AtomicReference<Attempt> toRun = new AtomicReference<>();
  private volatile Attempt running;
  private SeededRandom random;
  private boolean isReady;

  public WorkflowThread(
      BranchScheduler scheduler, OperationIdSequence ids, Scope scope, Runnable code) {
    this.scheduler = scheduler;
    this.ids = ids;
    this.scope = scope;
    this.code = code;
  }

  public Thread thread() {
    return thread;
  }

  /** The step that its thread is in, if it is in one. */
  public Attempt running() {
    return running;
  }

  public SeededRandom random() {
    if (random == null) random = SeededRandom.of(scheduler.start().seed(), ids.branch());
    return random;
  }

  @Override
  public void done(PendingResult<?> awaited) {
    scheduler.ready(this);
  }

  /** True when it was not in the queue before. */
  boolean markReady() {
    if (isReady) return false;
    isReady = true;
    return true;
  }

  void unmarkReady() {
    isReady = false;
  }

  /** Lets this thread run. */
  void resume() {
    if (thread == null) {
      scheduler.threads().add(this);
      thread = scheduler.program().thread(scheduler.program().threadName(), this::live);
      thread.start();
      return;
    }
    resumed = true;
    LockSupport.unpark(thread);
  }

  private void live() {
    scheduler.program().work().runs();
    // Steps that run on this thread, too, log under it.
    try (TraceMdc logged = TraceMdc.under(scheduler.start())) {
      if (readOnly == null) scheduler.markConditionsDirty();
      code.run();
      scheduler.end();
    } catch (WorkflowThreadStopped end) {
      // The run is over, or goes on without this thread.
    } finally {
      scheduler.threads().remove(this);
    }
  }

  /** Runs the step on this thread while its code waits for the step. */
  public void run(Attempt attempt) {
    toRun.set(attempt);
    LockSupport.unpark(thread);
  }

  /** Sleeps until it may run again. */
  void sleep() {
    for (; ; ) {
      if (scheduler.isDestroyed()) throw new WorkflowThreadStopped();
      if (resumed) {
        resumed = false;
        scheduler.program().work().runs();
        return;
      }
      // One atomic call: another attempt may be handed over at any moment, and must not be lost.
      Attempt attempt = toRun.getAndSet(null);
      if (attempt == null) {
        LockSupport.park(this);
        // An interrupt from outside must not make this loop spin.
        Thread.interrupted();
        continue;
      }
      running = attempt;
      var outcome = attempt.run();
      running = null;
      boolean goesOn =
          outcome.isPresent() && scheduler.program().stepEnded(this, attempt, outcome.get());
      attempt.ends();
      if (goesOn) return;
    }
  }

  /** Runs a block of code in a scope of its own. The block has ended when its branches have. */
  public <T, X extends Exception> T in(Scope block, Branch<T, X> body) throws X {
    Scope outer = scope;
    scope = block;
    try {
      T value = body.run();
      block.close(this, "The code that started it is over.");
      return value;
    } catch (WorkflowThreadStopped end) {
      throw end;
    } catch (Throwable thrown) {
      // A bug cancels no branch: the mended code goes on from here.
      if (block.hasBranches()) scheduler.entryPoints.stopAtBug(thrown);
      block.fail(this);
      throw SneakyThrow.raise(thrown);
    } finally {
      scope = outer;
      block.leave();
    }
  }

  void awaitDone(PendingResult<?> awaited) {
    if (awaited.done()) return;
    awaited.addWaiting(this);
    try {
      awaitTold(awaited::done);
    } finally {
      awaited.removeWaiting(this);
    }
  }

  /** Waits until the value is true. Where it becomes true, this thread is woken. */
  public void awaitTold(BooleanSupplier told) {
    scope.waits(this);
    try {
      while (!told.getAsBoolean()) {
        scope.throwIfCancelled();
        scheduler.suspend(this);
      }
    } finally {
      scope.waitsNoMore(this);
      scheduler.markConditionsDirty();
    }
  }

  /**
   * Waits for the result even when this thread is cancelled: what makes the result was told to
   * stop, and will end.
   */
  public void awaitEnd(PendingResult<?> awaited) {
    if (awaited.done()) return;
    awaited.addWaiting(this);
    while (!awaited.done()) scheduler.suspend(this);
    scheduler.markConditionsDirty();
  }

  /**
   * Waits until those results that were cancelled are done. Branches that this thread started are
   * waited for in any case. Others may wait for this thread, so they are waited for only until this
   * thread is cancelled itself.
   */
  public void awaitEnds(List<? extends PendingResult<?>> all) {
    for (PendingResult<?> awaited : all) {
      if (awaited instanceof BranchHandle<?> branch && branch.isStartedBy(this)) awaitEnd(awaited);
      else if (!scope.isCancelled()) awaitEndUnlessCancelled(awaited);
    }
  }

  /**
   * As {@link #awaitEnds}, when the exception is this thread's own cancellation. What belongs to
   * its scope is cancelled with it; other results are used by others.
   */
  public boolean awaitCancelledBranches(List<? extends PendingResult<?>> all, Throwable thrown) {
    if (!(thrown instanceof CancelledException) || !scope.isCancelled()) return false;
    for (PendingResult<?> awaited : all)
      if (awaited instanceof BranchHandle<?> branch
          && branch.isStartedBy(this)
          && branch.isCancelled()) awaitEnd(awaited);
    return true;
  }

  private void awaitEndUnlessCancelled(PendingResult<?> awaited) {
    try {
      awaitDone(awaited);
    } catch (CancelledException alsoCancelled) {
      // This thread waits no longer: the branch that started the others waits for them.
    }
  }

  /** Waits until all are done, or throws the exception of the first that failed. */
  public void awaitAll(List<? extends PendingResult<?>> all) throws Throwable {
    AllOfWaiter gathering = new AllOfWaiter(this, all);
    scope.waits(this);
    try {
      while (!gathering.isComplete()) {
        scope.throwIfCancelled();
        scheduler.suspend(this);
      }
    } finally {
      scope.waitsNoMore(this);
      gathering.leave();
      scheduler.markConditionsDirty();
    }
  }

  /** Waits until one is done, and returns the first that was. */
  public <S extends PendingResult<?>> S awaitAny(List<S> all) {
    for (PendingResult<?> awaited : all) awaited.addWaiting(this);
    scope.waits(this);
    try {
      while (all.stream().noneMatch(PendingResult::done)) {
        scope.throwIfCancelled();
        scheduler.suspend(this);
      }
    } finally {
      scope.waitsNoMore(this);
      for (PendingResult<?> awaited : all) awaited.removeWaiting(this);
      scheduler.markConditionsDirty();
    }
    return all.stream()
        .filter(PendingResult::done)
        .min(Comparator.comparingLong(PendingResult::order))
        .orElseThrow();
  }

  /** Waits for the condition even when this thread is cancelled. */
  public void awaitOnly(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      scheduler.watch(this);
      scheduler.suspend(this);
      scheduler.watchesNoMore(this);
    }
    scheduler.markConditionsDirty();
  }

  public void awaitCondition(BooleanSupplier condition) {
    try {
      while (!condition.getAsBoolean()) {
        scope.throwIfCancelled();
        // Registered only while it sleeps: the condition may itself wait, and that removes this
        // thread again.
        scope.waits(this);
        scheduler.watch(this);
        scheduler.suspend(this);
        scheduler.watchesNoMore(this);
        scope.waitsNoMore(this);
      }
    } finally {
      scheduler.markConditionsDirty();
    }
  }

  void unwind() {
    Thread mine = thread;
    if (mine == null) return;
    LockSupport.unpark(mine);
    Attempt step = running;
    if (step != null) step.stop();
  }
}
