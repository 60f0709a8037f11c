package dev.tenure.simulation;

import dev.tenure.persistence.activity.ActivityEffect;
import dev.tenure.persistence.activity.ActivityKey;
import dev.tenure.persistence.activity.ActivityRecord;
import dev.tenure.persistence.activity.ActivityRecords;
import dev.tenure.persistence.activity.ActivityStatus;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.workflow.WorkflowId;
import java.util.List;
import java.util.Optional;

/** Records of keyed calls in a store that does not always answer. */
record SimulatedRecords(ActivityRecords inner, DatabaseLink link, Chance chance, Flaw flaw)
    implements ActivityRecords {
  private void mayBeAway() {
    link.require();
    if (chance.strikes(Fault.RECORDS_AWAY))
      throw new StorageException.Unavailable("simulated", null);
  }

  @Override
  public List<Optional<ActivityRecord>> find(List<ActivityKey> keys) {
    mayBeAway();
    List<Optional<ActivityRecord>> found = inner.find(keys);
    return flaw == Flaw.COMPLETED_RECORD_UNSEEN
        ? found.stream().map(one -> one.map(SimulatedRecords::begunAgain)).toList()
        : found;
  }

  private static ActivityRecord begunAgain(ActivityRecord record) {
    return new ActivityRecord(
        record.key(),
        ActivityStatus.STARTED,
        record.attempt(),
        record.epoch(),
        record.invocation(),
        Optional.empty(),
        record.error(),
        Optional.empty(),
        record.createdAt(),
        record.updatedAt());
  }

  @Override
  public List<Recorded> complete(List<ActivityEffect> effects) {
    mayBeAway();
    // What comes without a verdict comes from the executor.
    if (flaw == Flaw.LATE_EFFECT_NOT_KEPT
        && effects.stream().allMatch(effect -> effect.verdict().isEmpty()))
      return effects.stream().<Recorded>map(effect -> new Recorded.Stored()).toList();
    return inner.complete(effects);
  }

  @Override
  public Optional<ActivityRecord> ofOperation(WorkflowId workflow, String operation) {
    mayBeAway();
    return inner.ofOperation(workflow, operation);
  }

  @Override
  public List<ActivityRecord> of(WorkflowId workflow, int limit) {
    return inner.of(workflow, limit);
  }
}
