package dev.tenure.workflow.kernel;

import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The events of one commit as they are written, and the open operations as they leave them. */
final class Book {
  final List<Event> events = new ArrayList<>(4);
  private final WorkflowState state;
  private final Map<OperationId, Optional<Operation>> changed = new LinkedHashMap<>(8);
  private final List<OperationId> scheduled = new ArrayList<>(2);
  private long order;

  Book(WorkflowState state) {
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
      case Event.ValueRecorded e -> order++;
      case Event.OfOperation e ->
          changed.put(
              e.operation(),
              Fold.after(find(e.operation()).orElseGet(() -> state.open.get(e.operation())), e));
      case Event.Redelivered e ->
          e.operations()
              .forEach(
                  one ->
                      changed.put(
                          one.operation(),
                          find(one.operation())
                              .map(before -> before.redelivered(e.at(), one.ledger()))));
      case Event other -> {}
    }
  }

  /** The operation as this commit leaves it, while it is open. */
  Optional<Operation> find(OperationId id) {
    Optional<Operation> here = changed.get(id);
    return here != null ? here : state.open.find(id);
  }

  /** All that is open, in the order it was asked for. */
  List<Operation> open() {
    List<Operation> open = new ArrayList<>(state.open.size() + scheduled.size());
    for (Operation before : state.openOperations()) find(before.id()).ifPresent(open::add);
    open.addAll(stillScheduled());
    return open;
  }

  boolean isFresh(OperationId id) {
    return scheduled.contains(id);
  }

  /** What this commit schedules and leaves open. */
  List<Operation> stillScheduled() {
    List<Operation> still = new ArrayList<>(scheduled.size());
    for (OperationId id : scheduled) find(id).ifPresent(still::add);
    return still;
  }
}
