package dev.tenure.http.bulk;

import dev.tenure.http.access.Caller;
import dev.tenure.http.api.Call;
import dev.tenure.http.json.Json;
import dev.tenure.http.json.JsonReader;
import dev.tenure.http.workflow.Filters;
import dev.tenure.persistence.visibility.WorkflowFilter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;

/**
 * What is to be done to which workflows.
 *
 * @param text as it was sent, and as it is kept
 */
record BulkRequest(Order order, String reason, Call filter, String text) {
  /** What can be done to many. */
  enum Order {
    CANCEL,
    TERMINATE,
    PAUSE,
    RESUME;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    static Order parse(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT));
    }
  }

  static BulkRequest of(Call call) {
    String text = text(call);
    return new BulkRequest(
        Order.parse(call.textOf("order")),
        call.text("reason").orElse(""),
        call.within("filter"),
        text);
  }

  /** As it was kept. */
  static BulkRequest parse(String text) {
    Json json = JsonReader.read(text.getBytes(StandardCharsets.UTF_8));
    return of(new Call(Caller.DEVELOPER, ((Json.Obj) json).fields()));
  }

  private static String text(Call call) {
    StringBuilder all = new StringBuilder("{");
    for (Map.Entry<String, Json> input : call.inputs().entrySet()) {
      if (all.length() > 1) all.append(',');
      all.append('"').append(input.getKey()).append("\":");
      all.append(new String(input.getValue().at().bytes(), StandardCharsets.UTF_8));
    }
    return all.append('}').toString();
  }

  /** Those that started before it was counted: what comes later was not in the count. */
  WorkflowFilter matching(Instant counted) {
    WorkflowFilter asked = Filters.of(filter);
    Instant before = asked.startedBefore().filter(counted::isAfter).orElse(counted);
    return new WorkflowFilter(
        asked.statuses(),
        asked.type(),
        asked.parent(),
        asked.attributes(),
        asked.startedFrom(),
        java.util.Optional.of(before));
  }
}
