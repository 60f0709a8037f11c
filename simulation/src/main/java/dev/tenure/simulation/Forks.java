package dev.tenure.simulation;

import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.sharding.workflow.ForkRequest;
import dev.tenure.sharding.workflow.StartResult;
import dev.tenure.sharding.workflow.Workflows;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Fork;
import dev.tenure.workflow.operation.OperationId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/** The forks that people ask for. */
final class Forks {
  private static final String PLACE = "request";
  private static final int FORKED_MAX = 40;

  private final Workflows client;
  private final Chance chance;
  private final Checker checker;
  private final Answers answers;
  private final Supplier<List<WorkflowRow>> rows;

  Forks(
      Workflows client,
      Chance chance,
      Checker checker,
      Answers answers,
      Supplier<List<WorkflowRow>> rows) {
    this.client = client;
    this.chance = chance;
    this.checker = checker;
    this.answers = answers;
    this.rows = rows;
  }

  /** From any operation. */
  void any(WorkflowId source, String key) {
    List<OperationId> past =
        checker.events(source.value()).stream()
            .map(Forks::asksFor)
            .flatMap(Optional::stream)
            .toList();
    fork(source, past, "f" + chance.below(PLACE, 3), key);
  }

  private void fork(WorkflowId source, List<OperationId> past, String id, String key) {
    if (past.isEmpty() || rows.get().size() > FORKED_MAX) return;
    String from = past.get(chance.below(PLACE, past.size())).value();
    answers.to(
        "a fork of " + source,
        client.fork(ForkRequest.of(source.value(), from, id).request(key)),
        result -> {
          if (result instanceof StartResult.Started)
            checker.promised("the fork", id, Event.Forked.class::isInstance);
        });
  }

  /**
   * Forks a workflow from an operation that was asked for while a child ran, because chance rarely
   * picks such an operation. False when no workflow has one.
   */
  boolean besideAChild() {
    return one("f3", Forks::besideChildren);
  }

  /**
   * Forks a workflow from an operation that was asked for after a signal came that its code did not
   * receive, for the same reason. False when no workflow has one.
   */
  boolean afterASignalThatWentBack() {
    return one("f4", Forks::afterSignalsThatWentBack);
  }

  /**
   * @param candidates the operations of a run to choose from
   */
  private boolean one(String id, Function<List<Event>, List<OperationId>> candidates) {
    for (WorkflowRow row : rows.get()) {
      List<Event> events = checker.events(row.id().value());
      List<OperationId> past =
          candidates.apply(events.subList(Fork.beginning(events), events.size()));
      if (past.isEmpty()) continue;
      fork(row.id(), past, id, "fork " + id);
      return true;
    }
    return false;
  }

  private static Optional<OperationId> asksFor(Event event) {
    boolean asks = event instanceof Event.Scheduled || event instanceof Event.ValueRecorded;
    return asks
        ? Optional.of(((Event.OfOperation) event).operation()).filter(one -> !one.isEngines())
        : Optional.empty();
  }

  private static List<OperationId> besideChildren(List<Event> run) {
    List<OperationId> beside = new ArrayList<>();
    Set<OperationId> children = new HashSet<>();
    for (Event event : run) {
      if (event instanceof Event.ChildStarted one) children.add(one.operation());
      if (event instanceof Event.Completed one) children.remove(one.operation());
      if (!children.isEmpty()) asksFor(event).ifPresent(beside::add);
    }
    return beside;
  }

  private static List<OperationId> afterSignalsThatWentBack(List<Event> run) {
    Set<OperationId> waits = new HashSet<>();
    for (Event event : run)
      if (event instanceof Event.SignalReturned one) waits.add(one.operation());
    List<OperationId> after = new ArrayList<>();
    boolean came = false;
    for (Event event : run) {
      if (event instanceof Event.SignalConsumed one) came |= waits.contains(one.operation());
      if (came) asksFor(event).ifPresent(after::add);
    }
    return after;
  }
}
