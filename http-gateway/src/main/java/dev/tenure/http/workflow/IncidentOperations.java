package dev.tenure.http.workflow;

import static dev.tenure.http.access.Scope.OPERATOR;
import static dev.tenure.http.fault.ErrorCode.*;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tenure.http.api.Answer;
import dev.tenure.http.api.Call;
import dev.tenure.http.api.Operation;
import dev.tenure.http.fault.ApiFault;
import dev.tenure.http.schema.Schema;
import dev.tenure.http.schema.Schema.ListOf;
import dev.tenure.http.schema.Schema.Whole;
import dev.tenure.http.schema.Shape;
import dev.tenure.persistence.incident.IncidentGroup;
import dev.tenure.persistence.incident.IncidentRow;
import dev.tenure.persistence.visibility.Page;
import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.operation.OperationId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** The operations on incidents: workflows that stand still and need a person. */
final class IncidentOperations {
  private static final long PAGE_ROWS = 100;

  private static final Schema CURSOR = new Schema.Text("cursor", 1, 256);
  private static final Schema LIMIT = new Whole(1, PageRequest.MAX_PAGE_ROWS);

  static final Schema INCIDENT =
      Shape.named("IncidentRecord")
          .required("workflowId", Shapes.ID, "")
          .required("runId", Shapes.WORD, "")
          .required("type", Shapes.TYPE, "")
          .required("version", Shapes.COUNT, "Of the type.")
          .required("shard", Shapes.COUNT, "")
          .required(
              "kind", Shapes.WORD, "The kind of incident, which says what can be done about it.")
          .required("fingerprint", Shapes.WORD, "The same for all incidents of one cause.")
          .required("since", Shapes.TIME, "When it was raised.")
          .required("commit", Shapes.COUNT, "That raised it; 0 when the history is unreadable.")
          .optional("operation", Shapes.WORD, "The operation that it is about.")
          .required("evidence", Shapes.WORD, "What was found, and what to do about it.")
          .optional(
              "activity",
              ActivityOperations.RECORD,
              "Of an activity whose outcome cannot be told: its record. Not in lists.")
          .schema();

  private static final Schema PAGE =
      Shape.named("IncidentPage")
          .required("incidents", new ListOf(INCIDENT, PageRequest.MAX_PAGE_ROWS), "")
          .optional("next", CURSOR, "The cursor of the next page; absent on the last one.")
          .schema();

  private static final Schema GROUPS =
      Shape.named("IncidentGroupPage")
          .required(
              "groups",
              new ListOf(
                  Shape.named("IncidentGroup")
                      .required("fingerprint", Shapes.WORD, "")
                      .required("kind", Shapes.WORD, "")
                      .required("type", Shapes.TYPE, "")
                      .required("count", Shapes.COUNT, "")
                      .required("since", Shapes.TIME, "When the oldest was raised.")
                      .required("newest", Shapes.TIME, "When the newest was.")
                      .required("evidence", Shapes.WORD, "Of the newest, as an example.")
                      .schema(),
                  PageRequest.MAX_PAGE_ROWS),
              "In the order of their fingerprints.")
          .optional("next", CURSOR, "The cursor of the next page; absent on the last one.")
          .schema();

  private final Engine engine;
  private final AnswerLimits limits;

  IncidentOperations(Engine engine, AnswerLimits limits) {
    this.engine = engine;
    this.limits = limits;
  }

  List<Operation> all() {
    return List.of(list(), groups(), get());
  }

  private static Operation paged(Operation operation) {
    return IncidentFilters.inQuery(operation.scopes(OPERATOR))
        .query("limit", LIMIT, "Rows of a page; 100 when absent.")
        .query("cursor", CURSOR, "The field next of the page before, with the same filter.")
        .fails(INVALID_CURSOR);
  }

  private PageRequest page(Call call) {
    return new PageRequest(limits.rows(call.whole("limit").orElse(PAGE_ROWS)), call.text("cursor"));
  }

  private Operation list() {
    return paged(
            Operation.get("incidents.list", "/api/v1/incidents", "Incidents, the newest first"))
        .replies(200, "", PAGE)
        .handledBy(
            call ->
                engine
                    .workflows()
                    .incidents(IncidentFilters.of(call), page(call))
                    .thenApply(found -> answer("incidents", found, IncidentOperations::of)));
  }

  private Operation groups() {
    return paged(
            Operation.get(
                "incidents.groups", "/api/v1/incident-groups", "Incidents by their cause"))
        .replies(200, "", GROUPS)
        .handledBy(
            call ->
                engine
                    .workflows()
                    .incidentGroups(IncidentFilters.of(call), page(call))
                    .thenApply(found -> answer("groups", found, IncidentOperations::of)));
  }

  private static <T> Answer answer(String name, Page<T> page, Function<T, ObjectNode> shown) {
    ObjectNode node = WorkflowJson.object();
    ArrayNode all = node.putArray(name);
    page.rows().forEach(row -> all.add(shown.apply(row)));
    WorkflowJson.putText(node, "next", page.next());
    return Answer.ok(node);
  }

  private Operation get() {
    return Operation.get(
            "incidents.get",
            "/api/v1/workflows/{workflowId}/incident",
            "The incident of a workflow")
        .scopes(OPERATOR)
        .path("workflowId", Shapes.ID, "")
        .replies(200, "", INCIDENT)
        .fails(WORKFLOW_NOT_FOUND, INCIDENT_NOT_FOUND, WORKFLOW_UNREACHABLE)
        .handledBy(this::get);
  }

  private CompletionStage<Answer> get(Call call) {
    WorkflowId id = WorkflowId.of(call.textOf("workflowId"));
    return engine.workflows().incident(id).thenCompose(found -> answer(id, found));
  }

  private CompletionStage<Answer> answer(WorkflowId id, Optional<IncidentRow> found) {
    if (found.isPresent()) return withActivity(found.get()).thenApply(Answer::ok);
    // That it has none is an answer only where there is a workflow.
    return engine
        .workflows()
        .describe(id)
        .thenApply(
            there -> {
              throw ApiFault.of(
                      INCIDENT_NOT_FOUND, "Workflow \"%s\" has no incident.".formatted(id))
                  .with("workflowId", id.value());
            });
  }

  private CompletionStage<ObjectNode> withActivity(IncidentRow row) {
    ObjectNode node = of(row);
    if (!row.kind().equals(Incident.Indeterminate.KIND) || row.operation().isEmpty())
      return CompletableFuture.completedStage(node);
    return engine
        .workflows()
        .activityRecord(row.workflow(), row.runId(), new OperationId(row.operation().get()))
        .thenApply(
            record -> {
              record.ifPresent(one -> node.set("activity", ActivityOperations.of(one, true)));
              return node;
            });
  }

  private static ObjectNode of(IncidentRow row) {
    ObjectNode node =
        WorkflowJson.of(row.workflow())
            .put("runId", row.runId())
            .put("type", row.type().name())
            .put("version", row.type().version())
            .put("shard", row.shard())
            .put("kind", row.kind())
            .put("fingerprint", row.fingerprint())
            .put("since", row.since().toString())
            .put("commit", row.version());
    WorkflowJson.putText(node, "operation", row.operation());
    return node.put("evidence", row.evidence());
  }

  private static ObjectNode of(IncidentGroup group) {
    return WorkflowJson.object()
        .put("fingerprint", group.fingerprint())
        .put("kind", group.kind())
        .put("type", group.type())
        .put("count", group.count())
        .put("since", group.oldest().toString())
        .put("newest", group.newest().toString())
        .put("evidence", group.evidence());
  }
}
