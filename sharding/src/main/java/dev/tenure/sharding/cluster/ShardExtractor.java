package dev.tenure.sharding.cluster;

import dev.tenure.persistence.shard.ShardOf;
import org.apache.pekko.cluster.sharding.typed.ShardingEnvelope;
import org.apache.pekko.cluster.sharding.typed.ShardingMessageExtractor;

/** Routes a message to the shard whose number the rows of its workflow carry. */
final class ShardExtractor<M> extends ShardingMessageExtractor<ShardingEnvelope<M>, M> {
  private final int shards;

  ShardExtractor(int shards) {
    this.shards = shards;
  }

  @Override
  public String entityId(ShardingEnvelope<M> message) {
    return message.entityId();
  }

  @Override
  public String shardId(String entityId) {
    return Integer.toString(ShardOf.workflow(entityId, shards));
  }

  @Override
  public M unwrapMessage(ShardingEnvelope<M> message) {
    return message.message();
  }
}
