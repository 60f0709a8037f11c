package dev.tenure.sharding.lease;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.coordination.lease.LeaseSettings;
import org.apache.pekko.coordination.lease.javadsl.Lease;

/**
 * The lease that Cluster Sharding takes before a shard starts its first entity, named in {@code
 * pekko.cluster.sharding.use-lease}. One instance serves a shard for as long as the actor system
 * lives, over many tenures; {@link Tenures} keeps them.
 */
public final class PostgresShardLease extends Lease {
  private final LeaseSettings settings;
  private final Tenures tenures;
  private final int shard;

  /** Called by Pekko, which finds the constructor by its parameters. */
  public PostgresShardLease(LeaseSettings settings, ExtendedActorSystem system) {
    this.settings = settings;
    this.tenures = Tenures.of(system);
    LeaseName name = LeaseName.parse(system.name(), settings.leaseName());
    tenures.shard(name.typeName());
    this.shard = name.shard();
  }

  @Override
  public LeaseSettings getSettings() {
    return settings;
  }

  @Override
  public CompletionStage<Boolean> acquire() {
    return acquire(reason -> {});
  }

  @Override
  public CompletionStage<Boolean> acquire(Consumer<Optional<Throwable>> leaseLostCallback) {
    return tenures.keeper().acquire(shard, leaseLostCallback);
  }

  @Override
  public CompletionStage<Boolean> release() {
    return tenures.keeper().release(shard);
  }

  @Override
  public boolean checkLease() {
    return tenures.epochOf(shard).isPresent();
  }
}
