package dev.tenure.simulation;

import dev.tenure.workflow.audit.Violation;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.operation.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Compares what workflows came to with what the same programs come to in a life without any
 * trouble.
 */
final class TwinComparison {
  private static final class OneLife {
    WorkflowState state;
    String input;

    /**
     * A person ended the workflow, moved it, or tried it again: then it may have another result.
     */
    boolean touched;
  }

  private final Map<String, OneLife> lives = new LinkedHashMap<>();

  /**
   * @param after the workflow's state after the event
   */
  void read(String id, Event event, WorkflowState after) {
    OneLife life = lives.computeIfAbsent(id, one -> new OneLife());
    life.state = after;
    life.touched |= touches(event);
    if (life.input == null) life.input = after.start().input().fingerprint();
  }

  /**
   * Workflows that people did not cut short, move or retry came to the same result in the other
   * life.
   */
  void requireSameAs(TwinComparison other) {
    lives.forEach(
        (id, life) -> {
          OneLife twin = other.lives.get(id);
          if (twin == null || isTouched(id) || other.isTouched(id)) return;
          if (!life.input.equals(twin.input)) return;
          String mine = told(life.state);
          String its = told(twin.state);
          Violation.require(
              mine.equals(its),
              "I6",
              "%s came to %s, and without any trouble to %s".formatted(id, mine, its));
        });
  }

  private static String told(WorkflowState state) {
    return switch (state.outcome().orElseThrow()) {
      case Outcome.Succeeded(var value) -> new String(value.bytes(), StandardCharsets.UTF_8);
      case Outcome.Failed(var failure) -> failure.toString();
      case Outcome.Cancelled cancelled -> cancelled.toString();
      case Outcome.TimedOut timedOut -> timedOut.toString();
      case Outcome.Terminated terminated -> terminated.toString();
    };
  }

  /** A parent gets the outcomes of its children, so it is touched when a child is. */
  private boolean isTouched(String id) {
    return lives.entrySet().stream()
        .anyMatch(
            each ->
                each.getValue().touched
                    && (each.getKey().equals(id) || each.getKey().startsWith(id + ".")));
  }

  private static boolean touches(Event event) {
    return switch (event) {
      case Event.CancelRequested e -> true;
      case Event.DeadlinePassed e -> true;
      case Event.Repinned e -> true;
      case Event.Retried e -> true;
      case Event.Concluded e -> true;
      case Event.Forked e -> true;
      case Event.StartedAgain e -> true;
      case Event.Ended(var at, Outcome outcome, var digits) ->
          !(outcome instanceof Outcome.Succeeded || outcome instanceof Outcome.Failed);
      // The person who repairs a workflow that took nodes down also repairs its steps: they fail no
      // more in this life.
      case Event.IncidentRaised(var at, Incident incident) ->
          incident instanceof Incident.Other other && other.kind().equals(World.POISON);
      case Event.OfOperation _,
          Event.OfEngine _,
          Event.Started _,
          Event.ContinuedAsNew _,
          Event.SignalReturned _,
          Event.AttributesChanged _,
          Event.UpdateAdmitted _,
          Event.UpdateAnswered _,
          Event.SourceChildStarted _,
          Event.SourceSignalNotReceived _ ->
          false;
    };
  }
}
