package dev.tenure.simulation;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.audit.Violation;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * I12 in one workflow: what {@code name.i} did is undone by {@code undo name.i}, at most once, the
 * newest first, and all of it, whether the workflow succeeds, fails or is cancelled; unless {@code
 * kept name} says that the saga succeeded.
 */
final class Undoing {
  /** Part of the name of a step that is undone after any outcome. */
  static final String ANYWAY = "~";

  private static final String UNDO = "undo ";
  private static final String ACTIVITY = KeyedParts.Kind.UNDOABLE.definition.name() + "[";
  private static final String KEPT = "value:" + SagaParts.KEPT;

  private final Map<String, Deque<String>> done = new HashMap<>();

  void read(Event event) {
    if (event instanceof Event.Completed(var at, OperationId id, Outcome outcome, var digits)
        && (outcome instanceof Outcome.Succeeded || isUndoneAnyway(id, outcome))) completed(id);
    if (event instanceof Event.Scheduled scheduled) scheduled(scheduled.operation());
    if (event instanceof Event.Ended(var at, Outcome outcome, var digits)
        && !(outcome instanceof Outcome.Terminated || outcome instanceof Outcome.TimedOut)) ended();
    if (event instanceof Event.ValueRecorded value && value.operation().name().startsWith(KEPT))
      done.remove(value.operation().name().substring(KEPT.length()));
    if (event instanceof Event.ContinuedAsNew) {
      ended();
      done.clear();
    }
    // The end of the run before says what had to be undone.
    if (event instanceof Event.StartedAgain) done.clear();
  }

  private static boolean isUndoneAnyway(OperationId id, Outcome outcome) {
    if (id.name().contains(ANYWAY)) return true;
    boolean hadNoEffect =
        outcome instanceof Outcome.Failed(Failure failure)
            && failure.outside() == Failure.OutsideEffect.NONE;
    return id.name().startsWith(ACTIVITY) && !hadNoEffect;
  }

  /** The name that the saga gave it: a step has it as its own, and an activity as its key. */
  private static String given(String name) {
    return name.startsWith(ACTIVITY) ? name.substring(ACTIVITY.length(), name.length() - 1) : name;
  }

  private static String saga(String name) {
    return name.substring(0, name.lastIndexOf('.'));
  }

  /** Whether it is a step of a saga. */
  static boolean isUndoable(String name) {
    return name.matches("p\\S*\\.\\d+");
  }

  private void completed(OperationId id) {
    String name = given(id.name());
    if (isUndoable(name)) done.computeIfAbsent(saga(name), key -> new ArrayDeque<>()).push(name);
  }

  private void scheduled(OperationId id) {
    if (!id.name().startsWith(UNDO)) return;
    String name = given(id.name().substring(UNDO.length()));
    Deque<String> left = done.getOrDefault(saga(name), new ArrayDeque<>());
    Violation.require(
        name.equals(left.poll()), "I12", id + " is not the newest that is not undone");
  }

  private void ended() {
    done.forEach(
        (saga, left) ->
            Violation.require(left.isEmpty(), "I12", saga + " is not undone whole: " + left));
  }
}
