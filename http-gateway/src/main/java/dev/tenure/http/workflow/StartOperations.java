package dev.tenure.http.workflow;

import static dev.tenure.http.fault.ErrorCode.IDEMPOTENCY_KEY_REUSED;
import static dev.tenure.http.fault.ErrorCode.LIMIT_EXCEEDED;
import static dev.tenure.http.fault.ErrorCode.PAYLOAD_TOO_LARGE;
import static dev.tenure.http.fault.ErrorCode.WORKFLOW_ALREADY_EXISTS;
import static dev.tenure.http.fault.ErrorCode.WORKFLOW_UNREACHABLE;

import dev.tenure.http.api.Answer;
import dev.tenure.http.api.Call;
import dev.tenure.http.api.Input;
import dev.tenure.http.api.Input.Place;
import dev.tenure.http.api.Operation;
import dev.tenure.http.api.PathText;
import dev.tenure.http.fault.ApiFault;
import dev.tenure.http.fault.StatusWord;
import dev.tenure.http.json.Canonical;
import dev.tenure.http.json.Json;
import dev.tenure.http.schema.Schema.Choice;
import dev.tenure.persistence.start.StartKeys.Claim;
import dev.tenure.sharding.workflow.StartRequest;
import dev.tenure.sharding.workflow.StartResult;
import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.StartPolicy;
import dev.tenure.workflow.Trace;
import dev.tenure.workflow.WorkflowId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Starting a workflow, once. */
final class StartOperations {
  /** Under which a start's trace context is kept with the workflow. */
  static final String TRACE_ATTRIBUTE = "traceparent";

  private static final List<String> REQUEST =
      List.of("type", "version", "id", "input", "executionTimeout", "attributes", "startPolicy");

  private final Engine engine;
  private final Claims claims;

  StartOperations(Engine engine, Claims claims) {
    this.engine = engine;
    this.claims = claims;
  }

  static Operation withInputs(Operation operation) {
    return operation
        .required("type", Shapes.TYPE, "The name of the workflow's code.")
        .optional("version", Shapes.VERSION, "Of the type; its owner decides when absent.")
        .optional("input", Shapes.PAYLOAD, "The input of its code.")
        .optional("executionTimeout", Shapes.TIMEOUT, "After which it is timed out, like PT24H.")
        .optional("attributes", Shapes.ATTRIBUTES, "The values by which it can be found.")
        .input(traced("The trace it belongs to"));
  }

  static Input traced(String about) {
    return new Input(
        "traceparent",
        Place.TRACE_HEADER,
        Shapes.TRACE,
        false,
        about + " (W3C Trace Context); a malformed one counts as none.");
  }

  Operation start() {
    return withInputs(
            Operation.post("workflows.start", "/api/v1/workflows", "Starts a workflow, once"))
        .optional("id", Shapes.ID, "The id of the new workflow; made up when absent.")
        .optional(
            "startPolicy",
            new Choice(StartPolicyWord.of(StartPolicy.values())),
            "What the start does when the id is taken: it is refused (when absent), it begins a new"
                + " run if the workflow has ended, or it ends the workflow first if that runs.")
        .input(
            new Input(
                "idempotencyKey",
                Place.KEY_HEADER,
                Shapes.KEY,
                false,
                "The same key with the same body gets the first answer again; with another body it"
                    + " is a conflict. Remembered as long as the workflow is."))
        .replies(201, "It is durable: by this request, now or at an earlier try.", Shapes.STARTED)
        .fails(
            WORKFLOW_ALREADY_EXISTS,
            IDEMPOTENCY_KEY_REUSED,
            PAYLOAD_TOO_LARGE,
            LIMIT_EXCEEDED,
            WORKFLOW_UNREACHABLE)
        .handledBy(this::start);
  }

