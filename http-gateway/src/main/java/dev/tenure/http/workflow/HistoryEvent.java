package dev.tenure.http.workflow;

import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.workflow.kernel.Event;
import java.util.ArrayList;
import java.util.List;

/**
 * One event of a history, as it is sent.
 *
 * @param index in its commit
 * @param isLast nothing of its run follows it (I4); the next run, if another start begins one
 */
public record HistoryEvent(int index, String type, String json, boolean isLast) {
  public static List<HistoryEvent> of(JournalEntry entry) {
    List<HistoryEvent> all = new ArrayList<>(entry.events().size());
    for (int i = 0; i < entry.events().size(); i++) {
      Event event = entry.events().get(i);
      var json = EventJson.of(event);
      all.add(
          new HistoryEvent(
              i, json.get("type").asText(), json.toString(), event instanceof Event.Closed));
    }
    return all;
  }
}
