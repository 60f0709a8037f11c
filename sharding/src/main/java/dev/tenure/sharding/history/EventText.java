package dev.tenure.sharding.history;

import dev.tenure.workflow.kernel.Event;

/** What people read of an event, without its values: they may be large, or nobody's business. */
final class EventText {
  private EventText() {}

  static String of(Event event) {
    String name = event.getClass().getSimpleName();
    return event instanceof Event.OfOperation about ? name + " " + about.operation() : name;
  }
}
