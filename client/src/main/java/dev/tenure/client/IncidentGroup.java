package dev.tenure.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;

/**
 * All incidents of one cause.
 *
 * @param since when the oldest was raised
 * @param newest when the newest was
 * @param evidence of the newest, as an example
 * @param document the answer as it came
 */
public record IncidentGroup(
    String fingerprint,
    String kind,
    String type,
    long count,
    Instant since,
    Instant newest,
    String evidence,
    JsonNode document) {
  static IncidentGroup of(Answer answer) {
    return new IncidentGroup(
        answer.text("fingerprint"),
        answer.text("kind"),
        answer.text("type"),
        answer.whole("count"),
        answer.time("since"),
        answer.time("newest"),
        answer.text("evidence"),
        answer.node());
  }
}
