package dev.tenure.sharding.branch;

import dev.tenure.workflow.Payload;
import dev.tenure.workflow.kernel.Wish;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import java.util.HashMap;
import java.util.Map;

/** Which changes of its code a run has. It is decided once for each, and for the whole run. */
public final class CodeChanges {
  private final BranchScheduler scheduler;
  private final Map<String, Boolean> decided = new HashMap<>(0);

  CodeChanges(BranchScheduler scheduler) {
    this.scheduler = scheduler;
  }

  /**
   * Whether this run has the change. A run that passed this point before the change was made has
   * not. A replay sees that in the record: something follows after this point. The answer is the
   * same in every replay, because what is on record stays on record.
   */
  public boolean has(String changeId) {
    Boolean known = decided.get(changeId);
    if (known != null) return known;
    OperationId mark = OperationId.of("", "change:" + changeId, 1);
    boolean isNew =
        scheduler.recordedValue(mark) != null
            || !scheduler.isReplaying()
            || scheduler.nothingFollows();
    if (isNew) scheduler.wish(new Wish.Schedule(mark, new OperationSpec.Value(Payload.NONE)));
    decided.put(changeId, isNew);
    return isNew;
  }
}
