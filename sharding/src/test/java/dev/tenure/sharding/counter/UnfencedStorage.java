package dev.tenure.sharding.counter;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.lease.Lease;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.membership.Members;
import dev.tenure.persistence.signal.Signals;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageCapabilities;
import dev.tenure.persistence.storage.StoreIdentity;
import dev.tenure.persistence.visibility.Workflows;
import java.util.List;
import javax.sql.DataSource;

/**
 * The planted bug: every commit is written under whatever epoch is the current one, so the fence
 * stops nobody. What must not happen then does, and the checks have to see it.
 */
final class UnfencedStorage implements Storage {
  private final Storage to;

  UnfencedStorage(Storage to) {
    this.to = to;
  }

  @Override
  public List<CommitResult> commit(List<Commit> batch) {
    return to.commit(batch.stream().map(this::underTheCurrentEpoch).toList());
  }

  private Commit underTheCurrentEpoch(Commit commit) {
    int shard = commit.fence().shard();
    long current = to.leases().find(shard).map(Lease::epoch).orElse(commit.fence().epoch());
    return new Commit(
        commit.id(),
        new Fence(shard, current),
        commit.serializerId(),
        commit.manifest(),
        commit.payload(),
        commit.writtenAtMs(),
        commit.sideRows());
  }

  @Override
  public StorageCapabilities capabilities() {
    return to.capabilities();
  }

  @Override
  public void prepare(StoreIdentity wanted) {
    to.prepare(wanted);
  }

  @Override
  public List<Long> newestVersions(List<String> persistenceIds) {
    return to.newestVersions(persistenceIds);
  }

  @Override
  public List<List<JournalRow>> read(List<JournalRead> reads) {
    return to.read(reads);
  }

  @Override
  public Leases leases() {
    return to.leases();
  }

  @Override
  public Workflows workflows() {
    return to.workflows();
  }

  @Override
  public Signals signals() {
    return to.signals();
  }

  @Override
  public Members members() {
    return to.members();
  }

  @Override
  public DataSource dataSource() {
    return to.dataSource();
  }

  @Override
  public void close() {
    to.close();
  }
}