  private CompletionStage<Answer> start(Call call) {
    Optional<String> key = call.text("idempotencyKey");
    if (key.isEmpty()) {
      return start(request(call, call.text("id").orElseGet(engine.ids())));
    }
    // Everything that can be wrong with it is found before anything is written.
    String id = call.text("id").orElseGet(() -> idOf(key.get()));
    String hash = hashOf(call);
    StartRequest request =
        request(call, id).request("key:%s:%s".formatted(Canonical.hash(key.get()), hash));
    return claims
        .claimed(key.get(), new Claim(WorkflowId.of(id), hash))
        .thenCompose(nothing -> start(request));
  }

  private CompletionStage<Answer> start(StartRequest request) {
    return engine.workflows().start(request).thenApply(StartOperations::answer);
  }

  /** The answer to a start or a fork. */
  static Answer answer(StartResult result) {
    return switch (result) {
      case StartResult.Started(WorkflowId of, String runId) ->
          Answer.created(
              WorkflowJson.of(of).put("runId", runId),
              "/api/v1/workflows/" + PathText.encoded(of.value()));
      case StartResult.Duplicate taken -> throw taken(taken);
    };
  }

  private static ApiFault taken(StartResult.Duplicate taken) {
    return ApiFault.of(
            WORKFLOW_ALREADY_EXISTS, "There is a workflow \"" + taken.id() + "\" of another start.")
        .with("workflowId", taken.id().value())
        .with("runId", taken.runId())
        .with("workflowStatus", StatusWord.of(taken.status()));
  }

  /** The request to the engine, the same for each operation that may start a workflow. */
  static StartRequest request(Call call, String id) {
    return new StartRequest(
        WorkflowId.of(id),
        call.textOf("type"),
        call.whole("version").map(Long::intValue),
        call.payload("input"),
        Optional.empty(),
        call.span("executionTimeout"),
        attributes(call),
        trace(call),
        policy(call));
  }

  static StartPolicy policy(Call call) {
    return call.text("startPolicy")
        .map(StartPolicyWord::parse)
        .orElse(StartPolicy.REJECT_DUPLICATE);
  }

  static Map<String, Attribute> attributes(Call call) {
    Map<String, Attribute> all = new LinkedHashMap<>();
    call.input("attributes")
        .ifPresent(
            given ->
                ((Json.Obj) given).fields().forEach((name, value) -> all.put(name, of(value))));
    // To be found by, too.
    trace(call).ifPresent(trace -> all.put(TRACE_ATTRIBUTE, Attribute.of(trace.traceparent())));
    return all;
  }

  /** The trace of the request. A malformed header counts as none, as W3C says. */
  static Optional<Trace> trace(Call call) {
    return call.text("traceparent").flatMap(Trace::of);
  }

  static Attribute of(Json value) {
    return switch (value) {
      case Json.Text text -> new Attribute.OfText(text.value());
      case Json.Bool truth -> new Attribute.OfBoolean(truth.value());
      case Json.Num number ->
          number.literal().matches("-?[0-9]+")
              ? new Attribute.OfLong(Long.parseLong(number.literal()))
              : new Attribute.OfDouble(Double.parseDouble(number.literal()));
      case Json.Arr list ->
          new Attribute.OfTexts(
              list.items().stream().map(each -> ((Json.Text) each).value()).toList());
      case Json.Null none -> throw new IllegalArgumentException("null passed its schema");
      case Json.Obj object -> throw new IllegalArgumentException("an object passed its schema");
    };
  }

  /** The id of a workflow that its start's sender named by nothing but a key. */
  static String idOf(String key) {
    return "key-" + Canonical.hash(key);
  }

  /** What was asked for: how a repetition of a start is told from another start (I5). */
  static String hashOf(Call call) {
    Map<String, Json> asked = new LinkedHashMap<>();
    for (String name : REQUEST) call.input(name).ifPresent(value -> asked.put(name, value));
    return Canonical.hash(new Json.Obj(asked, Json.Slice.NONE));
  }
}
