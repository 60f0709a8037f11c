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
 * One thread of a workflow's code. Of all strands of a workflow at most one has the baton and runs;
 * the others sleep. A strand that sleeps for its own step may run that step meanwhile, which is not
 * the workflow's code and needs no baton.
 */
public final class WorkflowThread implements PendingResult.Waiter {
  public final BranchScheduler stage;
  public OperationIdSequence names;
  public Scope scope;

  /** Set while it answers a query or checks an update: it may only read then. */
  public volatile ReadOnlyCall looking;

  private final Runnable code;
  private volatile Thread thread;
  private volatile boolean resumed;
  private final AtomicReference<Attempt> toRun = new AtomicReference<>();
  private volatile Attempt running;
  private SeededRandom random;
  private boolean isReady;

  public WorkflowThread(
      BranchScheduler stage, OperationIdSequence names, Scope scope, Runnable code) {
    this.stage = stage;
    this.names = names;
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
    if (random == null) random = SeededRandom.of(stage.start().seed(), names.branch());
    return random;
  }

  @Override
  public void done(PendingResult<?> slot) {
    stage.ready(this);
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

  /** Gives it the baton. */
  void resume() {
    if (thread == null) {
      stage.threads().add(this);
      thread = stage.program().thread(stage.program().threadName(), this::live);
      thread.start();
      return;
    }
    resumed = true;
    LockSupport.unpark(thread);
  }

  private void live() {
    stage.program().work().runs();
    // Steps that run on this thread, too, log under it.
    try (TraceMdc logged = TraceMdc.under(stage.start())) {
      if (looking == null) stage.changed();
      code.run();
      stage.end();
    } catch (WorkflowThreadStopped end) {
      // The run is over, or goes on without this thread.
    } finally {
      stage.threads().remove(this);
    }
  }

  /** Runs the step on this thread while the strand has nothing else to do. */
  public void run(Attempt attempt) {
    toRun.set(attempt);
    LockSupport.unpark(thread);
  }

  /** Sleeps until it has the baton again. */
  void sleep() {
    for (; ; ) {
      if (stage.isDestroyed()) throw new WorkflowThreadStopped();
      if (resumed) {
        resumed = false;
        stage.program().work().runs();
        return;
      }
      // In one step: another attempt may be handed over at any moment, and must not get lost.
      Attempt attempt = toRun.getAndSet(null);
      if (attempt == null) {
        LockSupport.park(this);
        // Whoever interrupts workflow code from outside must not make it spin here.
        Thread.interrupted();
        continue;
      }
      running = attempt;
      var outcome = attempt.run();
      running = null;
      boolean goesOn =
          outcome.isPresent() && stage.program().stepEnded(this, attempt, outcome.get());
      attempt.ends();
      if (goesOn) return;
    }
  }

  /** Runs a block of code in a scope of its own, which is over when its branches are. */
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
      // No branch is cancelled for a bug: the mended code goes on from here.
      if (block.hasBranches()) stage.play.stopAtBug(thrown);
      block.fail(this);
      throw SneakyThrow.raise(thrown);
    } finally {
      scope = outer;
      block.leave();
    }
  }

  void awaitDone(PendingResult<?> slot) {
    if (slot.done()) return;
    slot.addWaiting(this);
    try {
      awaitTold(slot::done);
    } finally {
      slot.removeWaiting(this);
    }
  }

  /** Until it is so; who makes it so wakes this strand. */
  public void awaitTold(BooleanSupplier told) {
    scope.waits(this);
    try {
      while (!told.getAsBoolean()) {
        scope.throwIfCancelled();
        stage.rest(this);
      }
    } finally {
      scope.waitsNoMore(this);
      stage.changed();
    }
  }

  /** Whatever is cancelled meanwhile: what it waits for has been told, and comes to an end. */
  public void awaitEnd(PendingResult<?> slot) {
    if (slot.done()) return;
    slot.addWaiting(this);
    while (!slot.done()) stage.rest(this);
    stage.changed();
  }

  /**
   * Until those that were cancelled are done. This strand's own branches are waited for in any
   * case; others, which may wait for this one, only until it is cancelled itself.
   */
  public void awaitEnds(List<? extends PendingResult<?>> slots) {
    for (PendingResult<?> slot : slots) {
      if (slot instanceof BranchHandle<?> branch && branch.isStartedBy(this)) awaitEnd(slot);
      else if (!scope.isCancelled()) awaitEndUnlessCancelled(slot);
    }
  }

  /**
   * As {@link #awaitEnds}, when what was thrown is this strand's own cancellation: what belongs to
   * its scope is cancelled with it, and the rest is wanted by others.
   *
   * @return false when something else was thrown
   */
  public boolean awaitCancelledBranches(List<? extends PendingResult<?>> slots, Throwable thrown) {
    if (!(thrown instanceof CancelledException) || !scope.isCancelled()) return false;
    for (PendingResult<?> slot : slots)
      if (slot instanceof BranchHandle<?> branch
          && branch.isStartedBy(this)
          && branch.isCancelled()) awaitEnd(slot);
    return true;
  }

  private void awaitEndUnlessCancelled(PendingResult<?> slot) {
    try {
      awaitDone(slot);
    } catch (CancelledException alsoCancelled) {
      // Its own end waits for nobody else's: who started the others waits for them.
    }
  }

  /** Until all are done, or one of them has failed, which this throws. */
  public void awaitAll(List<? extends PendingResult<?>> slots) throws Throwable {
    AllOfWaiter gathering = new AllOfWaiter(this, slots);
    scope.waits(this);
    try {
      while (!gathering.isComplete()) {
        scope.throwIfCancelled();
        stage.rest(this);
      }
    } finally {
      scope.waitsNoMore(this);
      gathering.leave();
      stage.changed();
    }
  }

  /** Until one is done; of several, the first that was. */
  public <S extends PendingResult<?>> S awaitAny(List<S> slots) {
    for (PendingResult<?> slot : slots) slot.addWaiting(this);
    scope.waits(this);
    try {
      while (slots.stream().noneMatch(PendingResult::done)) {
        scope.throwIfCancelled();
        stage.rest(this);
      }
    } finally {
      scope.waitsNoMore(this);
      for (PendingResult<?> slot : slots) slot.removeWaiting(this);
      stage.changed();
    }
    return slots.stream()
        .filter(PendingResult::done)
        .min(Comparator.comparingLong(PendingResult::order))
        .orElseThrow();
  }

  /** For the condition, whatever is cancelled meanwhile. */
  public void awaitOnly(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      stage.watch(this);
      stage.rest(this);
      stage.watchesNoMore(this);
    }
    stage.changed();
  }

  public void awaitCondition(BooleanSupplier condition) {
    try {
      while (!condition.getAsBoolean()) {
        scope.throwIfCancelled();
        // Around the rest alone: the condition may wait itself, which ends with this taken out.
        scope.waits(this);
        stage.watch(this);
        stage.rest(this);
        stage.watchesNoMore(this);
        scope.waitsNoMore(this);
      }
    } finally {
      stage.changed();
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
