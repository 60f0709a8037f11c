package dev.tenure.sharding.cluster;

import dev.tenure.sharding.lease.Tenures;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.cluster.sharding.ClusterSharding;
import org.apache.pekko.cluster.sharding.ShardRegion;
import org.apache.pekko.pattern.Patterns;

/** Whether a node that was given shards holds the lease of none of them: it can serve nothing. */
final class LeaseWaits {
  /** A shard that waits for its lease answers nothing, and its region waits for it. */
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(1);

  private LeaseWaits() {}

  static CompletionStage<Boolean> of(ActorSystem<?> system, String typeName) {
    Tenures tenures = Tenures.of(system);
    if (tenures.held() > 0) return CompletableFuture.completedStage(false);
    ActorRef region = ClusterSharding.get(Adapter.toClassic(system)).shardRegion(typeName);
    return Patterns.ask(region, ShardRegion.getRegionStatsInstance(), ANSWER_LIMIT)
        .handle((answer, failure) -> tenures.held() == 0 && hasShards(answer));
  }

  /**
   * @param answer nothing when the region waits for one of its shards
   */
  private static boolean hasShards(Object answer) {
    return !(answer instanceof ShardRegion.ShardRegionStats stats)
        || !stats.getStats().isEmpty()
        || stats.failed().nonEmpty();
  }
}
