package dev.tenure.sharding.activity;

import dev.tenure.persistence.activity.ActivityEffect;
import dev.tenure.persistence.activity.ActivityKey;
import dev.tenure.persistence.activity.ActivityRecord;
import dev.tenure.persistence.activity.ActivityRecords;
import dev.tenure.persistence.activity.ActivityRecords.Recorded;
import dev.tenure.persistence.merging.MergingQueue;
import dev.tenure.persistence.merging.ReadQueue;
import dev.tenure.persistence.storage.StorageException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The records of a node's keyed calls: what many executors ask at once is one call of the store.
 */
public final class MergedLedger implements InvocationLedger, AutoCloseable {
  private static final int WAITING_MAX = 100_000;
  private static final Duration RESOLVING = Duration.ofSeconds(10);

  private final MergingQueue<ActivityKey, Optional<ActivityRecord>> reads;
  private final MergingQueue<ActivityEffect, Recorded> effects;

  public MergedLedger(ActivityRecords records) {
    this.reads = ReadQueue.of("tenure-activity-records", ActivityRecords.MAX_BATCH, records::find);
    this.effects =
        new MergingQueue<>(
            "tenure-activity-effects",
            new MergingQueue.Limits(ActivityRecords.MAX_BATCH, WAITING_MAX, RESOLVING),
            new Effects(records));
  }

  /** The same effect may be stored again: an answer that was lost does no harm. */
  private record Effects(ActivityRecords records)
      implements MergingQueue.Work<ActivityEffect, Recorded> {
    @Override
    public List<Recorded> call(List<ActivityEffect> all) {
      return records.complete(all);
    }

    @Override
    public Recorded unknown(ActivityEffect effect, Throwable cause) {
      throw new StorageException.Unavailable(
          "the effect of %s was not stored in time".formatted(effect.key().operation()), cause);
    }

    @Override
    public RuntimeException notTaken() {
      return new StorageException.Unavailable(
          "effects are not taken any more, or " + WAITING_MAX + " wait", null);
    }
  }

  @Override
  public Optional<ActivityRecord> find(ActivityKey key) {
    return reads.answer(key);
  }

  @Override
  public Recorded complete(ActivityEffect effect) {
    return effects.answer(effect);
  }

  @Override
  public void close() {
    reads.close();
    effects.close();
  }
}
