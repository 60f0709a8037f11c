package dev.tenure.http.events;

import dev.tenure.http.api.Answer;
import dev.tenure.http.api.Call;
import dev.tenure.http.api.Input;
import dev.tenure.http.api.Input.Place;
import dev.tenure.http.api.Operation;
import dev.tenure.http.fault.ApiFault;
import dev.tenure.http.fault.ErrorCode;
import dev.tenure.http.schema.Schema;
import dev.tenure.http.schema.Schema.Text;
import dev.tenure.http.workflow.Engine;
import dev.tenure.workflow.WorkflowId;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Watching a workflow. */
public final class EventRoutes {
  private static final Schema POSITION = new Text("position", 1, 64);

  private final Engine engine;
  private final EventStreams streams;

  public EventRoutes(Engine engine, EventStreams streams) {
    this.engine = engine;
    this.streams = streams;
  }

  public List<Operation> all() {
    return List.of(
        Operation.get(
                "workflows.events",
                "/api/v1/workflows/{workflowId}/events",
                "Its history as it grows, as server-sent events; it ends with the workflow")
            .events()
            .path("workflowId", new Text("workflowId", 1, WorkflowId.BYTES_MAX), "")
            .input(
                new Input(
                    "lastEventId",
                    Place.EVENT_HEADER,
                    POSITION,
                    false,
                    "The id of the last event that was received: those after it follow."))
            .replies(200, "Each event has an id, its type as its name, and JSON as its data.", TEXT)
            .fails(ErrorCode.WORKFLOW_NOT_FOUND, ErrorCode.WORKFLOW_UNREACHABLE)
            .handledBy(this::events));
  }

  private static final Schema TEXT = new Text("events", 0, Integer.MAX_VALUE);

  private CompletionStage<Answer> events(Call call) {
    WorkflowId id = WorkflowId.of(call.textOf("workflowId"));
    Position after =
        call.text("lastEventId")
            .map(
                text ->
                    Position.parse(text)
                        .orElseThrow(
                            () ->
                                ApiFault.invalid(
                                    "/lastEventId", "it is no id of an event of this API")))
            .orElse(Position.START);
    return engine
        .workflows()
        .describe(id)
        .thenApply(there -> new Answer.Events(streams.open(id, after)));
  }
}
