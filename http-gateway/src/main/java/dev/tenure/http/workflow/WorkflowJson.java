package dev.tenure.http.workflow;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import dev.tenure.http.fault.StatusWord;
import dev.tenure.persistence.signal.AcceptedSignalResult;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.sharding.message.Description;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.sharding.workflow.Workflows.Ended;
import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Values of the engine as JSON of the API. */
final class WorkflowJson {
  private WorkflowJson() {}

  static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  static ObjectNode of(WorkflowId id) {
    return object().put("workflowId", id.value());
  }

  /** A payload as it is stored, not written anew. */
  static void put(ObjectNode node, String field, Payload payload) {
    node.putRawValue(field, new RawValue(PayloadCodec.jsonOf(payload)));
  }

  static void put(ObjectNode node, String field, Optional<Instant> time) {
    time.ifPresent(at -> node.put(field, at.toString()));
  }

  static void putText(ObjectNode node, String field, Optional<String> text) {
    text.ifPresent(value -> node.put(field, value));
  }

  /** The canonical result, the same for the first request and for every duplicate of it. */
  static ObjectNode of(AcceptedSignalResult result) {
    return object()
        .put("accepted", result.accepted())
        .put("workflowId", result.workflowId().value())
        .put("signalName", result.signalName())
        .put("signalId", result.signalId())
        .put("acceptedAt", result.acceptedAt().toString())
        .put("signalStorageKey", result.signalStorageKey());
  }

  static ObjectNode of(WorkflowRow row) {
    ObjectNode node =
        of(row.id())
            .put("runId", row.runId())
            .put("type", row.type().name())
            .put("version", row.type().version())
            .put("status", StatusWord.of(row.status()))
            .put("startedAt", row.startedAt().toString());
    put(node, "closedAt", row.closedAt());
    put(node, "wakeAt", row.wakeAt());
    putText(node, "parent", row.parent().map(WorkflowId::value));
    node.set("attributes", attributes(row.attributes().values()));
    return node.put("shard", row.shard());
  }

  static ObjectNode of(Description workflow) {
    ObjectNode node =
        of(workflow.id())
            .put("runId", workflow.runId())
            .put("type", workflow.type().name())
            .put("version", workflow.type().version())
            .put("status", StatusWord.of(workflow.status()))
            .put("startedAt", workflow.startedAt().toString());
    put(node, "endedAt", workflow.endedAt());
    putText(node, "parent", workflow.parent().map(WorkflowId::value));
    node.set("attributes", attributes(workflow.attributes()));
    putText(node, "cancelRequested", workflow.cancelRequested());
    putText(node, "pauseReason", workflow.pauseReason());
    putText(node, "blockReason", workflow.blockReason());
    workflow.incident().ifPresent(incident -> node.set("incident", of(incident)));
    put(node, "nextDue", workflow.nextDue());
    node.put("commits", workflow.version());
    node.put("events", workflow.events());
    node.put("operations", workflow.operations());
    ArrayNode open = node.putArray("open");
    workflow.open().forEach(operation -> open.add(of(operation)));
    return node;
  }

  private static ObjectNode of(Description.Open operation) {
    ObjectNode node =
        object()
            .put("id", operation.id())
            .put("kind", word(operation.kind()))
            .put("phase", word(operation.phase()))
            .put("attempt", operation.attempt())
            .put("ledger", operation.ledger())
            .put("scheduledAt", operation.scheduledAt().toString());
    put(node, "dueAt", operation.dueAt());
    operation.lastFailure().ifPresent(failure -> node.set("lastFailure", of(failure)));
    return node;
  }

  static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static ObjectNode of(Incident incident) {
    ObjectNode node = object().put("kind", incident.kind()).put("message", incident.message());
    putText(node, "operation", incident.about().map(OperationId::value));
    if (incident instanceof Incident.Indeterminate one) node.set("failure", of(one.failure()));
    if (incident instanceof Incident.OperationFailed one) node.set("failure", of(one.failure()));
    return node;
  }

  /** Without its stack: clients need not know where in the code it happened. */
  static ObjectNode of(Failure failure) {
    ObjectNode node = object().put("type", failure.type()).put("message", failure.message());
    putText(node, "code", failure.code());
    node.put("retryable", failure.retryable());
    failure.cause().ifPresent(cause -> node.set("cause", of(cause)));
    return node;
  }

  static ObjectNode attributes(Map<String, Attribute> attributes) {
    ObjectNode node = object();
    new TreeMap<>(attributes)
        .forEach(
            (name, attribute) -> {
              switch (attribute) {
                case Attribute.OfText text -> node.put(name, text.value());
                case Attribute.OfLong number -> node.put(name, number.value());
                case Attribute.OfDouble number -> node.put(name, number.value());
                case Attribute.OfBoolean truth -> node.put(name, truth.value());
                case Attribute.OfInstant time -> node.put(name, time.value().toString());
                case Attribute.OfTexts texts -> texts.values().forEach(node.putArray(name)::add);
                case Attribute.Removed removed -> node.remove(name);
              }
            });
    return node;
  }

  static ObjectNode of(WorkflowId id, Ended ended) {
    ObjectNode node = of(id).put("ended", true).put("status", StatusWord.of(ended.status()));
    put(node, ended.outcome());
    return node;
  }

  /** What an outcome says, as the fields {@code result}, {@code failure} or {@code reason}. */
  static void put(ObjectNode node, Outcome outcome) {
    switch (outcome) {
      case Outcome.Succeeded(Payload value) -> put(node, "result", value);
      case Outcome.Failed(Failure failure) -> node.set("failure", of(failure));
      case Outcome.Cancelled(String reason) -> node.put("reason", reason);
      case Outcome.Terminated(String reason) -> node.put("reason", reason);
      case Outcome.TimedOut(String what) -> node.put("reason", what);
    }
  }
}
