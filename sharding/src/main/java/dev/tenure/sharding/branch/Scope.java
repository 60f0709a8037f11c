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
  private final BranchScheduler stage;
  private final Scope parent;
  private final boolean shielded;
  private Set<Scope> inner = Set.of();
  private Set<BranchHandle<?>> branches = Set.of();
  private final Set<PendingOperation<?>> operations = new LinkedHashSet<>(4);
  private Set<WorkflowThread> waiting = Set.of();
  private String cancelled;

  private Scope(BranchScheduler stage, Scope parent, boolean shielded) {
    this.stage = stage;
    this.parent = parent;
    this.shielded = shielded;
    if (parent != null && !shielded) {
      if (parent.inner.isEmpty()) parent.inner = new LinkedHashSet<>(4);
      parent.inner.add(this);
      cancelled = parent.cancelled;
    }
  }

  static Scope root(BranchScheduler stage) {
    return new Scope(stage, null, false);
  }

  public Scope within() {
    return new Scope(stage, this, false);
  }

  /** Nothing from outside cancels it. */
  public Scope shielded() {
    return new Scope(stage, this, true);
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
   * The block's code has come to its end: branches of it that still run are cancelled, and waited
   * for. Those of a shielded block are only waited for, when nothing went wrong in it.
   */
  void close(WorkflowThread me, String why) {
    if (!shielded) cancelBranches(why);
    awaitBranches(me);
  }

  /** The block's code has thrown: nobody will ask for what its branches still do. */
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

  /** The block is over: operations that outlive it are cancelled with the code around it. */
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

  void waits(WorkflowThread strand) {
    if (waiting.isEmpty()) waiting = new LinkedHashSet<>(4);
    waiting.add(strand);
  }

  void waitsNoMore(WorkflowThread strand) {
    waiting.remove(strand);
  }

  @Override
  public void cancel(String reason) {
    stage.actor();
    cancelAll(Text.requireWellFormed("reason", reason));
  }

  /** In the order in which things were asked for, so that every replay does the same. */
  void cancelAll(String reason) {
    if (cancelled != null) return;
    cancelled = reason;
    for (PendingOperation<?> operation : List.copyOf(operations))
      operation.giveUp(new CancelledException(reason));
    for (Scope scope : new ArrayList<>(inner)) scope.cancelAll(reason);
    for (WorkflowThread strand : List.copyOf(waiting)) stage.ready(strand);
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
