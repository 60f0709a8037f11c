package dev.tenure.sharding.branch;

import dev.tenure.workflow.Payload;
import dev.tenure.workflow.kernel.Wish;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import java.util.HashMap;
import java.util.Map;

/** What a run decided about changes of its code: once, and for all of it. */
public final class CodeChanges {
  private final BranchScheduler stage;
  private final Map<String, Boolean> decided = new HashMap<>(0);

  CodeChanges(BranchScheduler stage) {
    this.stage = stage;
  }

  /**
   * Whether this run has the change. A run that came past here before the change was made has not:
   * in a replay that shows in that something on record comes after this point. What is decided is
   * the same in every replay, because what is on record stays on record.
   */
  public boolean has(String changeId) {
    Boolean known = decided.get(changeId);
    if (known != null) return known;
    OperationId mark = OperationId.of("", "change:" + changeId, 1);
    boolean isNew =
        stage.recordedValue(mark) != null || !stage.isReplaying() || stage.nothingFollows();
    if (isNew) stage.wish(new Wish.Schedule(mark, new OperationSpec.Value(Payload.NONE)));
    decided.put(changeId, isNew);
    return isNew;
  }
}
