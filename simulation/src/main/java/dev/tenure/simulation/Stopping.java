package dev.tenure.simulation;

import dev.tenure.workflow.audit.Violation;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.operation.OperationId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * I12 in one workflow: once its code knows that it is to stop, it begins nothing but what undoes
 * something and what is shielded.
 */
final class Stopping {
  private boolean asked;
  private boolean paused;
  private boolean blocked;
  private boolean stands;
  private boolean knows;

  private final boolean inPortions;

  /**
   * @param inPortions whether what the code asks for may take several commits
   */
  Stopping(boolean inPortions) {
    this.inPortions = inPortions;
  }

  void commit(String workflow, List<Event> events) {
    // It goes on with what the code asked for at an earlier commit, when it may not have known.
    boolean goesOn = inPortions && events.stream().anyMatch(Event.CodeRevised.class::isInstance);
    // What is given up in the commit that asks for it never begins.
    Set<OperationId> givenUp = new HashSet<>();
    for (Event event : events) if (event instanceof Event.Abandoned e) givenUp.add(e.operation());
    for (Event event : events) {
      if (knows
          && !goesOn
          && event instanceof Event.Scheduled one
          && !givenUp.contains(one.operation()))
        Violation.require(
            isAllowed(one.operation()),
            "I12",
            workflow + " is to stop, and begins " + one.operation());
      read(event);
    }
    // A fork's code is told what was copied after that was stored. With the next commit it may ask
    // again for what was open in the other workflow, from before that one knew.
    boolean copied = events.stream().anyMatch(Event.Forked.class::isInstance);
    knows = asked && !paused && !blocked && !stands && !copied;
  }

  private void read(Event event) {
    switch (event) {
      case Event.CancelRequested e -> asked = true;
      case Event.DeadlinePassed e -> asked = true;
      case Event.Paused e -> paused = true;
      case Event.Resumed e -> paused = false;
      case Event.Blocked e -> blocked = true;
      case Event.Unblocked e -> blocked = false;
      case Event.IncidentRaised e -> stands = true;
      case Event.IncidentResolved e -> stands = false;
      case Event.StartedAgain e -> {
        asked = false;
        paused = false;
        blocked = false;
        stands = false;
      }
      case Event.Repinned e -> {
        stands = false;
        blocked = false;
      }
      case Event.OfOperation _,
          Event.OfEngine _,
          Event.Started _,
          Event.ContinuedAsNew _,
          Event.SignalReturned _,
          Event.AttributesChanged _,
          Event.UpdateAdmitted _,
          Event.UpdateAnswered _,
          Event.SourceChildStarted _,
          Event.SourceSignalNotReceived _,
          Event.Forked _,
          Event.Ended _ -> {}
    }
  }

  private static boolean isAllowed(OperationId id) {
    return id.isEngines() || id.name().startsWith("undo ") || id.value().contains(Parts.SHIELD);
  }
}
