package dev.tenure.sharding.message;

import dev.tenure.sharding.program.Inquiry;
import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.StartPolicy;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.kernel.Origin;
import dev.tenure.workflow.kernel.Reply;
import dev.tenure.workflow.kernel.Start;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.kernel.Warning;
import dev.tenure.workflow.lifecycle.OperationPhase;
import dev.tenure.workflow.operation.AttemptRef;
import dev.tenure.workflow.operation.MessageGuid;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationKind;
import dev.tenure.workflow.operation.Outcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One of each thing that travels between nodes. */
final class WireSamples {
  private static final Instant T = Instant.parse("2026-03-01T09:00:00.123456Z");
  private static final OperationId OPERATION = OperationId.of("a/b", "pay", 3);
  private static final AttemptRef ATTEMPT = new AttemptRef("run-1", OPERATION, 2);
  private static final Outcome DONE = new Outcome.Succeeded(payload("{\"ok\":true}"));
  private static final Failure FAILURE =
      new Failure(
          "java.io.IOException",
          "no luck",
          Optional.of("E7"),
          true,
          "at here",
          Optional.of(Failure.permanent("cause", "ünd so")));

  /** Who is answered, in these samples, by name. */
  record Named(String name) implements ReplyTo {
    @Override
    public void tell(Answer answer) {
      throw new AssertionError("nobody is answered here");
    }
  }

  static final ReplyTo REPLY_TO = new Named("pekko://tenure@10.0.0.7:25520/temp/region$a#1234");

  private WireSamples() {}

  private static Payload payload(String text) {
    return Payload.of(text.getBytes(StandardCharsets.UTF_8));
  }

  static Map<String, Message> messages() {
    Map<String, Message> all = new LinkedHashMap<>();
    commands().forEach((name, command) -> all.put(name, new Message.Tell(command, REPLY_TO)));
    all.put("query", new Message.Query(new Inquiry("state", payload("1")), REPLY_TO));
    all.put("describe", new Message.Describe(REPLY_TO));
    all.put("describe-about", new Message.Describe(Optional.of(OPERATION), REPLY_TO));
    all.put("await-end", new Message.AwaitEnd(Optional.empty(), REPLY_TO));
    all.put("await-end-of-run", new Message.AwaitEnd(Optional.of("run-1"), REPLY_TO));
    all.put("await-update", new Message.AwaitUpdate("u-1", REPLY_TO));
    all.put("wake-up", Message.WakeUp.WAKE_UP);
    all.put("stop", Message.Stop.STOP);
    return all;
  }

  private static Command startAgain() {
    Start start =
        new Start(
            WorkflowId.of("order-1"),
            "run-2",
            new WorkflowType("order", 2),
            payload("{}"),
            7,
            Optional.of("key-2"),
            Optional.empty(),
            Optional.empty(),
            Map.of());
    return new Command.StartWorkflow(start, StartPolicy.TERMINATE_IF_RUNNING);
  }

  private static Map<String, Command> commands() {
    Map<String, Command> all = new LinkedHashMap<>();
    all.put("start-again", startAgain());
    MessageGuid child = new MessageGuid("guid-4");
    all.put("cancel-child", new Command.Cancel("late", Optional.of(child)));
    all.put("terminate-child", new Command.Terminate("gone", Optional.of(child)));
    all.put(
        "start",
        new Command.StartWorkflow(
            new Start(
                WorkflowId.of("order-1"),
                "run-1",
                new WorkflowType("order", 2),
                payload("{}"),
                -5,
                Optional.of("request-1"),
                Optional.of(
                    new Origin(WorkflowId.of("parent"), OPERATION, new MessageGuid("guid-1"))),
                Optional.of(Duration.ofHours(1)),
                Map.of("city", Attribute.of("Ulm")))));
    all.put("cancel", new Command.Cancel("no need"));
    all.put("terminate", new Command.Terminate("enough"));
    all.put("pause", new Command.Pause("a look"));
    all.put("resume", new Command.Resume());
    all.put("resolve", new Command.ResolveIncident("mended"));
    all.put("retry", new Command.Retry(ATTEMPT, "the bank has no such payment"));
    all.put("conclude", new Command.Conclude(ATTEMPT, DONE, "the bank — paid"));
    all.put(
        "conclude-failed",
        new Command.Conclude(
            ATTEMPT,
            new Outcome.Failed(FAILURE.with(Failure.OutsideEffect.NONE)),
            "the bank has no such payment"));
    all.put("fork", new Command.ForkWorkflow(List.of(new Event.Paused(T, "a look"))));
    all.put("update", new Command.Update("u-1", "add", payload("7")));
    all.put("child-ended", new Command.ChildEnded(OPERATION, new Outcome.Failed(FAILURE)));
    all.put("child-acknowledged", new Command.ChildAcknowledged(OPERATION));
    all.put("message-acknowledged", new Command.MessageAcknowledged(OPERATION, DONE));
    all.put("attempt-ended", new Command.AttemptEnded(OPERATION, 4, DONE));
    all.put("move", new Command.MoveToVersion(3, "mended there"));
    all.put(
        "child-ended-started",
        new Command.ChildEnded(OPERATION, DONE, Optional.of(new MessageGuid("guid-2"))));
    return all;
  }

