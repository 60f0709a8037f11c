package dev.tenure.http.workflow;

import static dev.tenure.workflow.kernel.Limits.PAYLOAD_BYTES_MAX;

import dev.tenure.http.fault.StatusWord;
import dev.tenure.http.schema.Schema;
import dev.tenure.http.schema.Schema.AnyOf;
import dev.tenure.http.schema.Schema.Anything;
import dev.tenure.http.schema.Schema.Choice;
import dev.tenure.http.schema.Schema.Flag;
import dev.tenure.http.schema.Schema.ListOf;
import dev.tenure.http.schema.Schema.MapOf;
import dev.tenure.http.schema.Schema.Moment;
import dev.tenure.http.schema.Schema.Number;
import dev.tenure.http.schema.Schema.Span;
import dev.tenure.http.schema.Schema.Text;
import dev.tenure.http.schema.Schema.Whole;
import dev.tenure.http.schema.Shape;
import dev.tenure.persistence.signal.Signal;
import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Command;
import java.util.List;

/** The schemas of requests and answers, as the operations on workflows describe them. */
final class Shapes {
  static final int KEY_BYTES_MAX = Signal.MAX_ID_BYTES;
  static final int NOTE_BYTES_MAX = Command.REASON_BYTES_MAX;
  private static final int LONG_TEXT = 1 << 20;

  static final Schema ID = new Text("workflowId", 1, WorkflowId.BYTES_MAX);
  static final Schema TYPE = new Text("type", 1, WorkflowType.NAME_BYTES_MAX);
  static final Schema RUN_ID = new Text("runId", 1, 256);
  static final Schema VERSION = new Whole(1, Integer.MAX_VALUE);
  private static final Schema VERSION_OF_RUN = new Whole(WorkflowType.UNDECIDED, Integer.MAX_VALUE);
  private static final String VERSION_OF_RUN_MEANS =
      "Of the type; 0 while no node has the type and the start named no version.";
  static final Schema SIGNAL_NAME = new Text("signalName", 1, Signal.MAX_NAME_BYTES);
  static final Schema SIGNAL_ID = new Text("signalId", 1, Signal.MAX_ID_BYTES);
  static final Schema KEY = new Text("idempotencyKey", 1, KEY_BYTES_MAX);

  /** Of any length that a header may have: one that is too long is malformed, not refused. */
  static final Schema TRACE = new Text("traceparent", 0, 8 * 1024);

  static final Schema UPDATE_ID = new Text("updateId", 1, Command.Update.ID_BYTES_MAX);
  static final Schema NAME = new Text("name", 1, Command.Update.NAME_BYTES_MAX);
  static final Schema REASON = new Text("reason", 0, NOTE_BYTES_MAX);
  static final Schema NOTE = new Text("note", 1, NOTE_BYTES_MAX);
  static final Schema PAYLOAD = new Anything(PAYLOAD_BYTES_MAX);
  static final Schema ANY = new Anything(0);
  static final Schema TIMEOUT = new Span(Timeouts.MAX);
  static final Schema STATUS = new Choice(StatusWord.all());
  static final Schema STATUSES = new ListOf(STATUS, StatusWord.all().size());
  static final Schema TIME = new Moment();
  static final Schema COUNT = new Whole(0, Long.MAX_VALUE);
  static final Schema WORD = new Text("text", 0, LONG_TEXT);
  static final Schema FLAG = new Flag();

  private static final Schema ATTRIBUTE_TEXT = new Text("attribute", 0, Attribute.TEXT_BYTES_MAX);

  /** What workflows can be found by. */
  static final Schema ATTRIBUTES =
      new MapOf(
          new AnyOf(
              "a text, a number, a boolean or a list of texts",
              List.of(
                  ATTRIBUTE_TEXT,
                  new Flag(),
                  new Number(),
                  new ListOf(ATTRIBUTE_TEXT, Attribute.LIST_MAX))),
          new Text("attribute name", 1, Attribute.NAME_BYTES_MAX),
          Attribute.COUNT_MAX);

  static final Schema STARTED =
      Shape.named("StartedWorkflow")
          .required("workflowId", ID, "")
          .required("runId", WORD, "Tells this run from a later one of the same id.")
          .schema();

  static final Schema ACCEPTED_SIGNAL =
      Shape.named("AcceptedSignalResult")
          .required("accepted", FLAG, "Always true.")
          .required("workflowId", ID, "")
          .required("signalName", SIGNAL_NAME, "")
          .required("signalId", SIGNAL_ID, "The sender's, or the one that was made for it.")
          .required("acceptedAt", TIME, "When it was accepted first.")
          .required("signalStorageKey", WORD, "The key under which its payload was stored.")
          .schema();

  static final Schema STARTED_OR_SIGNALLED =
      Shape.named("StartedOrSignalled")
          .required("started", FLAG, "Whether this request started the workflow.")
          .required("workflowId", ID, "")
          .required("signal", ACCEPTED_SIGNAL, "")
          .schema();

