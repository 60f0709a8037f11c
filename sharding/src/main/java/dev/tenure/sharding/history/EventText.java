package dev.tenure.sharding.history;

import dev.tenure.workflow.kernel.Event;

/** What people read of an event, without its values: these may be large or secret. */
public final class EventText {
  private EventText() {}

  public static String of(Event event) {
    String name = event.getClass().getSimpleName();
    return event instanceof Event.OfOperation about ? name + " " + about.operation() : name;
  }
}
