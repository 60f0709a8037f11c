package dev.tenure.http.workflow;

import static dev.tenure.http.workflow.WorkflowJson.object;
import static dev.tenure.http.workflow.WorkflowJson.put;
import static dev.tenure.http.workflow.WorkflowJson.putText;
import static dev.tenure.http.workflow.WorkflowJson.word;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.collation.Parent;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Start;
import dev.tenure.workflow.operation.Due;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;

/** A history as JSON. Later versions may add fields; a field never changes its name. */
final class EventJson {
  private EventJson() {}

  static ObjectNode of(JournalEntry entry) {
    ObjectNode node =
        object()
            .put("version", entry.head().version())
            .put("step", entry.head().completed())
            .put("epoch", entry.fence().epoch());
    ArrayNode events = node.putArray("events");
    entry.events().forEach(event -> events.add(of(event)));
    return node;
  }

  static ObjectNode of(Event event) {
    ObjectNode node = object();
    node.put("type", "");
    node.put("at", event.at().toString());
    String type =
        switch (event) {
          case Event.Started e -> started(node, e.start());
          case Event.Scheduled e -> {
            on(node, e.operation());
            spec(node, e.spec());
            yield "scheduled";
          }
          case Event.AttemptFailed e -> {
            on(node, e.operation()).put("attempt", e.attempt());
            node.set("failure", WorkflowJson.of(e.failure()));
            node.put("retryAt", e.retryAt().toString());
            yield "attempt-failed";
          }
          case Event.Forked e -> {
            on(node, e.source().operation())
                .put("workflowId", e.source().id().value())
                .put("runId", e.source().runId())
                .put("version", e.source().version());
            yield "forked";
          }
          case Event.Retried e -> {
            on(node, e.operation());
            if (e.unproven()) node.put("unproven", true);
            yield "retried";
          }
          case Event.Concluded e -> {
            on(node, e.operation()).put("note", e.note());
            yield "concluded";
          }
          case Event.AttemptStarted e -> {
            on(node, e.operation()).put("attempt", e.attempt());
            yield "attempt-started";
          }
          case Event.Redelivered e -> {
            ArrayNode all = node.putArray("operations");
            e.operations().forEach(each -> all.add(each.operation().value()));
            yield "redelivered";
          }
          case Event.ChildStarted e -> named(node, e.operation(), "child-started");
          case Event.SourceChildStarted e -> named(node, e.operation(), "source-child-started");
          case Event.SourceSignalNotReceived e -> {
            on(node, e.operation()).put("bytes", e.bytes());
            yield "source-signal-not-received";
          }
          case Event.Completed e -> {
            on(node, e.operation());
            put(node, e.outcome());
            yield "completed";
          }
          case Event.SignalConsumed e -> {
            signal(on(node, e.operation()), e.arrival());
            yield "signal-consumed";
          }
          case Event.SignalReturned e -> {
            on(node, e.operation()).put("signalName", e.signal()).put("position", e.position());
            yield "signal-returned";
          }
          case Event.ValueRecorded e -> {
            put(on(node, e.operation()), "value", e.value());
            yield "value-recorded";
          }
          case Event.Abandoned e -> named(node, e.operation(), "abandoned");
          case Event.Published e -> {
            node.put("children", e.inception().children());
            yield "published";
          }
          case Event.Spawned e -> {
            on(node, e.operation()).put("staysOpen", e.parent() == Parent.STAYS_OPEN);
            yield "spawned";
          }
          case Event.Reentered e -> {
            on(node, e.operation()).put("ancestor", e.pivot().value());
            yield "reentered";
          }
          case Event.LetGo e -> named(node, e.operation(), "let-go");
          case Event.GivenUp e -> named(node, e.operation(), "given-up");
          case Event.AttributesChanged e -> {
            node.set("attributes", WorkflowJson.attributes(e.changes()));
            yield "attributes-changed";
          }
          case Event.CancelRequested e -> because(node, e.reason(), "cancel-requested");
          case Event.DeadlinePassed e -> "deadline-passed";
          case Event.ContinuedAsNew e -> {
            started(node, e.start());
            yield "continued-as-new";
          }
          case Event.StartedAgain e -> {
            started(node, e.start());
            yield "started-again";
          }
          case Event.Repinned e -> {
            node.put("workflowVersion", e.version()).put("note", e.note());
            yield "moved-to-version";
          }
          case Event.Paused e -> because(node, e.reason(), "paused");
          case Event.Resumed e -> "resumed";
          case Event.Blocked e -> because(node, e.reason(), "blocked");
          case Event.Unblocked e -> "unblocked";
          case Event.IncidentRaised e -> {
            node.set("incident", WorkflowJson.of(e.incident()));
            yield "incident-raised";
          }
          case Event.IncidentResolved e -> {
            node.put("note", e.note());
            yield "incident-resolved";
          }
          case Event.UpdateAdmitted e -> {
            node.put("updateId", e.updateId()).put("name", e.name());
            put(node, "payload", e.payload());
            yield "update-admitted";
          }
          case Event.UpdateAnswered e -> {
            put(node.put("updateId", e.updateId()), e.outcome());
            yield "update-answered";
          }
          case Event.CodeRevised e -> "code-revised";
          case Event.Ended e -> {
            put(node, e.outcome());
            yield "ended";
          }
          case Event.Closed e -> "closed";
        };
    return node.put("type", type);
  }

