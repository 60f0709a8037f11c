package dev.tenure.workflow.kernel;

import dev.tenure.workflow.lifecycle.OperationPhase;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** The events of one commit, in order, and the open operations after them. */
final class CommitEvents {
  final List<Event> events = new ArrayList<>(4);
  private final WorkflowState state;
  private final Map<OperationId, Optional<Operation>> changed = new LinkedHashMap<>(8);
  private final List<OperationId> scheduled = new ArrayList<>(2);

  /** Operations that a graph can enter again; code has none. */
  private Map<OperationId, Operation> pivots = Map.of();

  private List<OperationId> answered = List.of();

  /** Operations that were to start a child, and end in this commit without one. */
  private final Set<OperationId> noChild = new HashSet<>(0);

  private long order;

  /** Whether the end of the run writes off all that is open. */
  boolean writtenOff;

  CommitEvents(WorkflowState state) {
    this.state = state;
    this.order = state.operations;
  }

  void add(Event event) {
    events.add(event);
    switch (event) {
      case Event.Scheduled e -> {
        Operation operation = Fold.scheduled(e, order++);
        changed.put(e.operation(), Optional.of(operation));
        scheduled.add(e.operation());
      }
      case Event.ValueRecorded e -> {
        long own = order++;
        Fold.passing(e, own).ifPresent(this::answered);
      }
      case Event.Reentered e -> {
        answered(Fold.passing(e, order++));
        Operation pivot = pivot(e.pivot()).orElseThrow().entered(e.digits().activity());
        if (changed.getOrDefault(pivot.id(), state.open.find(pivot.id())).isPresent())
          changed.put(pivot.id(), Optional.of(pivot));
        else putPivot(pivot);
      }
      case Event.OfOperation e -> {
        Operation before = find(e.operation()).orElseGet(() -> state.open.get(e.operation()));
        Optional<Operation> after = Fold.after(before, e);
        changed.put(e.operation(), after);
        if (after.isEmpty() && before.place().kind().isPivot()) putPivot(before);
        if (after.isPresent() && after.get().phase() == OperationPhase.ANSWERED)
          addAnswered(e.operation());
        if (Results.leavesNoChild(before, e)) noChild.add(e.operation());
      }
      case Event.Redelivered e ->
          e.operations()
              .forEach(
                  one ->
                      changed.put(
                          one.operation(),
                          find(one.operation())
                              .map(before -> before.redelivered(e.at(), one.ledger()))));
      case Event.BeginsRun _,
          Event.OfRun _,
          Event.SignalReturned _,
          Event.SourceChildStarted _,
          Event.SourceSignalNotReceived _ -> {}
    }
  }

  private void answered(Operation operation) {
    changed.put(operation.id(), Optional.of(operation));
    scheduled.add(operation.id());
    addAnswered(operation.id());
  }

  private void addAnswered(OperationId id) {
    if (answered.isEmpty()) answered = new ArrayList<>(2);
    answered.add(id);
  }

  private void putPivot(Operation pivot) {
    if (pivots.isEmpty()) pivots = new HashMap<>(4);
    pivots.put(pivot.id(), pivot);
  }

  /** The operations whose message has no step 2 yet. */
  List<OperationId> answered() {
    List<OperationId> all = new ArrayList<>(state.open.answered());
    all.addAll(answered);
    all.removeIf(id -> !isAnswered(id));
    return all;
  }

  boolean isAnswered(OperationId id) {
    return find(id).filter(one -> one.phase() == OperationPhase.ANSWERED).isPresent();
  }

  /** The operation of a graph that can be entered again, after this commit. */
  Optional<Operation> pivot(OperationId id) {
    Optional<Operation> open = find(id);
    if (open.isPresent()) return open.filter(one -> one.place().kind().isPivot());
    Operation here = pivots.get(id);
    return Optional.ofNullable(here != null ? here : state.pivots.get(id));
  }

  Collection<Operation> pivotsBefore() {
    return state.pivots.values();
  }

  /** Whether an operation of that kind was open before this commit. */
  boolean isOpenBefore(Predicate<Operation> which) {
    return state.openOperations().stream().anyMatch(which);
  }

  /** The operation after this commit; empty when it is not open. */
  Optional<Operation> find(OperationId id) {
    Optional<Operation> here = changed.get(id);
    return here != null ? here : state.open.find(id);
  }

  /** As {@link WorkflowState#hasNoChild}, once this commit stands. */
  boolean hasNoChild(OperationId id) {
    return noChild.contains(id) || state.hasNoChild(id);
  }

  /**
   * All operations that are open after this commit, in the order in which the program asked for
   * them.
   */
  List<Operation> open() {
    List<Operation> open = new ArrayList<>(state.open.size() + scheduled.size());
    for (Operation before : state.openOperations()) find(before.id()).ifPresent(open::add);
    open.addAll(stillScheduled());
    return open;
  }

  /** Whether no activity and no delivery is open after this commit. */
  boolean isNothingOpen() {
    if (writtenOff) return true;
    for (Operation before : state.openOperations()) if (find(before.id()).isPresent()) return false;
    return stillScheduled().isEmpty();
  }

  boolean isFresh(OperationId id) {
    return scheduled.contains(id);
  }

  /** The operations that this commit schedules and leaves open. */
  List<Operation> stillScheduled() {
    List<Operation> still = new ArrayList<>(scheduled.size());
    for (OperationId id : scheduled) find(id).ifPresent(still::add);
    return still;
  }
}
