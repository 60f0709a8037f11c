package dev.tenure.client;

import java.util.Optional;

/**
 * A shard, and the node that has it, by the leases.
 *
 * @param epoch raised whenever it changes hands
 * @param node empty when no node has it
 */
public record ShardSummary(long shard, long epoch, Optional<String> node) {
  static ShardSummary of(Answer answer) {
    return new ShardSummary(
        answer.whole("shard"), answer.whole("epoch"), answer.optionalText("node"));
  }
}
