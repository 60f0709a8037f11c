package dev.tenure.http.worker;

import static dev.tenure.http.access.Scope.WORKER;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tenure.http.api.Answer;
import dev.tenure.http.api.Call;
import dev.tenure.http.api.Operation;
import dev.tenure.http.fault.ApiFault;
import dev.tenure.http.fault.ErrorCode;
import dev.tenure.http.schema.Schema.Choice;
import dev.tenure.http.schema.Schema.Flag;
import dev.tenure.http.schema.Schema.ListOf;
import dev.tenure.http.schema.Schema.Text;
import dev.tenure.http.schema.Schema.Whole;
import dev.tenure.http.schema.Shape;
import dev.tenure.http.workflow.Engine;
import dev.tenure.persistence.task.TaskToken;
import dev.tenure.persistence.task.Tasks.Heard;
import dev.tenure.persistence.task.Tasks.Report;
import dev.tenure.sharding.payload.PayloadConversionException;
import dev.tenure.sharding.task.TaskTokenText;
import dev.tenure.workflow.ActivityRouting;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Failure.OutsideEffect;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * What workers say of the tasks that they have, some tasks in one request. Each report has an
 * answer of its own; a report that is sent again gets the same one.
 */
final class ReportOperations {
  /** One report, except for its token. Throws what is wrong with it. */
  private interface Reading {
    Report of(TaskToken token, Call item, String pointer);
  }

  private static final String NONE = "none";
  private static final String POSSIBLE = "possible";

  private final Engine engine;

  ReportOperations(Engine engine) {
    this.engine = engine;
  }

  List<Operation> all() {
    return List.of(heartbeat(), extend(), complete(), fail(), giveBack());
  }

  private Operation heartbeat() {
    Shape item =
        item("TaskHeartbeat")
            .optional("details", WorkerShapes.DETAILS, "The next delivery gets them.");
    return reported(
        "heartbeat",
        "Says that the worker is alive, for its visibility timeout from now on",
        item,
        (token, call, at) -> new Report.Alive(token, Optional.empty(), details(call, at)));
  }

  private Operation extend() {
    Shape item =
        item("TaskExtension")
            .required(
                "seconds",
                new Whole(1, ActivityRouting.VISIBILITY_MAX.toSeconds()),
                "For how long from now on the worker may be silent.")
            .optional("details", WorkerShapes.DETAILS, "The next delivery gets them.");
    return reported(
        "extend",
        "Says that the worker is alive, and silent for longer than usual",
        item,
        (token, call, at) ->
            new Report.Alive(
                token,
                Optional.of(Duration.ofSeconds(call.whole("seconds").orElseThrow())),
                details(call, at)));
  }

  private Operation complete() {
    Shape item =
        item("TaskCompletion")
            .optional("result", WorkerShapes.RESULT, "What the workflow gets; null when absent.");
    return reported(
        "complete",
        "Says that tasks were done, durably",
        item,
        (token, call, at) ->
            new Report.Ended(token, new Outcome.Succeeded(call.payload("result"))));
  }

  private Operation fail() {
    Shape item =
        item("TaskFailure")
            .required(
                "type",
                new Text("type", 1, Failure.TYPE_CHARS_MAX),
                "What kind of failure; a retry policy may know it. Not tenure.….")
            .required("message", new Text("message", 0, WorkerShapes.LONG_BYTES_MAX), "For people.")
            .optional("code", new Text("code", 1, Failure.CODE_CHARS_MAX), "For machines.")
            .optional("stack", new Text("stack", 0, WorkerShapes.LONG_BYTES_MAX), "For people.")
            .optional(
                "retryable", new Flag(), "Whether another attempt could help; true when absent.")
            .optional(
                "effect",
                new Choice(List.of(NONE, POSSIBLE)),
                "none when it is certain that nothing was done outside; possible when absent.");
    return reported("fail", "Says that tasks failed, durably", item, ReportOperations::failed);
  }

  private Operation giveBack() {
    return reported(
        "return",
        "Gives tasks back that were not begun",
        item("TaskReturn"),
        (token, call, at) -> new Report.Returned(token));
  }

  private static Shape item(String name) {
    return Shape.named(name).required("token", WorkerShapes.TOKEN, "").closed();
  }

  private Operation reported(String word, String summary, Shape item, Reading reading) {
    return Operation.post("tasks." + word, "/api/v1/tasks/" + word, summary)
        .scopes(WORKER)
        .required(
            "tasks",
            new ListOf(item.schema(), WorkerShapes.REPORTS_MAX),
            "Each with its token; one may stand there once.")
        .replies(200, "", WorkerShapes.ANSWERS)
        .handledBy(call -> report(call, reading));
  }

  private CompletionStage<Answer> report(Call call, Reading reading) {
    List<Call> items = call.each("tasks");
    List<Report> reports = new ArrayList<>(items.size());
    List<Optional<Integer>> places = new ArrayList<>(items.size());
    for (int i = 0; i < items.size(); i++) {
      Call item = items.get(i);
      Optional<TaskToken> token = TaskTokenText.parse(item.textOf("token"));
      places.add(token.map(known -> reports.size()));
      String pointer = "/tasks/" + i;
      token.ifPresent(known -> reports.add(reading.of(known, item, pointer)));
    }
    return heard(reports).thenApply(heard -> answer(places, heard));
  }

  private CompletionStage<List<Heard>> heard(List<Report> reports) {
    try {
      return engine.tasks().hear(reports);
    } catch (PayloadConversionException e) {
      throw ApiFault.of(ErrorCode.INVALID_REQUEST, e.getMessage());
    }
  }

  /**
   * @param places where the answer to each report stands; empty where its token could not be read
   */
  private static Answer answer(List<Optional<Integer>> places, List<Heard> heard) {
    ObjectNode node = TaskJson.object();
    ArrayNode all = node.putArray("tasks");
    Heard unreadable = new Heard.Rejected(Heard.Why.FORGED);
    for (Optional<Integer> place : places)
      all.add(TaskJson.of(place.map(heard::get).orElse(unreadable)));
    return Answer.ok(node);
  }

  private static Optional<Payload> details(Call call, String pointer) {
    Payload details = call.payload("details");
    if (details.size() > WorkerShapes.DETAILS_BYTES_MAX)
      throw ApiFault.of(
              ErrorCode.PAYLOAD_TOO_LARGE,
              "The details have %d bytes, more than DETAILS_BYTES_MAX = %d: keep them elsewhere and send a reference."
                  .formatted(details.size(), WorkerShapes.DETAILS_BYTES_MAX))
          .with("limit", "DETAILS_BYTES_MAX")
          .with("pointer", pointer + "/details");
    return Optional.of(details).filter(there -> !there.isNone());
  }

  private static Report failed(TaskToken token, Call call, String pointer) {
    String type = call.textOf("type");
    if (type.startsWith(ActivityRouting.RESERVED))
      throw ApiFault.invalid(
          pointer + "/type",
          "types that begin with %s are the engine's".formatted(ActivityRouting.RESERVED));
    boolean retryable = call.input("retryable").isEmpty() || call.flag("retryable");
    Failure failure =
        new Failure(
            type,
            call.textOf("message"),
            call.text("code"),
            retryable,
            call.text("stack").orElse(""),
            Optional.empty());
    boolean none = call.text("effect").filter(NONE::equals).isPresent();
    return new Report.Ended(
        token,
        new Outcome.Failed(failure.with(none ? OutsideEffect.NONE : OutsideEffect.POSSIBLE)));
  }
}
