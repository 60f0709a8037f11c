package dev.tenure.client;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A node of the cluster, as the node sees it that answers.
 *
 * @param node its address among the nodes
 * @param self whether it is the one that answers
 * @param shards how many it has, by the leases
 * @param document the answer as it came
 */
public record NodeSummary(
    String node,
    String status,
    boolean reachable,
    boolean leader,
    boolean self,
    long shards,
    JsonNode document) {
  static NodeSummary of(Answer answer) {
    return new NodeSummary(
        answer.text("node"),
        answer.text("status"),
        answer.flag("reachable"),
        answer.flag("leader"),
        answer.flag("self"),
        answer.whole("shards"),
        answer.node());
  }
}
