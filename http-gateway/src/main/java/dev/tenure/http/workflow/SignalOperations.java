package dev.tenure.http.workflow;

import static dev.tenure.http.fault.ErrorCode.*;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tenure.http.api.Answer;
import dev.tenure.http.api.Call;
import dev.tenure.http.api.Input;
import dev.tenure.http.api.Input.Place;
import dev.tenure.http.api.Operation;
import dev.tenure.http.fault.ApiFault;
import dev.tenure.http.fault.Faults;
import dev.tenure.http.schema.Schema.Choice;
import dev.tenure.http.schema.Shape;
import dev.tenure.persistence.signal.AcceptedSignalResult;
import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.sharding.workflow.StartResult;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.StartPolicy;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.SignalContent;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handing signals in: a retry with the same signalId does nothing and gets the same answer. */
final class SignalOperations {
  private static final Logger log = LoggerFactory.getLogger(SignalOperations.class);

  private final Engine engine;

  SignalOperations(Engine engine) {
    this.engine = engine;
  }

  Operation signal() {
    return Operation.post(
            "workflows.signal",
            "/api/v1/workflows/{workflowId}/signal/{signalName}",
            "Hands a signal to a workflow, durably")
        .path("workflowId", Shapes.ID, "")
        .path("signalName", Shapes.SIGNAL_NAME, "")
        .optional("payload", Shapes.PAYLOAD, "What the workflow's code is given.")
        .optional(
            "signalId",
            Shapes.SIGNAL_ID,
            "The sender's own: a retry with the same one is recognised for as long as the first"
                + " answer is kept. Without it, a retry is another signal.")
        .input(
            new Input(
                "idempotencyKey",
                Place.KEY_HEADER,
                Shapes.KEY,
                false,
                "Taken as the signalId; with another payload under the same key it is a conflict."))
        .input(StartOperations.traced("The trace it is sent in; it stands in the history"))
        .replies(200, "Accepted: by this request or by an earlier one.", Shapes.ACCEPTED_SIGNAL)
        .fails(
            WORKFLOW_NOT_FOUND,
            WORKFLOW_CLOSED,
            SIGNAL_ACCEPTANCE_INDETERMINATE,
            SIGNAL_OUTCOME_UNKNOWN,
            IDEMPOTENCY_KEY_REUSED,
            PAYLOAD_TOO_LARGE,
            INBOX_FULL,
            NOT_IMPLEMENTED)
        .handledBy(this::signal);
  }

  private CompletionStage<Answer> signal(Call call) {
    Payload payload = call.payload("payload");
    return submit(
            WorkflowId.of(call.textOf("workflowId")),
            call.textOf("signalName"),
            content(call, payload),
            signalId(call))
        .thenApply(
            result -> {
              if (call.text("idempotencyKey").isPresent()) requireSameRequest(result, payload);
              return Answer.ok(WorkflowJson.of(accepted(result)));
            });
  }

  /**
   * A signalId names the signal, also when a retry has another payload. An Idempotency-Key names
   * the request, and another payload is another request.
   */
  private static void requireSameRequest(SignalResult result, Payload payload) {
    if (result instanceof SignalResult.Duplicate duplicate && duplicate.differsFrom(payload)) {
      throw ApiFault.of(
              IDEMPOTENCY_KEY_REUSED,
              "The key was used for a signal with another payload: use a new key for a new one.")
          .with("workflowId", duplicate.original().workflowId().value())
          .with("signalName", duplicate.original().signalName())
          .with("signalId", duplicate.original().signalId());
    }
  }

  /** The header and the field are two names of one thing. */
  private static Optional<String> signalId(Call call) {
    Optional<String> key = call.text("idempotencyKey");
    Optional<String> id = call.text("signalId");
    if (key.isPresent() && id.isPresent() && !key.equals(id)) {
      throw ApiFault.invalid(
          "/signalId", "it differs from the idempotency key, which is taken as the signalId");
    }
    return id.or(() -> key);
  }

  private static SignalContent content(Call call, Payload payload) {
    return new SignalContent(payload, StartOperations.trace(call));
  }

  private CompletionStage<SignalResult> submit(
      WorkflowId id, String name, SignalContent content, Optional<String> signalId) {
    return engine.workflows().signal(id, name, content, signalId);
  }

