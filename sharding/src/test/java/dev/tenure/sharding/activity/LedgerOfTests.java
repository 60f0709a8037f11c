package dev.tenure.sharding.activity;

import dev.tenure.persistence.activity.ActivityEffect;
import dev.tenure.persistence.activity.ActivityKey;
import dev.tenure.persistence.activity.ActivityRecord;
import dev.tenure.persistence.activity.ActivityRecords.Recorded;
import dev.tenure.persistence.activity.ActivityStatus;
import dev.tenure.persistence.codec.CorruptEntryError;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.workflow.Payload;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Records in a map, as the store keeps them, and one that can be away. */
final class LedgerOfTests implements InvocationLedger {
  private static final Instant AT = Instant.parse("2026-01-02T03:04:05Z");

  final Map<ActivityKey, ActivityRecord> records = new HashMap<>();
  boolean isAway;

  /** What is stored cannot be read. */
  boolean isDamaged;

  /** As the commit that schedules a call claims it. */
  void claim(ActivityTask task) {
    put(task, ActivityStatus.STARTED, Optional.empty(), Optional.empty());
  }

  void put(
      ActivityTask task,
      ActivityStatus status,
      Optional<Payload> result,
      Optional<ActivityRecord.Verdict> verdict) {
    records.put(
        task.record(),
        new ActivityRecord(
            task.record(),
            status,
            task.attempt(),
            task.tenure().epoch(),
            CanonicalArguments.invocation(task.record(), task.input()),
            result,
            Optional.empty(),
            verdict,
            AT,
            AT));
  }

  @Override
  public Optional<ActivityRecord> find(ActivityKey key) {
    requireHere();
    return Optional.ofNullable(records.get(key));
  }

  @Override
  public Recorded complete(ActivityEffect effect) {
    requireHere();
    ActivityRecord before = records.get(effect.key());
    boolean settled =
        before == null
            || before.status() == ActivityStatus.CANCELLED
            || before.status() == ActivityStatus.COMPLETED
                && !before.result().equals(effect.result());
    if (settled) return new Recorded.Contradicted(Optional.ofNullable(before));
    records.put(
        effect.key(),
        new ActivityRecord(
            effect.key(),
            ActivityStatus.COMPLETED,
            before.attempt(),
            before.epoch(),
            before.invocation(),
            effect.result(),
            before.error(),
            effect.verdict().or(before::verdict),
            before.createdAt(),
            AT));
    return new Recorded.Stored();
  }

  private void requireHere() {
    if (isDamaged) throw new CorruptEntryError("it was damaged by a test");
    if (isAway) throw new StorageException.Unavailable("the store is away", null);
  }
}
