package dev.tenure.simulation;

import dev.tenure.workflow.ParentClosePolicy;
import dev.tenure.workflow.audit.Violation;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Origin;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * I8 between a parent and its children: a parent is closed when what its end means for each child
 * is done. One that is to be terminated has ended by then, one that is to be cancelled knows.
 */
final class Families {
  /** One operation of one run of a parent, which starts a child. */
  private record Birth(String parent, int run, OperationId operation) {}

  private final Map<Birth, OperationSpec.Child> asked = new HashMap<>();
  private final Map<String, Integer> runs = new HashMap<>();
  private final Map<String, Origin> origins = new HashMap<>();
  private final Set<String> ended = new HashSet<>();
  private final Set<String> told = new HashSet<>();

  void commit(String workflow, List<Event> events) {
    int run = runs.getOrDefault(workflow, 0);
    boolean copies = events.stream().anyMatch(Event.Forked.class::isInstance);
    for (Event event : events)
      switch (event) {
        case Event.Started e when !copies ->
            e.start().origin().ifPresent(of -> origins.put(workflow, of));
        case Event.ContinuedAsNew e -> runs.put(workflow, ++run);
        case Event.StartedAgain e -> {
          runs.put(workflow, ++run);
          ended.remove(workflow);
          told.remove(workflow);
          origins.remove(workflow);
          e.start().origin().ifPresent(of -> origins.put(workflow, of));
        }
        case Event.Scheduled e when e.spec() instanceof OperationSpec.Child child && !copies ->
            asked.put(new Birth(workflow, run, e.operation()), child);
        case Event.CancelRequested e -> told.add(workflow);
        // Its own deadline has asked its code to stop, so the parent's request changes nothing.
        case Event.DeadlinePassed e -> told.add(workflow);
        case Event.Ended e -> ended.add(workflow);
        case Event.Closed e -> closed(workflow);
        case Event.OfOperation _,
            Event.OfEngine _,
            Event.Started _,
            Event.SignalReturned _,
            Event.AttributesChanged _,
            Event.UpdateAdmitted _,
            Event.UpdateAnswered _,
            Event.SourceChildStarted _,
            Event.SourceSignalNotReceived _,
            Event.Forked _ -> {}
      }
  }

  private void closed(String parent) {
    asked.forEach(
        (birth, child) -> {
          if (birth.parent.equals(parent)) closed(birth, child);
        });
  }

  private void closed(Birth birth, OperationSpec.Child child) {
    String id = child.id().value();
    boolean isIts =
        Optional.ofNullable(origins.get(id))
            .filter(of -> of.parent().value().equals(birth.parent))
            .filter(of -> of.operation().equals(birth.operation))
            .isPresent();
    if (!isIts || ended.contains(id)) return;
    Violation.require(
        child.onParentClose() != ParentClosePolicy.TERMINATE,
        "I8",
        birth + " is over, and its child " + id + " goes on");
    Violation.require(
        child.onParentClose() != ParentClosePolicy.CANCEL || told.contains(id),
        "I8",
        birth + " is over, and its child " + id + " was not told");
  }
}
