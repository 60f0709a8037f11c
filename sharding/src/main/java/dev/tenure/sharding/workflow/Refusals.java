package dev.tenure.sharding.workflow;

import dev.tenure.sharding.message.Answer;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Reply;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.Outcome;

/** What an owner's refusal means to the caller. */
final class Refusals {
  private Refusals() {}

  static Reply reply(WorkflowId id, Answer answer) {
    if (answer instanceof Answer.Said(Reply reply)) return reply;
    throw refusal(id, answer);
  }

  /** Whether an order was carried out; false when the workflow stood so before. */
  static boolean applied(WorkflowId id, Answer answer) {
    Reply reply = reply(id, answer);
    if (reply instanceof Reply.Done) return true;
    if (reply instanceof Reply.AlreadyDone) return false;
    throw unexpected(id, reply);
  }

  static RuntimeException refusal(WorkflowId id, Answer answer) {
    return switch (answer) {
      case Answer.Said(Reply reply) -> unexpected(id, reply);
      case Answer.Unknown unknown -> new WorkflowError.NotFound(id);
      case Answer.NotNow(String why) -> new WorkflowError.NotNow(id, why);
      case Answer.Busy busy ->
          new WorkflowError.Unreachable(id, "more than " + busy.limit() + " requests wait for it");
      case Answer.Again(String why) -> new WorkflowError.Unreachable(id, why);
      case Answer.Queried queried -> strange(id, queried);
      case Answer.Described described -> strange(id, described);
      case Answer.Ended ended -> strange(id, ended);
      case Answer.AnotherRun run -> strange(id, run);
      case Answer.Updated updated -> strange(id, updated);
    };
  }

  static RuntimeException unexpected(WorkflowId id, Reply reply) {
    return switch (reply) {
      case Reply.Unknown unknown -> new WorkflowError.NotFound(id);
      case Reply.AlreadyEnded(Status status, Outcome outcome) ->
          new WorkflowError.HasEnded(id, status, outcome);
      case Reply.LimitReached(String limit, long value, long largest, String advice) ->
          new WorkflowError.OverLimit(id, limit, value, largest, advice);
      case Reply.UpdateConflict(String updateId) -> new WorkflowError.UpdateConflict(id, updateId);
      case Reply.NotOpen(String why) -> new WorkflowError.NotOpen(id, why);
      case Reply.AlreadyDone(String what) -> new WorkflowError.NotNow(id, what);
      case Reply.Done r -> strange(id, r);
      case Reply.Started r -> strange(id, r);
      case Reply.AlreadyStarted r -> strange(id, r);
      case Reply.UpdatePending r -> strange(id, r);
      case Reply.UpdateAnswered r -> strange(id, r);
      case Reply.Each r -> strange(id, r);
    };
  }

  private static IllegalStateException strange(WorkflowId id, Object answer) {
    return new IllegalStateException(
        "Workflow " + id + " gave an answer of another question: " + answer);
  }
}