  static Map<String, Answer> answers() {
    Map<String, Answer> all = new LinkedHashMap<>();
    replies().forEach((name, reply) -> all.put("said-" + name, new Answer.Said(reply)));
    all.put("queried", new Answer.Queried(new Inquiry.Reply.Value(payload("7"))));
    all.put("queried-failed", new Answer.Queried(new Inquiry.Reply.Failed(FAILURE)));
    all.put("queried-none", new Answer.Queried(new Inquiry.Reply.NoSuchQuery("state")));
    all.put("described", new Answer.Described(description(List.of())));
    all.put(
        "described-warned",
        new Answer.Described(
            description(List.of(new Warning("HISTORY_EVENTS_WARNING", 50_001, 50_000, "Why.")))));
    all.put("ended", new Answer.Ended(Status.TIMED_OUT, new Outcome.TimedOut("PT1H")));
    all.put("updated", new Answer.Updated(new Outcome.Cancelled("no need")));
    all.put("unknown", new Answer.Unknown());
    all.put("not-now", new Answer.NotNow("it is at rest"));
    all.put("busy", new Answer.Busy(1_000));
    all.put("again", new Answer.Again("it moved"));
    all.put("another-run", new Answer.AnotherRun("run-2"));
    return all;
  }

  private static Map<String, Reply> replies() {
    Map<String, Reply> all = new LinkedHashMap<>();
    all.put("done", Reply.DONE);
    all.put("started", new Reply.Started(WorkflowId.of("order-1"), "run-1"));
    all.put(
        "already-started",
        new Reply.AlreadyStarted(WorkflowId.of("order-1"), "run-1", Status.RUNNING, true));
    all.put("unknown", new Reply.Unknown());
    all.put(
        "already-ended",
        new Reply.AlreadyEnded(Status.TERMINATED, new Outcome.Terminated("enough")));
    all.put("already-done", new Reply.AlreadyDone("paused"));
    all.put("not-open", new Reply.NotOpen("it came before"));
    all.put("update-pending", new Reply.UpdatePending("u-1"));
    all.put("update-answered", new Reply.UpdateAnswered("u-1", DONE));
    all.put("limit-reached", new Reply.LimitReached("LIMIT", 11, 10, "Do less."));
    all.put("update-conflict", new Reply.UpdateConflict("u-1"));
    all.put("each", new Reply.Each(List.of(Reply.DONE, new Reply.NotOpen("late"))));
    return all;
  }

  private static Description description(List<Warning> warnings) {
    return new Description(
        WorkflowId.of("order-1"),
        "run-1",
        new WorkflowType("order", 2),
        Status.INCIDENT,
        T,
        Optional.of(T.plusSeconds(60)),
        Optional.of(WorkflowId.of("parent")),
        Map.of("total", Attribute.of(12L)),
        Optional.of(DONE),
        Optional.of("cancel"),
        Optional.of("pause"),
        Optional.of("block"),
        Optional.of(
            new Incident.Drift(OPERATION, OperationKind.STEP, Optional.of(OperationKind.TIMER))),
        Optional.of(T.plusSeconds(90)),
        12,
        34,
        56,
        List.of(
            new Description.Open(
                OPERATION.value(),
                OperationKind.ACTIVITY,
                OperationPhase.BACKING_OFF,
                2,
                "001100000000000",
                T.plusMillis(1),
                Optional.of(T.plusSeconds(3)),
                Optional.of(FAILURE))),
        warnings);
  }
}
