package dev.tenure.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Optional;

/**
 * A node of the cluster, as the node sees it that answers.
 *
 * @param node its address among the nodes
 * @param self whether it is the one that answers
 * @param shards how many it has, by the leases
 * @param engine its release, if it has said so
 * @param reads the newest level of stored formats that it reads, if it has said so
 * @param clockAhead by how much the clock of its machine is ahead of the database's; negative when
 *     it is behind
 * @param document the answer as it came
 */
public record NodeSummary(
    String node,
    String status,
    boolean reachable,
    boolean leader,
    boolean self,
    long shards,
    Optional<String> engine,
    Optional<Integer> reads,
    Optional<Duration> clockAhead,
    JsonNode document) {
  static NodeSummary of(Answer answer) {
    return new NodeSummary(
        answer.text("node"),
        answer.text("status"),
        answer.flag("reachable"),
        answer.flag("leader"),
        answer.flag("self"),
        answer.whole("shards"),
        answer.optionalText("engine"),
        answer.optional("reads").map(JsonNode::asInt),
        answer.optional("clockAheadMs").map(ahead -> Duration.ofMillis(ahead.asLong())),
        answer.node());
  }
}
