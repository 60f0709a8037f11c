package dev.tenure.workflow.kernel;

import java.util.List;

/**
 * What happens next, as data: commit the events at once, then perform the effects, then reply.
 *
 * @param returned the signals that the events give back, with what the commit needs to store them
 *     in the inbox again
 */
public record Decision(
    List<Event> events, List<Effect> effects, Reply reply, List<Command.Arrival> returned) {
  public Decision {
    events = List.copyOf(events);
    effects = List.copyOf(effects);
    returned = List.copyOf(returned);
  }
}
