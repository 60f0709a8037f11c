package dev.tenure.persistence.memory;

import dev.tenure.persistence.activity.ActivityCapabilityError;
import dev.tenure.persistence.activity.ActivityEffect;
import dev.tenure.persistence.activity.ActivityKey;
import dev.tenure.persistence.activity.ActivityRecord;
import dev.tenure.persistence.activity.ActivityRecords;
import dev.tenure.persistence.activity.ActivityStatus;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.visibility.StoredTime;
import dev.tenure.workflow.WorkflowId;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The records of keyed calls of a storage inside one process. */
final class MemoryActivityRecords implements ActivityRecords {
  private static final Comparator<ActivityRecord> NEWEST_FIRST =
      Comparator.comparing(ActivityRecord::createdAt)
          .thenComparing(record -> record.key().operation())
          .reversed();

  private final Object lock;
  private final InstantSource clock;
  private final MemoryWorkflows workflows;
  private final MemoryPayloads payloads;
  private final boolean conditionalBatch;
  private final Map<ActivityKey, ActivityRecord> records = new LinkedHashMap<>();

  /**
   * @param lock what the storage holds while it commits
   */
  MemoryActivityRecords(
      Object lock,
      InstantSource clock,
      MemoryWorkflows workflows,
      MemoryPayloads payloads,
      boolean conditionalBatch) {
    this.lock = lock;
    this.payloads = payloads;
    this.clock = clock;
    this.workflows = workflows;
    this.conditionalBatch = conditionalBatch;
  }

  void requireCapable() {
    ActivityCapabilityError.require(
        MemoryStorage.class, conditionalBatch, List.of("it was made without conditionalBatch"));
  }

  /** Called with the lock held. */
  void remove(WorkflowId id) {
    records.keySet().removeIf(key -> key.workflow().equals(id));
  }

  /** Called with the lock held, as all that commits change. */
  void claim(SideRow.ActivityClaimed claim) {
    Instant at = StoredTime.floor(claim.at());
    records.putIfAbsent(
        claim.key(),
        new ActivityRecord(
            claim.key(),
            ActivityStatus.STARTED,
            claim.attempt(),
            claim.epoch(),
            claim.invocation(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            at,
            at));
    if (!claim.first())
      records.computeIfPresent(
          claim.key(), (key, record) -> record.claimed(claim.attempt(), claim.epoch(), at));
  }

  void settle(SideRow.ActivitySettled settled) {
    records.computeIfPresent(
        settled.key(),
        (key, record) ->
            record.settled(
                settled.status(),
                settled.result().map(value -> payloads.referredTo(key.workflow(), value)),
                settled.error(),
                StoredTime.floor(settled.at())));
  }

  @Override
  public List<Optional<ActivityRecord>> find(List<ActivityKey> keys) {
    ActivityRecords.requireBatch(keys.size());
    synchronized (lock) {
      return keys.stream().map(key -> Optional.ofNullable(records.get(key))).toList();
    }
  }

  @Override
  public List<Recorded> complete(List<ActivityEffect> effects) {
    ActivityRecords.requireBatch(effects.size());
    requireCapable();
    synchronized (lock) {
      return effects.stream().map(this::completeAndMakeDue).toList();
    }
  }

  private Recorded completeAndMakeDue(ActivityEffect effect) {
    Recorded recorded = complete(effect);
    if (recorded instanceof Recorded.Stored) workflows.makeDue(effect.key().workflow());
    return recorded;
  }

  /** Called with the lock held. A report of a worker leaves the row of its workflow alone. */
  Recorded complete(ActivityEffect reported) {
    ActivityEffect effect =
        new ActivityEffect(
            reported.key(),
            reported.shard(),
            reported.result().map(value -> payloads.apart(reported.key().workflow(), value)),
            reported.verdict());
    Optional<ActivityRecord> found = Optional.ofNullable(records.get(effect.key()));
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    Optional<ActivityRecord> completed = found.flatMap(record -> record.completedBy(effect, now));
    if (completed.isEmpty()) return new Recorded.Contradicted(found);
    records.put(effect.key(), completed.get());
    return new Recorded.Stored();
  }

  @Override
  public Optional<ActivityRecord> ofOperation(WorkflowId workflow, String operation) {
    synchronized (lock) {
      return records.values().stream()
          .filter(record -> record.key().workflow().equals(workflow))
          .filter(record -> record.key().operation().equals(operation))
          .findFirst();
    }
  }

  @Override
  public List<ActivityRecord> of(WorkflowId workflow, int limit) {
    ActivityRecords.requireBatch(limit);
    synchronized (lock) {
      return records.values().stream()
          .filter(record -> record.key().workflow().equals(workflow))
          .sorted(NEWEST_FIRST)
          .limit(limit)
          .toList();
    }
  }
}
