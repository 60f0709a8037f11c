package dev.tenure.bench.commits;

import dev.tenure.bench.measure.BenchServer;
import dev.tenure.bench.measure.Options;
import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitId;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.embedded.LocalPostgres;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.lease.Membership;
import dev.tenure.persistence.postgres.PostgresSettings;
import dev.tenure.persistence.postgres.PostgresStorage;
import dev.tenure.persistence.storage.CheckpointOwnership;
import dev.tenure.persistence.storage.StoreIdentity;
import java.time.Duration;
import java.util.List;

/** Tenure's own schema, migrated as in production, with all shards leased to this process. */
final class FencedStore implements AutoCloseable {
  static final int SHARDS = 128;
  private static final Duration LEASE = Duration.ofHours(1);

  private final PostgresStorage storage;
  private final Holder self = new Holder("127.0.0.1:0", ProcessHandle.current().pid());
  private final long[] epochs = new long[SHARDS];

  FencedStore(BenchServer server, Options options) {
    storage =
        PostgresStorage.open(
            options.database(
                PostgresSettings.of(server.postgres().url(), LocalPostgres.APPLICATION, "")
                    .withMigration(LocalPostgres.OWNER, "")));
    storage.prepare(new StoreIdentity(CheckpointOwnership.CAS_REQUIRED, SHARDS));
    // Each path begins with an empty journal, so that none pays for what the one before it left.
    server.execute(LocalPostgres.DATABASE, "TRUNCATE event_journal");
    for (int shard = 0; shard < SHARDS; shard++) {
      Leases.Claim claim = storage.leases().acquire(shard, self, Membership.UNKNOWN, LEASE);
      epochs[shard] =
          switch (claim) {
            case Leases.Claim.Granted granted -> granted.epoch();
            case Leases.Claim.Refused refused ->
                throw new IllegalStateException("shard " + shard + " is held by " + refused);
          };
    }
  }

  PostgresStorage storage() {
    return storage;
  }

  Fence fence(int writer) {
    int shard = writer % SHARDS;
    return new Fence(shard, epochs[shard], self.incarnation());
  }

  /** One writer of the paths without actors, and the version it writes next. */
  final class Source {
    private final String persistenceId;
    private final Fence fence;
    private final byte[] payload;
    private final java.util.UUID incarnation = java.util.UUID.randomUUID();
    private long version;

    Source(String name, int writer) {
      persistenceId = name + "|" + writer;
      fence = fence(writer);
      payload = BenchEvent.payload(writer);
    }

    Commit next() {
      return new Commit(
          new CommitId(persistenceId, ++version, incarnation), fence, "b", payload, List.of());
    }
  }

  @Override
  public void close() {
    storage.close();
  }
}