  static final Shape FAILURE_SHAPE =
      Shape.named("Failure")
          .required("type", WORD, "What kind of failure: a class name or one of the engine's own.")
          .required("message", WORD, "")
          .optional("code", WORD, "A word for machines, when the code gave one.")
          .required("retryable", FLAG, "Whether another attempt could help.");

  static final Schema FAILURE = FAILURE_SHAPE.schema();

  static {
    FAILURE_SHAPE.optional("cause", FAILURE, "");
  }

  static final Schema ROW =
      Shape.named("WorkflowRow")
          .required("workflowId", ID, "")
          .required("runId", WORD, "")
          .required("type", TYPE, "")
          .required("version", VERSION_OF_RUN, VERSION_OF_RUN_MEANS)
          .required("status", STATUS, "")
          .required("startedAt", TIME, "")
          .optional("closedAt", TIME, "")
          .optional("wakeAt", TIME, "When it is due next.")
          .optional("parent", ID, "Whose child it is.")
          .required("attributes", ATTRIBUTES, "")
          .required("shard", COUNT, "")
          .schema();

  static final Schema PAGE =
      Shape.named("WorkflowPage")
          .required("workflows", new ListOf(ROW, 1_000), "Those that started last first.")
          .optional("next", WORD, "The cursor of the next page; absent on the last one.")
          .schema();

  static final Schema OPEN =
      Shape.named("OpenOperation")
          .required("id", WORD, "")
          .required("kind", WORD, "")
          .required("phase", WORD, "")
          .required("attempt", COUNT, "")
          .required("ledger", WORD, "Its integers, as the collation protocol writes them.")
          .required("scheduledAt", TIME, "")
          .optional("dueAt", TIME, "")
          .optional("lastFailure", FAILURE, "")
          .schema();

  static final Schema INCIDENT =
      Shape.named("Incident")
          .required("kind", WORD, "")
          .required("message", WORD, "What happened, and what to do about it.")
          .optional("operation", WORD, "The operation that it is about.")
          .optional("failure", FAILURE, "Of that operation, as evidence.")
          .schema();

  static final Schema WORKFLOW =
      Shape.named("Workflow")
          .required("workflowId", ID, "")
          .required("runId", WORD, "")
          .required("type", TYPE, "")
          .required("version", VERSION_OF_RUN, VERSION_OF_RUN_MEANS)
          .required("status", STATUS, "")
          .required("startedAt", TIME, "")
          .optional("endedAt", TIME, "")
          .optional("parent", ID, "Whose child it is.")
          .required("attributes", ATTRIBUTES, "")
          .optional("cancelRequested", WORD, "Why, when it was asked to cancel.")
          .optional("pauseReason", WORD, "")
          .optional("blockReason", WORD, "")
          .optional("incident", INCIDENT, "The incident, when it needs a person.")
          .optional("nextDue", TIME, "")
          .required("commits", COUNT, "How long its history is.")
          .required("events", COUNT, "")
          .required("operations", COUNT, "How many operations it ever asked for.")
          .required("open", new ListOf(OPEN, 100), "Open operations, the first hundred.")
          .schema();

  /** Open or ended in one shape: generated clients have one type for what an operation answers. */
  static final Schema RESULT =
      Shape.named("WorkflowResult")
          .required("workflowId", ID, "")
          .required("ended", FLAG, "While this is false, nothing else is known.")
          .optional("status", STATUS, "The status with which it ended, when it has.")
          .optional("result", ANY, "What it returned, when it completed.")
          .optional("failure", FAILURE, "Why, when it failed.")
          .optional("reason", WORD, "Why, when it was cancelled, terminated or timed out.")
          .schema();

  static final Schema ANSWERED =
      Shape.named("CodeAnswer")
          .required("workflowId", ID, "")
          .required("name", NAME, "Of the query or update.")
          .optional("updateId", UPDATE_ID, "Of an update: the same again gets the same answer.")
          .required("result", ANY, "")
          .schema();

  static final Schema ORDERED =
      Shape.named("OrderResult")
          .required("workflowId", ID, "")
          .required(
              "applied", FLAG, "False when it was in that state before, and nothing was changed.")
          .schema();

  static final Schema COMMIT =
      Shape.named("Commit")
          .required("version", COUNT, "Counts from 1, without gaps.")
          .required("step", COUNT, "How many operations had come out.")
          .required("epoch", COUNT, "The tenure under which it was written.")
          .required("events", new ListOf(ANY, LONG_TEXT), "Each with its type and time.")
          .optional("stored", ANY, "Its bytes in the journal, as Base64, when they are asked for.")
          .optional("writer", WORD, "Who wrote it, when its bytes are asked for.")
          .optional("apart", ANY, "Large values that those name by their hash, as Base64.")
          .schema();

  static final Schema HISTORY =
      Shape.named("History")
          .required("workflowId", ID, "")
          .required("commits", new ListOf(COMMIT, 1_000), "The oldest first.")
          .optional("next", COUNT, "The version to go on after; absent at the end.")
          .schema();

  private Shapes() {}
}
