package dev.tenure.http.workflow;

import static dev.tenure.http.fault.ErrorCode.*;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tenure.http.api.Answer;
import dev.tenure.http.api.Call;
import dev.tenure.http.api.Input;
import dev.tenure.http.api.Input.Place;
import dev.tenure.http.api.Operation;
import dev.tenure.http.fault.ApiFault;
import dev.tenure.http.schema.Schema;
import dev.tenure.http.schema.Schema.Whole;
import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.visibility.Page;
import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.sharding.history.HistoryFile;
import dev.tenure.sharding.message.Description;
import dev.tenure.sharding.workflow.Workflows;
import dev.tenure.sharding.workflow.Workflows.Ended;
import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The operations that read workflows. */
final class ReadOperations {
  private static final long PAGE_ROWS = 100;
  private static final long PAGE_COMMITS = 100;

  /** The commit with which a page has become longer than that is its last one. */
  private static final long STORED_CHARACTERS_MAX = 2L << 20;

  private static final int CURSOR_BYTES_MAX = 256;

  private final Engine engine;
  private final AnswerLimits limits;

  ReadOperations(Engine engine, AnswerLimits limits) {
    this.engine = engine;
    this.limits = limits;
  }

  Operation get() {
    return Operation.get(
            "workflows.get", "/api/v1/workflows/{workflowId}", "The state of a workflow")
        .path("workflowId", Shapes.ID, "")
        .replies(200, "", Shapes.WORKFLOW)
        .fails(WORKFLOW_NOT_FOUND, WORKFLOW_UNREACHABLE)
        .handledBy(
            call ->
                engine
                    .workflows()
                    .describe(WorkflowId.of(call.textOf("workflowId")))
                    .thenApply(workflow -> Answer.ok(WorkflowJson.of(workflow))));
  }

  Operation list() {
    return Filters.inQuery(
            Operation.get(
                "workflows.list", "/api/v1/workflows", "Workflows, those that started last first"))
        .query("limit", new Whole(1, PageRequest.MAX_PAGE_ROWS), "Rows of a page; 100 when absent.")
        .query(
            "cursor",
            new Schema.Text("cursor", 1, CURSOR_BYTES_MAX),
            "The field next of the page before, with the same filter.")
        .replies(200, "", Shapes.PAGE)
        .fails(INVALID_CURSOR)
        .handledBy(this::list);
  }

  private CompletionStage<Answer> list(Call call) {
    int rows = limits.rows(call.whole("limit").orElse(PAGE_ROWS));
    return engine
        .workflows()
        .list(Filters.of(call), new PageRequest(rows, call.text("cursor")))
        .thenApply(ReadOperations::page);
  }

  private static Answer page(Page<WorkflowRow> page) {
    ObjectNode node = WorkflowJson.object();
    ArrayNode all = node.putArray("workflows");
    page.rows().forEach(row -> all.add(WorkflowJson.of(row)));
    WorkflowJson.putText(node, "next", page.next());
    return Answer.ok(node);
  }

  Operation history() {
    return Operation.get(
            "workflows.history",
            "/api/v1/workflows/{workflowId}/history",
            "The commits of a workflow")
        .path("workflowId", Shapes.ID, "")
        .query("after", Shapes.COUNT, "The version after which it begins; 0 when absent.")
        .query(
            "limit",
            new Whole(1, Workflows.HISTORY_PAGE_MAX),
            "Commits of a page; 100 when absent.")
        .query(
            "stored",
            Shapes.FLAG,
            "Includes the journal's bytes, for an exported history; then a page may end"
                + " early.")
        .replies(200, "", Shapes.HISTORY)
        .fails(WORKFLOW_NOT_FOUND)
        .handledBy(this::history);
  }

  private CompletionStage<Answer> history(Call call) {
    WorkflowId id = WorkflowId.of(call.textOf("workflowId"));
    long after = call.whole("after").orElse(0L);
    int limit = limits.rows(call.whole("limit").orElse(PAGE_COMMITS));
    if (after == Long.MAX_VALUE) {
      return CompletableFuture.failedStage(ApiFault.invalid("/after", "no history is that long"));
    }
    return engine
        .workflows()
        .history(id, after + 1, limit)
        .thenCompose(
            entries -> {
              // An empty page is an answer only where there is a workflow.
              if (!entries.isEmpty()) return CompletableFuture.completedStage(entries);
              return engine.workflows().describe(id).thenApply(there -> entries);
            })
        .thenApply(entries -> Answer.ok(history(id, entries, limit, call.flag("stored"))));
  }

  private static ObjectNode history(
      WorkflowId id, List<JournalEntry> entries, int limit, boolean stored) {
    ObjectNode node = WorkflowJson.of(id);
    ArrayNode commits = node.putArray("commits");
    long characters = 0;
    for (JournalEntry entry : entries) {
      ObjectNode commit = EventJson.of(entry);
      if (stored) characters += HistoryFile.putStored(commit, entry);
      commits.add(commit);
      if (characters > STORED_CHARACTERS_MAX) break;
    }
    int sent = commits.size();
    if (sent < entries.size() || entries.size() == limit)
      node.put("next", entries.get(sent - 1).head().version());
    return node;
  }

  Operation result() {
    return Operation.get(
            "workflows.result", "/api/v1/workflows/{workflowId}/result", "The result of a workflow")
        .path("workflowId", Shapes.ID, "")
        .query(
            "runId",
            Shapes.RUN_ID,
            "Of the start that is meant, also when another one has taken its place; the newest when"
                + " absent.")
        .input(
            new Input(
                "wait",
                Place.WAIT_PREFERENCE,
                new Whole(0, AnswerLimits.WAIT_MAX.toSeconds()),
                false,
                "How many seconds to wait for its end; 0 when absent."))
        .input(
            new Input(
                "strict",
                Place.STRICT_PREFERENCE,
                Shapes.FLAG,
                false,
                "When it does not end in that time: an error instead of an answer that says so."))
        .replies(200, "It has ended, well or not.", Shapes.RESULT)
        .replies(202, "It has not ended yet: ask again.", Shapes.RESULT)
        .fails(WORKFLOW_NOT_FOUND, WORKFLOW_UNREACHABLE, RESULT_TIMEOUT)
        .handledBy(this::result);
  }

  /** For as long as it takes to hear how a run stands. */
  private static final Duration ASK_ONCE = Duration.ofSeconds(1);

  private CompletionStage<Answer> result(Call call) {
    WorkflowId id = WorkflowId.of(call.textOf("workflowId"));
    Duration wait = limits.waiting(call.whole("wait").orElse(0L));
    Optional<String> runId = call.text("runId");
    CompletionStage<Optional<Ended>> ended =
        wait.isZero() && runId.isEmpty()
            ? engine.workflows().describe(id).thenApply(ReadOperations::ended)
            : engine.workflows().result(id, runId, wait.isZero() ? ASK_ONCE : wait);
    return ended.thenApply(
        found -> {
          if (found.isPresent()) return Answer.ok(WorkflowJson.of(id, found.get()));
          if (call.flag("strict")) {
            throw ApiFault.of(RESULT_TIMEOUT, "Workflow \"%s\" is still open.".formatted(id))
                .with("workflowId", id.value());
          }
          return Answer.accepted(WorkflowJson.of(id).put("ended", false));
        });
  }

  private static Optional<Ended> ended(Description workflow) {
    return workflow.outcome().map(outcome -> new Ended(workflow.status(), outcome));
  }
}
