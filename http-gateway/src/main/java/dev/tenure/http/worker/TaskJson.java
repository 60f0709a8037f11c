package dev.tenure.http.worker;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import dev.tenure.http.fault.ErrorCode;
import dev.tenure.persistence.task.TakenTask;
import dev.tenure.persistence.task.TaskId;
import dev.tenure.persistence.task.TaskOffer;
import dev.tenure.persistence.task.TaskStanding;
import dev.tenure.persistence.task.Tasks;
import dev.tenure.sharding.branch.IdempotencyKeys;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.sharding.task.TaskTokenText;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.operation.OperationId;

/** Tasks, and what became of reports on them, as JSON of the API. */
final class TaskJson {
  private TaskJson() {}

  static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  /** A task's operation within its workflow's whole life, in its two parts. */
  record Place(String runId, OperationId operation) {
    static Place of(TaskId id) {
      int slash = id.operation().indexOf('/');
      return new Place(
          id.operation().substring(0, slash), new OperationId(id.operation().substring(slash + 1)));
    }
  }

  static ObjectNode of(TakenTask task) {
    TaskOffer offer = task.offer();
    Place place = Place.of(offer.id());
    ObjectNode node =
        object()
            .put("token", TaskTokenText.of(task.token()))
            .put("workflowId", offer.id().workflow().value())
            .put("runId", place.runId())
            .put("operationId", place.operation().value())
            .put("attempt", offer.attempt())
            .put("delivery", task.token().delivery())
            .put("activity", offer.activity());
    put(node, "input", offer.input());
    node.put(
            "idempotencyKey",
            IdempotencyKeys.of(offer.id().workflow(), place.runId(), place.operation()))
        .put(
            "attemptKey",
            IdempotencyKeys.ofAttempt(offer.id().workflow(), place.operation(), offer.attempt()));
    offer.idempotencyKey().ifPresent(key -> node.put("declaredKey", key));
    offer.deadline().ifPresent(at -> node.put("deadline", at.toString()));
    node.put("visibleUntil", task.until().toString());
    node.put(
        "heartbeatTimeoutMs",
        offer.heartbeatTimeout().orElse(offer.queueing().visibilityTimeout()).toMillis());
    offer.attemptLimit().ifPresent(limit -> node.put("attemptTimeoutMs", limit.toMillis()));
    task.details().ifPresent(details -> put(node, "details", details));
    offer.trace().ifPresent(trace -> node.put("traceparent", trace.traceparent()));
    return node;
  }

  /** A payload as it is stored, not written anew. */
  private static void put(ObjectNode node, String field, Payload payload) {
    node.putRawValue(field, new RawValue(PayloadCodec.jsonOf(payload)));
  }

  static ObjectNode of(Tasks.Heard heard) {
    return switch (heard) {
      case Tasks.Heard.Until(var until) ->
          object().put("accepted", true).put("visibleUntil", until.toString());
      case Tasks.Heard.Recorded recorded -> object().put("accepted", true);
      case Tasks.Heard.Rejected(Tasks.Heard.Why why) -> rejected(why);
    };
  }

  private static ObjectNode rejected(Tasks.Heard.Why why) {
    return switch (why) {
      case GONE ->
          rejected(
              ErrorCode.TASK_GONE,
              "The workflow took the outcome of this task before, or does not want it any more."
                  + " Stop working on it, and drop its result.");
      case EXPIRED ->
          rejected(
              ErrorCode.TASK_CLAIM_EXPIRED,
              "This worker was silent for too long, or its time for the task is over. Another one"
                  + " has it, or had it. Stop working on it, and drop its result.");
      case ENDED ->
          rejected(
              ErrorCode.TASK_ENDED,
              "Another outcome of this delivery is recorded, and it stands. Drop this one.");
      case FORGED ->
          rejected(
              ErrorCode.TASK_TOKEN_INVALID,
              "Send the token exactly as the task came with it, to the cluster that gave it.");
    };
  }

  static ObjectNode rejected(ErrorCode code, String detail) {
    ObjectNode node = object().put("accepted", false);
    node.putObject("error")
        .put("code", code.code())
        .put("title", code.title())
        .put("detail", detail);
    return node;
  }

  static ObjectNode of(TaskId id, TaskStanding standing) {
    Place place = Place.of(id);
    ObjectNode node =
        object()
            .put("workflowId", id.workflow().value())
            .put("runId", place.runId())
            .put("operationId", place.operation().value())
            .put("attempt", standing.attempt());
    return switch (standing) {
      case TaskStanding.Waiting waiting -> node.put("state", "waiting");
      case TaskStanding.Taken taken ->
          node.put("state", "taken")
              .put("worker", taken.worker())
              .put("visibleUntil", taken.until().toString());
      case TaskStanding.Lost lost -> node.put("state", "lost").put("worker", lost.worker());
      case TaskStanding.Done done -> node.put("state", "done");
    };
  }
}
