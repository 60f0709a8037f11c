package dev.tenure.persistence.merging;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.InvalidCommitError;
import dev.tenure.persistence.storage.Storage;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;

/**
 * Group commit: what many workflows hand in while a transaction is under way becomes the next one.
 * Nothing waits for a timer, so a lone commit leaves at once and thousands share one fsync.
 *
 * <p>While few commits wait, one transaction at a time carries all of them. Only while many wait,
 * each lane has a transaction of its own. A shard always belongs to the same lane: two transactions
 * of a node never lock one lease row together, which would cost PostgreSQL a multi-transaction id
 * for each.
 */
public final class CommitPipeline implements AutoCloseable {
  private final Storage storage;
  private final PipelineSettings settings;
  private final MergingQueue<Commit, CommitResult> queue;
  private final LongAdder commits = new LongAdder();
  private final LongAdder transactions = new LongAdder();

  public CommitPipeline(Storage storage, PipelineSettings settings) {
    this.storage = storage;
    this.settings = settings;
    this.queue =
        new MergingQueue<>(
            "tenure-commit",
            new MergingQueue.Limits(
                settings.batchLimit(),
                settings.queueLimit(),
                settings.resolveLimit(),
                settings.lanes(),
                settings.spreadAbove()),
            new Transactions());
  }

  /**
   * Hands a commit in; never blocks. Completes with what became of it, or exceptionally with {@link
   * PipelineSaturatedError} or {@link InvalidCommitError} when it was certainly not stored.
   */
  public CompletionStage<CommitResult> submit(Commit commit) {
    return queue.ask(commit);
  }

  /** Commits handed to the storage so far. */
  public long commits() {
    return commits.sum();
  }

  /** Transactions in which they were handed to it. */
  public long transactions() {
    return transactions.sum();
  }

  /** Finishes what was handed in, within the resolve limit, and takes no more. */
  @Override
  public void close() {
    queue.close();
  }

  private final class Transactions implements MergingQueue.Work<Commit, CommitResult> {
    /**
     * Handing the same batch in again is how an unknown outcome is resolved: what is already there
     * is recognised by its identity, what is not is stored now, and if an abandoned attempt is
     * still running, uniqueness lets only one of the two through.
     */
    @Override
    public List<CommitResult> call(List<Commit> batch) {
      List<CommitResult> results = storage.commit(batch);
      transactions.increment();
      commits.add(batch.size());
      return results;
    }

    @Override
    public MergingQueue.Room<Commit> room() {
      return new OneTransaction();
    }

    @Override
    public int lane(Commit commit) {
      return commit.fence().shard();
    }

    @Override
    public CommitResult refused(Commit commit, RuntimeException refusal) {
      throw new InvalidCommitError(commit.id() + " was refused: " + refusal.getMessage());
    }

    @Override
    public CommitResult unknown(Commit commit, Throwable cause) {
      return new CommitResult.Unknown(commit.id(), cause);
    }

    @Override
    public RuntimeException notTaken() {
      return new PipelineSaturatedError(settings.queueLimit());
    }
  }

  private final class OneTransaction implements MergingQueue.Room<Commit> {
    private final Set<String> persistenceIds = new HashSet<>();
    private long bytes;

    @Override
    public boolean takes(Commit commit) {
      // A workflow's second commit is judged against the first one's row: it must see it.
      if (!persistenceIds.add(commit.id().persistenceId())) return false;
      bytes += commit.bytes();
      return bytes <= settings.batchBytesLimit();
    }
  }
}