  private static void signal(ObjectNode node, Command.Arrival arrival) {
    node.put("signalName", arrival.signal())
        .put("signalId", arrival.signalId())
        .put("position", arrival.position());
    arrival.trace().ifPresent(t -> node.put("traceparent", t.traceparent()));
    put(node, "payload", arrival.payload());
  }

  private static ObjectNode on(ObjectNode node, OperationId operation) {
    return node.put("operation", operation.value());
  }

  private static String named(ObjectNode node, OperationId operation, String type) {
    on(node, operation);
    return type;
  }

  private static String because(ObjectNode node, String reason, String type) {
    node.put("reason", reason);
    return type;
  }

  private static String started(ObjectNode node, Start start) {
    node.put("workflowType", start.type().name()).put("workflowVersion", start.type().version());
    if (!start.kind().isCode()) node.put("programKind", start.kind().name());
    node.put("runId", start.runId());
    put(node, "input", start.input());
    putText(node, "parent", start.origin().map(origin -> origin.parent().value()));
    return "started";
  }

  private static void spec(ObjectNode node, OperationSpec spec) {
    node.put("kind", word(spec.kind()));
    switch (spec) {
      case OperationSpec.Step step -> step.undoes().ifPresent(undo -> undoes(node, undo));
      case OperationSpec.Activity activity -> {
        node.put("activity", activity.activity());
        put(node, "input", activity.input());
      }
      case OperationSpec.Timer(Due due) -> {
        switch (due) {
          case Due.After after -> node.put("after", after.span().toString());
          case Due.At at -> node.put("dueAt", at.instant().toString());
        }
      }
      case OperationSpec.SignalWait wait -> {
        node.put("signalName", wait.signal());
        putText(node, "timeout", wait.timeout().map(Object::toString));
      }
      case OperationSpec.Child child -> node.put("child", child.id().value());
      case OperationSpec.Message message -> node.put("target", id(message.target()));
      case OperationSpec.Value value -> put(node, "value", value.value());
      case OperationSpec.Cycle cycle -> node.put("ancestor", cycle.pivot().value());
    }
  }

  private static void undoes(ObjectNode node, OperationSpec.Undo undo) {
    ObjectNode undoes = node.putObject("undoes");
    undoes.put("saga", undo.saga()).put("position", undo.position());
    putText(undoes, "step", undo.step().map(OperationId::value));
  }

  private static String id(WorkflowId id) {
    return id.value();
  }
}
