package dev.tenure.persistence.commit;

import dev.tenure.persistence.storage.Storage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;

/**
 * Group commit: what many workflows hand in while a transaction is under way becomes the next one.
 * Nothing waits for a timer, so a lone commit leaves at once and thousands share one fsync.
 *
 * <p>A shard always takes the same lane. Two transactions of a node therefore never lock one lease
 * row together, which would cost PostgreSQL a multi-transaction id for each.
 */
public final class CommitPipeline implements AutoCloseable {
  private final List<CommitLane> lanes = new ArrayList<>();
  private final LongAdder commits = new LongAdder();
  private final LongAdder transactions = new LongAdder();

  public CommitPipeline(Storage storage, PipelineSettings settings) {
    for (int i = 0; i < settings.lanes(); i++) {
      lanes.add(new CommitLane(storage, settings, "tenure-commit-" + i, this::count));
    }
  }

  private void count(int batchSize) {
    transactions.increment();
    commits.add(batchSize);
  }

  /**
   * Hands a commit in; never blocks. Completes with what became of it, or exceptionally with {@link
   * PipelineSaturatedError} or {@link InvalidCommitError} when it was certainly not stored.
   */
  public CompletionStage<CommitResult> submit(Commit commit) {
    return lanes.get(commit.fence().shard() % lanes.size()).submit(commit);
  }

  /** Commits handed to the storage so far. */
  public long commits() {
    return commits.sum();
  }

  /** Transactions they took. */
  public long transactions() {
    return transactions.sum();
  }

  /** Finishes what was handed in, within the resolve limit, and takes no more. */
  @Override
  public void close() {
    for (CommitLane lane : lanes) lane.stop();
    for (CommitLane lane : lanes) lane.awaitStopped();
  }
}
