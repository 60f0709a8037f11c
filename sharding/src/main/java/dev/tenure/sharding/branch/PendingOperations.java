package dev.tenure.sharding.branch;

import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The operations that the code of a run has asked for and that have no outcome yet, and the
 * outcomes of operations that the code has not asked for yet.
 */
final class PendingOperations {
  private final Map<OperationId, PendingOperation<?>> open = new HashMap<>(8);
  private final Map<OperationId, Outcome> early = new HashMap<>(0);

  /** Children that have started, and that the code has not asked for yet because it was changed. */
  private final Set<OperationId> begun = new HashSet<>(0);

  /** Null when the code has not asked for it, or it has its outcome. */
  PendingOperation<?> find(OperationId id) {
    return open.get(id);
  }

  /** The code asks for the operation; its outcome may be here already. */
  void add(PendingOperation<?> pending) {
    if (begun.remove(pending.id)) pending.begun();
    Outcome known = early.isEmpty() ? null : early.remove(pending.id);
    if (known != null) pending.complete(known);
    else open.put(pending.id, pending);
  }

  void remove(OperationId id) {
    open.remove(id);
  }

  /** Gives the operation its outcome; false when the code does not wait for it. */
  boolean complete(OperationId id, Outcome outcome) {
    PendingOperation<?> pending = open.remove(id);
    if (pending == null) return false;
    pending.complete(outcome);
    return true;
  }

  /** Keeps an outcome until the code asks for the operation. */
  void keep(OperationId id, Outcome outcome) {
    early.put(id, outcome);
  }

  /** The child of that operation has started. */
  void childStarted(OperationId id) {
    PendingOperation<?> pending = open.get(id);
    if (pending != null) pending.begun();
    else begun.add(id);
  }
}
