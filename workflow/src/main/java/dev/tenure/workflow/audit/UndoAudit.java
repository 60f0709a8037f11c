package dev.tenure.workflow.audit;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * I12 in one run: a saga undoes each of its steps at most once, one after the other, the step that
 * ended last first. Only a termination of the workflow may cut a step of a saga short, and a strict
 * resource verifier that finds the outside world changed.
 */
final class UndoAudit {
  private record Asked(OperationSpec.Undo undo, long at) {}

  private static final class Saga {
    private final Set<Integer> positions = new HashSet<>();
    private final List<Asked> asked = new ArrayList<>();
    private OperationId open;
  }

  private final Map<OperationId, Long> completed = new HashMap<>();
  private final Map<String, Saga> sagas = new HashMap<>();
  private final Set<OperationId> undone = new HashSet<>();
  private long events;

  /** Steps of sagas that are open. */
  private final Set<OperationId> underWay = new LinkedHashSet<>();

  /** An operation that the code did not wait for any more. */
  private OperationId cut;

  /** Why it may not be asked for. */
  Optional<String> asked(OperationId operation, OperationSpec spec) {
    events++;
    if (!(spec instanceof OperationSpec.Step step)) return Optional.empty();
    if (step.saga().isPresent()) underWay.add(operation);
    if (step.undoes().isEmpty()) return Optional.empty();
    OperationSpec.Undo undo = step.undoes().get();
    Saga saga = sagas.computeIfAbsent(undo.saga(), name -> new Saga());
    if (saga.open != null) return Optional.of(saga.open + " of its saga is still open");
    if (!saga.positions.add(undo.position())) return Optional.of("its saga asked for it before");
    if (undo.step().isPresent()) {
      OperationId undoes = undo.step().get();
      if (!completed.containsKey(undoes)) return Optional.of("step " + undoes + " is not over");
      if (!undone.add(undoes)) return Optional.of("step " + undoes + " is undone twice");
      for (Asked before : saga.asked)
        if (before.undo.position() < undo.position() && completed.get(undoes) < before.at)
          return Optional.of(
              "compensation %d was asked for before it".formatted(before.undo.position()));
    }
    saga.asked.add(new Asked(undo, events));
    saga.open = operation;
    return Optional.empty();
  }

  /** The operation is not needed any more. */
  void abandoned(OperationId operation) {
    if (underWay.contains(operation)) cut = operation;
    over(operation);
  }

  /** Why the run may not end so. */
  Optional<String> ended(Outcome outcome) {
    return endsAtOnce(outcome) ? Optional.empty() : cutShort();
  }

  private static boolean endsAtOnce(Outcome outcome) {
    return outcome instanceof Outcome.Terminated
        || outcome instanceof Outcome.Failed(Failure failure)
            && failure.type().equals(Failure.RESOURCE_DIFFERS);
  }

  /** One that was given up, or that is open when the run is over. */
  private Optional<String> cutShort() {
    Optional<OperationId> step = cut == null ? underWay.stream().findFirst() : Optional.of(cut);
    return step.map(one -> "step " + one + " of a saga is cut short");
  }

  /** Why the next run may not begin now. */
  Optional<String> continued() {
    return cutShort();
  }

  /** It is over. */
  void over(OperationId operation) {
    underWay.remove(operation);
    completed.put(operation, ++events);
    for (Saga saga : sagas.values()) if (operation.equals(saga.open)) saga.open = null;
  }

  /** The next run has sagas and steps of its own. */
  void forget() {
    completed.clear();
    sagas.clear();
    undone.clear();
    underWay.clear();
    cut = null;
  }
}
