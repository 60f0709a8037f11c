package dev.tenure.http.bulk;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.tenure.http.access.Caller;
import dev.tenure.http.api.Call;
import dev.tenure.http.json.Json;
import dev.tenure.http.json.JsonReader;
import dev.tenure.http.workflow.Engine;
import dev.tenure.http.workflow.Filters;
import dev.tenure.http.workflow.IncidentFilters;
import dev.tenure.http.workflow.Remedies;
import dev.tenure.persistence.incident.IncidentFilter;
import dev.tenure.persistence.visibility.WorkflowFilter;
import dev.tenure.sharding.workflow.Remedy;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What is to be done to which workflows.
 *
 * @param remedy what is done about activities whose outcome cannot be told
 * @param caller who proposed it
 * @param text as it was sent, and as it is kept
 */
record BulkRequest(
    Order order, String reason, Call filter, Remedy remedy, String caller, String text) {
  static final String REMEDY = "remedy";

  /** Of what is kept; no client can send it. */
  private static final String CALLER = "caller";

  /** What can be done to many. */
  enum Order {
    CANCEL,
    TERMINATE,
    PAUSE,
    RESUME,
    /** Its filter is one of incidents, and its reason says what was done about them. */
    RESOLVE_INCIDENT;

    /** The orders that workflows take in any state. */
    static final List<Order> OF_WORKFLOWS = List.of(CANCEL, TERMINATE, PAUSE, RESUME);

    String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Order parse(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
  }

  static BulkRequest of(Call call) {
    return of(call, call.caller().name());
  }

  private static BulkRequest of(Call call, String caller) {
    String text = text(call, caller);
    return new BulkRequest(
        Order.parse(call.textOf("order")),
        call.text("reason").orElse(""),
        call.within("filter"),
        Remedies.of(call, REMEDY),
        caller,
        text);
  }

  /**
   * To resolve incidents. What is kept has the filter of those that the remedy is for: a node of an
   * earlier version, which knows no remedies, would resolve these.
   */
  static BulkRequest resolution(Call call, Engine engine) {
    Remedy remedy = Remedies.of(call, REMEDY);
    IncidentFilter asked = IncidentFilters.of(call.within("filter"));
    return parse(
        "{\"order\":\"%s\",\"reason\":%s,\"filter\":%s,\"%s\":%s,\"%s\":%s}"
            .formatted(
                Order.RESOLVE_INCIDENT.word(),
                written(call.input("note").orElseThrow()),
                IncidentFilters.written(Remedies.within(asked, remedy, REMEDY)),
                REMEDY,
                Remedies.written(remedy, engine),
                CALLER,
                TextNode.valueOf(call.caller().name())));
  }

  /** As it was kept. */
  static BulkRequest parse(String text) {
    Json json = JsonReader.read(text.getBytes(StandardCharsets.UTF_8));
    Call kept = new Call(Caller.DEVELOPER, ((Json.Obj) json).fields());
    return of(kept, kept.textOf(CALLER));
  }

  private static String text(Call call, String caller) {
    StringBuilder all = new StringBuilder("{");
    for (Map.Entry<String, Json> input : call.inputs().entrySet()) {
      if (input.getKey().equals(CALLER)) continue;
      all.append('"').append(input.getKey()).append("\":");
      all.append(written(input.getValue())).append(',');
    }
    return all.append("\"%s\":%s}".formatted(CALLER, TextNode.valueOf(caller))).toString();
  }

  private static String written(Json json) {
    return new String(json.at().bytes(), StandardCharsets.UTF_8);
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
