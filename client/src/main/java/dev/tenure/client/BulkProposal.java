package dev.tenure.client;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * An order to many, counted and not begun.
 *
 * @param count how many match
 * @param countIsComplete false when there are even more
 * @param confirmation what {@link Incidents#confirm} wants, within ten minutes
 * @param document the answer as it came
 */
public record BulkProposal(
    String bulkId, long count, boolean countIsComplete, String confirmation, JsonNode document) {
  static BulkProposal of(Answer answer) {
    return new BulkProposal(
        answer.text("bulkId"),
        answer.whole("count"),
        answer.flag("countIsComplete"),
        answer.text("confirmation"),
        answer.node());
  }
}
