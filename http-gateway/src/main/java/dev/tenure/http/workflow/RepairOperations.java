package dev.tenure.http.workflow;

import static dev.tenure.http.access.Scope.OPERATOR;
import static dev.tenure.http.fault.ErrorCode.*;

import dev.tenure.http.api.Answer;
import dev.tenure.http.api.Call;
import dev.tenure.http.api.Input;
import dev.tenure.http.api.Input.Place;
import dev.tenure.http.api.Operation;
import dev.tenure.http.fault.ApiFault;
import dev.tenure.http.json.Canonical;
import dev.tenure.http.json.Json;
import dev.tenure.http.schema.Schema;
import dev.tenure.persistence.start.StartKeys.Claim;
import dev.tenure.sharding.workflow.ForkRequest;
import dev.tenure.sharding.workflow.RepairTarget;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.operation.OperationId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The operations with which people repair one workflow. */
final class RepairOperations {
  private static final Schema RUN = new Schema.Text("runId", 1, 256);
  private static final Schema ATTEMPT = new Schema.Whole(1, Integer.MAX_VALUE);
  static final Schema OPERATION = new Schema.Text("operation", 1, OperationId.BYTES_MAX);
  private static final List<String> REQUEST = List.of("workflowId", "from", "id", "version");

  private final Engine engine;
  private final Claims claims;

  RepairOperations(Engine engine, Claims claims) {
    this.engine = engine;
    this.claims = claims;
  }

  List<Operation> all() {
    return List.of(retryStep(), move(), fork());
  }

  private Operation retryStep() {
    return ofAttempt(
            order(
                "retryStep",
                "retry-step",
                "Has a step or an activity run again now, also one that may have had its effect"))
        .required("operation", OPERATION, "Its id, as the workflow's open operations show it.")
        .optional("note", Shapes.NOTE, "Why; it stands with the incident that it resolves.")
        .handledBy(
            OrderOperations.with(
                (id, call) ->
                    engine.workflows().retryStep(id, target(call), call.text("note").orElse(""))));
  }

  /** With the inputs that say which attempt is meant. */
  static Operation ofAttempt(Operation order) {
    return order
        .optional("runId", RUN, "The run that is meant; the newest one when absent.")
        .optional(
            "attempt",
            ATTEMPT,
            "The attempt that is meant, as the open operations show it; the one that stands there"
                + " when absent. Nothing is done to another one.");
  }

  /** Which attempt at the operation is meant. */
  static RepairTarget target(Call call) {
    return new RepairTarget(
        operation(call, "operation"),
        call.text("runId"),
        call.whole("attempt").map(Long::intValue));
  }

  private Operation move() {
    return order(
            "moveToVersion", "move", "Pins its run to another version of its code, if that fits")
        .required("version", Shapes.VERSION, "Of its type.")
        .required("note", Shapes.NOTE, "Why; it stands in the history.")
        .handledBy(
            OrderOperations.with(
                (id, call) ->
                    engine
                        .workflows()
                        .moveToVersion(
                            id,
                            call.whole("version").orElseThrow().intValue(),
                            call.textOf("note"))));
  }

  private static Operation order(String name, String word, String summary) {
    return OrderOperations.order(name, word, summary).operators(OPERATOR);
  }

  private Operation fork() {
    return Operation.post(
            "workflows.fork",
            "/api/v1/workflows/{workflowId}/fork",
            "Starts a new workflow with the history up to before one of its operations")
        .operators(OPERATOR)
        .path("workflowId", Shapes.ID, "Whose history it is; it stays as it is.")
        .required("from", OPERATION, "The operation that is run again; all before it is copied.")
        .optional("id", Shapes.ID, "Of the new workflow; made up when absent.")
        .optional("version", Shapes.VERSION, "Of its code; the old one's when absent.")
        .input(
            new Input(
                "idempotencyKey",
                Place.KEY_HEADER,
                Shapes.KEY,
                false,
                "As for a start: the same key with the same request is one fork."))
        .replies(201, "The new workflow is durable.", Shapes.STARTED)
        .fails(
            WORKFLOW_NOT_FOUND,
            OPERATION_NOT_FOUND,
            WORKFLOW_ALREADY_EXISTS,
            IDEMPOTENCY_KEY_REUSED,
            LIMIT_EXCEEDED,
            WORKFLOW_UNREACHABLE)
        .handledBy(this::fork);
  }

  private CompletionStage<Answer> fork(Call call) {
    Optional<String> key = call.text("idempotencyKey");
    String id =
        call.text("id").orElseGet(() -> key.map(StartOperations::idOf).orElseGet(engine.ids()));
    ForkRequest request =
        new ForkRequest(
            WorkflowId.of(call.textOf("workflowId")),
            operation(call, "from"),
            WorkflowId.of(id),
            call.whole("version").map(Long::intValue),
            Optional.empty());
    if (key.isEmpty()) return fork(request);
    String hash = hashOf(call);
    ForkRequest keyed = request.request("fork:%s:%s".formatted(Canonical.hash(key.get()), hash));
    return claims
        .claimed(key.get(), new Claim(keyed.id(), hash))
        .thenCompose(nothing -> fork(keyed));
  }

  private CompletionStage<Answer> fork(ForkRequest request) {
    return engine.workflows().fork(request).thenApply(StartOperations::answer);
  }

  static OperationId operation(Call call, String input) {
    String text = call.textOf(input);
    if (!text.contains("#")) {
      throw ApiFault.invalid("/" + input, "an operation has an occurrence: write name#1");
    }
    return new OperationId(text);
  }

  /** Of the whole request: it shares its keys with starts, whose requests have no such fields. */
  private static String hashOf(Call call) {
    Map<String, Json> asked = new LinkedHashMap<>();
    for (String name : REQUEST) call.input(name).ifPresent(value -> asked.put(name, value));
    return Canonical.hash(new Json.Obj(asked, Json.Slice.NONE));
  }
}
