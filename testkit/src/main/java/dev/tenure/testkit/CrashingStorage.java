package dev.tenure.testkit;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.entry.JournalEntryCodec;
import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.workflow.kernel.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts commits, and lets the owner die of some of them: they are stored, and it never hears of
 * it.
 */
final class CrashingStorage extends ForwardingStorage {
  private final Runnable crash;
  private final AtomicLong commits = new AtomicLong();
  private final AtomicInteger crashes = new AtomicInteger();
  private int commitsLeft = -1;
  private boolean always;

  /**
   * @param crash what else happens to the owner
   */
  CrashingStorage(Storage inner, Runnable crash) {
    super(inner);
    this.crash = crash;
  }

  synchronized void after(int commits) {
    if (commits < 1) throw new IllegalArgumentException("the first commit is number 1");
    commitsLeft = commits;
  }

  synchronized void afterEach() {
    always = true;
  }

  long commits() {
    return commits.get();
  }

  int crashes() {
    return crashes.get();
  }

  @Override
  public List<CommitResult> commit(List<Commit> batch) {
    List<CommitResult> told = new ArrayList<>(inner.commit(batch));
    for (int i = 0; i < told.size(); i++) {
      if (told.get(i) instanceof CommitResult.Committed) commits.incrementAndGet();
      if (!(told.get(i) instanceof CommitResult.Committed) || !diesOf(batch.get(i))) continue;
      crashes.incrementAndGet();
      StorageException unheard = new StorageException.OutcomeUnknown("a crash was asked for", null);
      told.set(i, new CommitResult.Unknown(batch.get(i).id(), unheard));
      crash.run();
    }
    return told;
  }

  private synchronized boolean diesOf(Commit commit) {
    // What a new owner only hands out again moves nothing: dying of that would never end.
    boolean moved =
        !JournalEntryCodec.decode(commit.payload()).events().stream()
            .allMatch(Event.Redelivered.class::isInstance);
    if (!moved) return false;
    if (commitsLeft > 0 && --commitsLeft == 0) return true;
    return always;
  }
}
