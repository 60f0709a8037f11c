package dev.tenure.persistence.postgres;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitId;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.Writers;
import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.storage.Storage;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Whatever is committed alone gets company, so it is stored by the statements for many. */
final class InCompany extends ForwardingStorage {
  private final AtomicLong strangers = new AtomicLong();

  InCompany(Storage inner) {
    super(inner);
  }

  @Override
  public List<CommitResult> commit(List<Commit> batch) {
    if (batch.size() != 1) return super.commit(batch);
    return List.of(super.commit(List.of(batch.getFirst(), stranger(batch.getFirst()))).getFirst());
  }

  private Commit stranger(Commit commit) {
    return new Commit(
        new CommitId("stranger|" + strangers.incrementAndGet(), 1, Writers.named("stranger")),
        commit.fence(),
        commit.manifest(),
        new byte[1],
        List.of());
  }
}
