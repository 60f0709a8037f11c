package dev.tenure.persistence.signal;

import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import java.util.Optional;

/** What became of one signal. Neighbours in the same batch each get their own. */
public sealed interface SignalResult {
  /** It is durable, and will be handed to its workflow or recorded as unconsumed (I13). */
  record Accepted(AcceptedSignalResult result) implements SignalResult {}

  /**
   * It was accepted before; nothing was stored. Also after its workflow closed.
   *
   * @param content of what was accepted; empty when that was stored by an engine that kept none
   */
  record Duplicate(AcceptedSignalResult original, Optional<ContentHash> content)
      implements SignalResult {
    /** Whether what was accepted is known to have been something else than this. */
    public boolean differsFrom(Payload payload) {
      return content.isPresent() && !content.get().equals(ContentHash.of(payload));
    }
  }

  /** No workflow has this id. */
  record UnknownWorkflow(WorkflowId workflowId) implements SignalResult {}

  /** The workflow has ended, so its code would never receive the signal. */
  record Closed(WorkflowId workflowId) implements SignalResult {}

  /**
   * Its payload is there and the record of its acceptance is not: it may or may not have been
   * answered. Nothing was stored; an operator has to look.
   */
  record Indeterminate(WorkflowId workflowId, String signalName, String signalId)
      implements SignalResult {}

  /** Too many signals wait for the workflow already; it can be tried again when it read some. */
  record InboxFull(WorkflowId workflowId, int maxPending) implements SignalResult {}

  /** The request is not a signal; the reason names the rule that it breaks. */
  record InvalidSignal(String reason) implements SignalResult {}
}
