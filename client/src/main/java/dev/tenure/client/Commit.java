package dev.tenure.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;

/**
 * One commit of a workflow's history.
 *
 * @param version counts from 1, without gaps
 * @param epoch the tenure under which it was written
 * @param document the answer as it came
 */
public record Commit(long version, long epoch, List<Event> events, JsonNode document) {
  /**
   * @param document with its type and time, and what else there is to say about an event of its
   *     type
   */
  public record Event(String type, Instant at, JsonNode document) {
    static Event of(Answer answer) {
      return new Event(answer.text("type"), answer.time("at"), answer.node());
    }
  }

  static Commit of(Answer answer) {
    return new Commit(
        answer.whole("version"),
        answer.whole("epoch"),
        answer.all("events", Event::of),
        answer.node());
  }
}
