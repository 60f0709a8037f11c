package dev.tenure.sharding.host;

import dev.tenure.persistence.signal.PendingSignal;
import dev.tenure.workflow.WorkflowId;
import java.util.List;
import java.util.function.Consumer;

/** Reads inboxes. */
public interface InboxReads {
  /** Answers with the oldest signals after a position, as soon as the store can be asked. */
  void read(WorkflowId id, long after, Consumer<List<PendingSignal>> answer);
}
