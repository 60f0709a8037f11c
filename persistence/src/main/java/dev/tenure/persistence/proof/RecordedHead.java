package dev.tenure.persistence.proof;

import dev.tenure.persistence.entry.ChainLink;
import dev.tenure.workflow.WorkflowId;
import java.util.Optional;

/**
 * What the store keeps beside the journal of where a history ends.
 *
 * @param head empty when the store has not recorded one
 */
public record RecordedHead(WorkflowId id, State state, Optional<Head> head) {
  public static final String SOURCE = "the workflow's row";

  /** What became of the workflow. */
  public enum State {
    /** The history may go on behind the head. */
    OPEN,

    /** The history ends at the head. */
    CLOSED,

    /** Retention removed it a while ago. Its history is gone, or is being removed. */
    REMOVED
  }

  public record Head(long version, ChainLink link) {}

  public Optional<Anchor> anchor() {
    return head.map(
        known -> new Anchor(SOURCE, known.version(), known.link(), state == State.CLOSED));
  }

  public boolean isRemoved() {
    return state == State.REMOVED;
  }
}
