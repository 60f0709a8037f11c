package dev.tenure.sharding.workflow;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * Stores commits and forgets to say so: the owner of each such commit has to start again and to
 * find out from the database, which is what a crash right after every commit amounts to.
 */
final class AmnesicStorage extends ForwardingStorage {
  private final Predicate<Commit> forgets;
  private final Map<String, Long> forgotten = new ConcurrentHashMap<>();
  private final AtomicLong times = new AtomicLong();

  /**
   * @param forgets which commits are stored without an answer; each only once
   */
  AmnesicStorage(Storage inner, Predicate<Commit> forgets) {
    super(inner);
    this.forgets = forgets;
  }

  @Override
  public List<CommitResult> commit(List<Commit> batch) {
    List<CommitResult> results = inner.commit(batch);
    List<CommitResult> told = new ArrayList<>(results);
    for (int i = 0; i < batch.size(); i++) {
      Commit commit = batch.get(i);
      boolean stored = results.get(i) instanceof CommitResult.Committed;
      if (!stored || !forgets.test(commit)) continue;
      told.set(
          i,
          new CommitResult.Unknown(
              commit.id(), new StorageException.OutcomeUnknown("forgotten on purpose", null)));
      forgotten.merge(commit.id().persistenceId(), 1L, Long::sum);
      times.incrementAndGet();
    }
    return told;
  }

  /** How many commits it has forgotten. */
  long times() {
    return times.get();
  }

  long times(String persistenceId) {
    return forgotten.getOrDefault(persistenceId, 0L);
  }
}
