package dev.tenure.workflow.kernel;

import dev.tenure.workflow.lifecycle.ImpossibleHistoryError;
import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The updates of a run: those that wait for an answer, and the newest answers. */
final class RecordedUpdates {
  private final Map<String, Event.CarriedUpdate> pending = new LinkedHashMap<>();
  private final Map<String, Outcome> answered = new LinkedHashMap<>();

  /** Of all these updates, what tells them from others under their ids. */
  private final Map<String, String> bodies = new HashMap<>();

  void admit(Event.CarriedUpdate update) {
    pending.put(update.updateId(), update);
    bodies.put(update.updateId(), Command.Update.fingerprint(update.name(), update.payload()));
  }

  void answer(String updateId, Outcome outcome) {
    if (pending.remove(updateId) == null)
      throw new ImpossibleHistoryError(
          "Update " + updateId + " is answered without waiting for it.");
    answered.put(updateId, outcome);
    if (answered.size() > Limits.ANSWERED_UPDATES_MAX) {
      Iterator<String> eldest = answered.keySet().iterator();
      bodies.remove(eldest.next());
      eldest.remove();
    }
  }

  /** An answer that an earlier run gave. */
  void takeOver(Event.Answered answer) {
    answered.put(answer.updateId(), answer.outcome());
    bodies.put(answer.updateId(), answer.fingerprint());
  }

  void clear() {
    pending.clear();
    answered.clear();
    bodies.clear();
  }

  /** In the order in which they came. */
  Collection<Event.CarriedUpdate> pending() {
    return pending.values();
  }

  boolean isPending(String updateId) {
    return pending.containsKey(updateId);
  }

  /** With when they came. */
  Map<String, Instant> pendingSince() {
    Map<String, Instant> came = new LinkedHashMap<>();
    pending.forEach((id, update) -> came.put(id, update.admittedAt()));
    return Collections.unmodifiableMap(came);
  }

  /** The newest answers, the oldest of them first. */
  Map<String, Outcome> answered() {
    return Collections.unmodifiableMap(answered);
  }

  List<Event.Answered> answers() {
    List<Event.Answered> all = new ArrayList<>(answered.size());
    answered.forEach((id, outcome) -> all.add(new Event.Answered(id, bodies.get(id), outcome)));
    return all;
  }

  /** The fingerprint of the update of that id; null when there is none. */
  String body(String updateId) {
    return bodies.get(updateId);
  }

  /** For comparing and for looking at. */
  @Override
  public String toString() {
    return "%s, answers %s of %s".formatted(pending.keySet(), answered, bodies.hashCode());
  }
}
