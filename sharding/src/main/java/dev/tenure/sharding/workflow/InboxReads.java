package dev.tenure.sharding.workflow;

import dev.tenure.persistence.signal.PendingSignal;
import dev.tenure.workflow.WorkflowId;
import java.util.List;
import java.util.function.Consumer;

/** Looks into inboxes. */
interface InboxReads {
  /** Fewer in a page are all that there are. */
  int PAGE_SIGNALS = 100;

  /** Answers with the oldest that wait after a position, once the store could be asked. */
  void read(WorkflowId id, long after, Consumer<List<PendingSignal>> answer);
}
