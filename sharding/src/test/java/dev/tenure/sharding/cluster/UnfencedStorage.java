package dev.tenure.sharding.cluster;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.lease.Lease;
import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageException;
import java.util.List;

/**
 * The planted bug: every commit is written under whatever epoch is the current one, so the fence
 * stops nobody. What must not happen then does, and the checks have to see it.
 */
final class UnfencedStorage extends ForwardingStorage {
  private static final int ATTEMPTS = 10;

  UnfencedStorage(Storage to) {
    super(to);
  }

  @Override
  public List<CommitResult> commit(List<Commit> batch) {
    return inner.commit(batch.stream().map(this::underTheCurrentEpoch).toList());
  }

  private Commit underTheCurrentEpoch(Commit commit) {
    int shard = commit.fence().shard();
    return new Commit(
        commit.id(), current(shard), commit.manifest(), commit.payload(), commit.sideRows());
  }

  /** Connections that broke while the process was stopped do not stop the bug. */
  private Fence current(int shard) {
    for (int attempt = 1; ; attempt++) {
      try {
        Lease lease = inner.leases().find(shard).orElseThrow();
        return new Fence(shard, lease.epoch(), lease.holder().orElseThrow().incarnation());
      } catch (StorageException.Unavailable e) {
        if (attempt == ATTEMPTS) throw e;
      }
    }
  }
}
