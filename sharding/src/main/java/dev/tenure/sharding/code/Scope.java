package dev.tenure.sharding.code;

import dev.tenure.workflow.CancellationScope;
import dev.tenure.workflow.CancelledException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What is cancelled together. A shielded scope has no parent that could cancel it. */
final class Scope implements CancellationScope {
  private final Stage stage;
  private final Scope parent;
  private Set<Scope> inner = Set.of();
  private final Set<Pending<?>> operations = new LinkedHashSet<>(4);
  private Set<Strand> waiting = Set.of();
  private String cancelled;

  private Scope(Stage stage, Scope parent) {
    this.stage = stage;
    this.parent = parent;
    if (parent != null) {
      if (parent.inner.isEmpty()) parent.inner = new LinkedHashSet<>(4);
      parent.inner.add(this);
      cancelled = parent.cancelled;
    }
  }

  static Scope root(Stage stage) {
    return new Scope(stage, null);
  }

  Scope within() {
    return new Scope(stage, this);
  }

  /** Nothing from outside cancels it. */
  Scope shielded() {
    return new Scope(stage, null);
  }

  void leave() {
    if (parent != null) parent.inner.remove(this);
  }

  void add(Pending<?> operation) {
    operations.add(operation);
  }

  void remove(Pending<?> operation) {
    operations.remove(operation);
  }

  void waits(Strand strand) {
    if (waiting.isEmpty()) waiting = new LinkedHashSet<>(4);
    waiting.add(strand);
  }

  void waitsNoMore(Strand strand) {
    waiting.remove(strand);
  }

  @Override
  public void cancel(String reason) {
    stage.me();
    cancelAll(reason);
  }

  /** In the order in which things were asked for, so that every replay does the same. */
  void cancelAll(String reason) {
    if (cancelled != null) return;
    cancelled = reason;
    for (Pending<?> operation : List.copyOf(operations))
      operation.cancelled(new CancelledException(reason));
    for (Scope scope : new ArrayList<>(inner)) scope.cancelAll(reason);
    for (Strand strand : List.copyOf(waiting)) stage.ready(strand);
  }

  @Override
  public boolean isCancelled() {
    return cancelled != null;
  }

  void throwIfCancelled() {
    if (cancelled != null) throw new CancelledException(cancelled);
  }
}
