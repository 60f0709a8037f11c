package dev.tenure.workflow.kernel;

import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.operation.Outcome;
import java.util.List;

/** The answer to the sender of a command; sent after the commit, if there is one. */
public sealed interface Reply {
  Reply DONE = new Done();

  /** The command took effect, and that is durable. */
  record Done() implements Reply {}

  record Started(WorkflowId id, String runId) implements Reply {}

  /**
   * The id is taken.
   *
   * @param sameRequest whether it was taken by this very request, which was sent again
   */
  record AlreadyStarted(WorkflowId id, String runId, Status status, boolean sameRequest)
      implements Reply {}

  /** There is no workflow of that id. */
  record Unknown() implements Reply {}

  /** The command came too late: the outcome of the workflow is decided. */
  record AlreadyEnded(Status status, Outcome outcome) implements Reply {}

  /** The workflow was in the wanted state before, and nothing was added. */
  record AlreadyDone(String what) implements Reply {}

  /** The operation of the command is not open: the command came again, or too late. */
  record NotOpen(String why) implements Reply {}

  /** The update is durable, its answer follows. */
  record UpdatePending(String updateId) implements Reply {}

  record UpdateAnswered(String updateId, Outcome outcome) implements Reply {}

  /** The id belongs to another update: another name, or another payload. */
  record UpdateConflict(String updateId) implements Reply {}

  /** A named limit stands in the way; nothing was stored. */
  record LimitReached(String limit, long value, long largest, String advice) implements Reply {}

  /** One for each of several commands. */
  record Each(List<Reply> replies) implements Reply {
    public Each {
      replies = List.copyOf(replies);
    }
  }
}
