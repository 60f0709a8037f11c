package dev.tenure.sharding.branch;

import dev.tenure.workflow.CancellationScope;
import dev.tenure.workflow.CancelledException;
import dev.tenure.workflow.Text;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a block of workflow code owns: the operations that it asked for, the blocks in it, and the
 * branches that it started. A block is over when its branches are. A cancellation goes from a scope
 * to everything in it, and not into what is shielded.
 */
public final class Scope implements CancellationScope {
  private final BranchScheduler scheduler;
  private final Scope parent;
  private final boolean shielded;
  private Set<Scope> inner = Set.of();
  private Set<BranchHandle<?>> branches = Set.of();
  private final Set<PendingOperation<?>> operations = new LinkedHashSet<>(4);
  private Set<WorkflowThread> waiting = Set.of();
  private String cancelled;

  private Scope(BranchScheduler scheduler, Scope parent, boolean shielded) {
    this.scheduler = scheduler;
    this.parent = parent;
    this.shielded = shielded;
    if (parent != null && !shielded) {
      if (parent.inner.isEmpty()) parent.inner = new LinkedHashSet<>(4);
      parent.inner.add(this);
      cancelled = parent.cancelled;
    }
  }

  static Scope root(BranchScheduler scheduler) {
    return new Scope(scheduler, null, false);
  }

  public Scope within() {
    return new Scope(scheduler, this, false);
  }

  /** A scope that no cancellation from outside reaches. */
  public Scope shielded() {
    return new Scope(scheduler, this, true);
  }

  void begins(BranchHandle<?> branch) {
    if (branches.isEmpty()) branches = new LinkedHashSet<>(4);
    branches.add(branch);
  }

  boolean hasBranches() {
    return !branches.isEmpty();
  }

  void ended(BranchHandle<?> branch) {
    branches.remove(branch);
  }

  /**
   * The block's code has ended. Branches of it that still run are cancelled, and waited for.
   * Branches of a shielded block are only waited for, unless the block has failed.
   */
  void close(WorkflowThread me, String why) {
    if (!shielded) cancelBranches(why);
    awaitBranches(me);
  }

  /**
   * The block's code has thrown: its branches are cancelled, because nothing uses their results.
   */
  void fail(WorkflowThread me) {
    cancelBranches("The code that started it has failed.");
    awaitBranches(me);
  }

  /** Ends the branches of this block and of all around it. */
  void closeAll(WorkflowThread me, String why) {
    for (Scope scope = this; scope != null; scope = scope.parent) {
      scope.cancelBranches(why);
      scope.awaitBranches(me);
    }
  }

  private void cancelBranches(String why) {
    for (BranchHandle<?> branch : List.copyOf(branches))
      branch.cancelled(new CancelledException(why));
  }

  private void awaitBranches(WorkflowThread me) {
    while (!branches.isEmpty()) me.awaitEnd(branches.iterator().next());
  }

  /**
   * The block has ended. Operations that are still open belong to the block around it, and are
   * cancelled with that.
   */
  void leave() {
    if (parent == null) return;
    if (!shielded) parent.inner.remove(this);
    if (operations.isEmpty()) return;
    for (PendingOperation<?> operation : List.copyOf(operations)) operation.moveTo(parent);
    operations.clear();
  }

  void add(PendingOperation<?> operation) {
    operations.add(operation);
  }

  void remove(PendingOperation<?> operation) {
    operations.remove(operation);
  }

  void waits(WorkflowThread thread) {
    if (waiting.isEmpty()) waiting = new LinkedHashSet<>(4);
    waiting.add(thread);
  }

  void waitsNoMore(WorkflowThread thread) {
    waiting.remove(thread);
  }

  @Override
  public void cancel(String reason) {
    scheduler.actor();
    cancelAll(Text.requireWellFormed("reason", reason));
  }

  /**
   * Cancels in the order in which the code asked for operations, so that every replay does the
   * same.
   */
  void cancelAll(String reason) {
    if (cancelled != null) return;
    cancelled = reason;
    for (PendingOperation<?> operation : List.copyOf(operations))
      operation.giveUp(new CancelledException(reason));
    for (Scope scope : new ArrayList<>(inner)) scope.cancelAll(reason);
    for (WorkflowThread thread : List.copyOf(waiting)) scheduler.ready(thread);
  }

  @Override
  public boolean isCancelled() {
    return cancelled != null;
  }

  Optional<String> cancelledBecause() {
    return Optional.ofNullable(cancelled);
  }

  public void throwIfCancelled() {
    if (cancelled != null) throw new CancelledException(cancelled);
  }
}