  private AcceptedSignalResult accepted(SignalResult result) {
    Optional<ApiFault> fault = Faults.of(result, engine.ids());
    if (fault.isPresent()) {
      if (result instanceof SignalResult.Indeterminate) {
        log.error("an accepted signal has no record of its answer: {}", fault.get().extras());
      }
      throw fault.get();
    }
    return switch (result) {
      case SignalResult.Accepted(AcceptedSignalResult first) -> first;
      case SignalResult.Duplicate duplicate -> duplicate.original();
      case SignalResult.UnknownWorkflow _,
          SignalResult.Closed _,
          SignalResult.Indeterminate _,
          SignalResult.InboxFull _,
          SignalResult.InvalidSignal _ ->
          throw new IllegalStateException("neither accepted nor a fault: " + result);
    };
  }

  Operation startOrSignal() {
    return StartOperations.withInputs(
            Operation.post(
                "workflows.startOrSignal",
                "/api/v1/workflows/start-or-signal",
                "Signals a workflow, and starts it first when it is not there"))
        .required("id", Shapes.ID, "Of the workflow that is signalled, and started if need be.")
        .optional(
            "startPolicy",
            new Choice(
                StartPolicyWord.of(StartPolicy.REJECT_DUPLICATE, StartPolicy.ALLOW_IF_CLOSED)),
            "Whether one that has ended is started again; it is not when absent.")
        .required(
            "signal",
            Shape.named("SignalToSend")
                .closed()
                .required("name", Shapes.SIGNAL_NAME, "")
                .optional("payload", Shapes.PAYLOAD, "")
                .optional("signalId", Shapes.SIGNAL_ID, "Give one: a retry is recognised by it.")
                .schema(),
            "")
        .replies(200, "The signal is durable, and so is its workflow.", Shapes.STARTED_OR_SIGNALLED)
        .fails(
            WORKFLOW_CLOSED,
            SIGNAL_ACCEPTANCE_INDETERMINATE,
            SIGNAL_OUTCOME_UNKNOWN,
            PAYLOAD_TOO_LARGE,
            LIMIT_EXCEEDED,
            INBOX_FULL,
            NOT_IMPLEMENTED,
            WORKFLOW_UNREACHABLE)
        .handledBy(this::startOrSignal);
  }

  /**
   * Sends the signal first: for most requests the workflow exists. When a request fails between a
   * start and the signal after it, the client can send it again: the start finds its workflow, and
   * the signal its record.
   */
  private CompletionStage<Answer> startOrSignal(Call call) {
    WorkflowId id = WorkflowId.of(call.textOf("id"));
    Call signal = call.within("signal");
    SignalContent content = content(call, signal.payload("payload"));
    // Checked before anything is done: the input of a start that may not be needed.
    call.payload("input");
    // The same one for both tries, or the second could be another signal than the first.
    String signalId = signal.text("signalId").orElseGet(engine.ids());
    Function<Boolean, CompletionStage<Answer>> answered =
        started ->
            submit(id, signal.textOf("name"), content, Optional.of(signalId))
                .thenApply(result -> Answer.ok(answer(started, accepted(result))));
    boolean again = StartOperations.policy(call) == StartPolicy.ALLOW_IF_CLOSED;
    return submit(id, signal.textOf("name"), content, Optional.of(signalId))
        .thenCompose(
            result ->
                result instanceof SignalResult.UnknownWorkflow
                        || again && result instanceof SignalResult.Closed
                    ? start(call, id).thenCompose(answered)
                    : CompletableFuture.completedStage(Answer.ok(answer(false, accepted(result)))));
  }

  /** Whether this start did it; when another was quicker, its workflow is signalled. */
  private CompletionStage<Boolean> start(Call call, WorkflowId id) {
    return engine
        .workflows()
        .start(StartOperations.request(call, id.value()))
        .thenApply(result -> result instanceof StartResult.Started);
  }

  private static ObjectNode answer(boolean started, AcceptedSignalResult signal) {
    ObjectNode node = WorkflowJson.object().put("started", started);
    node.put("workflowId", signal.workflowId().value());
    node.set("signal", WorkflowJson.of(signal));
    return node;
  }
}
