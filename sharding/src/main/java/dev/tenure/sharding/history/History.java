package dev.tenure.sharding.history;

import dev.tenure.persistence.entry.HistoryChain;
import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Fork;
import dev.tenure.workflow.kernel.Start;
import java.util.List;

/** A workflow's commits from its first one on, each linked to the one before. */
public record History(List<JournalEntry> entries) {
  public History {
    entries = List.copyOf(entries);
    if (entries.isEmpty()
        || entries.getFirst().events().isEmpty()
        || !(entries.getFirst().events().getFirst() instanceof Event.Started))
      throw new InvalidHistoryException("It does not begin with the start of a workflow.");
    HistoryChain chain =
        new HistoryChain(((Event.Started) entries.getFirst().events().getFirst()).start().id());
    entries.forEach(chain::next);
  }

  public Start start() {
    return ((Event.Started) entries.getFirst().events().getFirst()).start();
  }

  /**
   * The code that it ends with: runs are moved to other versions, and later ones begin with newer.
   */
  public WorkflowType type() {
    WorkflowType type = start().type();
    for (Event event : events()) {
      if (Fork.followsRun(event)) type = Fork.start(event).type();
      if (event instanceof Event.Repinned moved)
        type = new WorkflowType(type.name(), moved.version());
    }
    return type;
  }

  public WorkflowId id() {
    return start().id();
  }

  public List<Event> events() {
    return entries.stream().flatMap(entry -> entry.events().stream()).toList();
  }
}
