package dev.tenure.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/**
 * How far an order to many is, which goes on by itself.
 *
 * @param count how many matched when it was proposed
 * @param applied told, and changed by it
 * @param unchanged stood so before, or had ended
 * @param document the answer as it came
 */
public record BulkProgress(
    String bulkId,
    boolean finished,
    long count,
    long applied,
    long unchanged,
    long failed,
    Optional<String> lastFailure,
    JsonNode document) {
  static BulkProgress of(Answer answer) {
    return new BulkProgress(
        answer.text("bulkId"),
        answer.text("state").equals("finished"),
        answer.whole("count"),
        answer.whole("applied"),
        answer.whole("unchanged"),
        answer.whole("failed"),
        answer.optionalText("lastFailure"),
        answer.node());
  }
}
