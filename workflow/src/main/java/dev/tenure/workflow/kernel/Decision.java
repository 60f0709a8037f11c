package dev.tenure.workflow.kernel;

import java.util.List;

/** What happens next, as data: commit the events at once, then perform the effects, then reply. */
public record Decision(List<Event> events, List<Effect> effects, Reply reply) {
  public Decision {
    events = List.copyOf(events);
    effects = List.copyOf(effects);
  }
}
