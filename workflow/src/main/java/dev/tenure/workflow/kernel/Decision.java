package dev.tenure.workflow.kernel;

import java.util.List;

/**
 * What happens next, as data: commit the events at once, then perform the effects, then reply.
 *
 * @param returned the signals that the events give back, with what the commit needs to store them
 *     in the inbox again
 * @param waits whether the program's last wish, to continue as new, is not granted yet: the run
 *     still has to deliver too much. The owner asks again when some of it is delivered.
 */
public record Decision(
    List<Event> events,
    List<Effect> effects,
    Reply reply,
    List<Command.Arrival> returned,
    boolean waits) {
  public Decision {
    events = List.copyOf(events);
    effects = List.copyOf(effects);
    returned = List.copyOf(returned);
  }

  /**
   * What of the wishes is still to be granted.
   *
   * @param count so many of the first ones were given to the kernel
   */
  public Wishes rest(Wishes asked, int count) {
    return waits ? asked.last() : asked.after(count);
  }
}
