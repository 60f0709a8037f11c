package dev.tenure.persistence.entry;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.Writers;
import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.ParentClosePolicy;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.StartPolicy;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.Trace;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.collation.GuidLedger;
import dev.tenure.workflow.collation.Inception;
import dev.tenure.workflow.collation.JobSemaphore;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Difference;
import dev.tenure.workflow.kernel.Digits;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Fork;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.kernel.Origin;
import dev.tenure.workflow.kernel.ProgramKind;
import dev.tenure.workflow.kernel.SignalContent;
import dev.tenure.workflow.kernel.Start;
import dev.tenure.workflow.operation.Due;
import dev.tenure.workflow.operation.MessageContent;
import dev.tenure.workflow.operation.MessageGuid;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationKind;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One of everything that a step can hold; the golden files are these, and never change. */
final class JournalEntrySamples {
  static final Instant T = Instant.parse("2026-03-01T09:00:00.123456789Z");
  static final Authorship BY = new Authorship(new WorkflowId("order-7"), Writers.named("w-1"));
  static final OperationId CHARGE = OperationId.of("", "charge", 1);
  private static final ActivityLedger FRESH = new ActivityLedger(1_100_000_000_000L);
  static final Digits DIGITS =
      new Digits(
          new ActivityLedger(1_100_000_000_001L),
          new GuidLedger(11_000_000_001L),
          new JobSemaphore(2, 0, JobSemaphore.Edge.PENDING));
  static final Digits CLOSING =
      new Digits(
          new ActivityLedger(201_100_000_000_001L),
          new GuidLedger(111_100_000_001L),
          new JobSemaphore(0, 0, JobSemaphore.Edge.TAKEN));

  private JournalEntrySamples() {}

  static Payload payload(String text) {
    return Payload.of(text.getBytes(StandardCharsets.UTF_8));
  }

  static Failure failure() {
    Failure root = Failure.permanent("java.io.IOException", "no route to \ud83d\ude00 or \ud83d");
    return new Failure(
        "shop.Declined",
        "card — declined",
        Optional.of("E42"),
        true,
        "at X\nat Y",
        Optional.of(root));
  }

  static Map<String, Attribute> attributes() {
    return Map.of(
        "text", new Attribute.OfText("a\0b"),
        "whole", new Attribute.OfLong(Long.MIN_VALUE),
        "real", new Attribute.OfDouble(-0.1),
        "truth", new Attribute.OfBoolean(true),
        "time", new Attribute.OfInstant(T),
        "texts", new Attribute.OfTexts(List.of("a", "", "ß")),
        "gone", new Attribute.Removed());
  }

  static Start start() {
    return new Start(
        new WorkflowId("order-7"),
        "run-1",
        new WorkflowType("shop.Order", 3),
        payload("{\"n\":1}"),
        -7_046_029_254_386_353_131L,
        Optional.of("key-1"),
        Optional.of(
            new Origin(
                new WorkflowId("parent"),
                OperationId.of("ship#1", "child", 2),
                new MessageGuid("guid-1"))),
        Optional.of(Duration.ofDays(3).plusNanos(5)),
        attributes());
  }

  private static Start traced() {
    return new Start(
        new WorkflowId("order-8"),
        "run-2",
        new WorkflowType("shop.Order", 3),
        payload("{}"),
        1,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        Trace.of("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"));
  }

  private static Event scheduled(OperationSpec spec) {
    return new Event.Scheduled(T, CHARGE, spec, new ActivityLedger(1_000_000_000_000L));
  }

  private static Event completed(Outcome outcome) {
    return new Event.Completed(T, CHARGE, outcome, DIGITS);
  }

  private static Event incident(Incident incident) {
    return new Event.IncidentRaised(T, incident);
  }

  /** By the name of its golden file. */
  static Map<String, Event> events() {
    Map<String, Event> all = new LinkedHashMap<>();
    all.put("started", new Event.Started(T, start(), Inception.create(2), FRESH));
    Start actions = start().of(new ProgramKind("actions"));
    all.put("started-of-a-kind", new Event.Started(T, actions, Inception.create(2), FRESH));
    all.put("started-traced", new Event.Started(T, traced(), Inception.create(2), FRESH));
    all.put("scheduled-step", scheduled(OperationSpec.Step.DEFAULT));
    all.put("scheduled-activity", scheduled(activity()));
    all.put(
        "scheduled-timer",
        scheduled(new OperationSpec.Timer(new Due.After(Duration.ofMillis(1_500)))));
    all.put("scheduled-alarm", scheduled(new OperationSpec.Timer(new Due.At(T.minusSeconds(1)))));
    all.put(
        "scheduled-signal",
        scheduled(new OperationSpec.SignalWait("paid", Optional.of(Duration.ofHours(1)))));
    all.put("scheduled-child", scheduled(child()));
    all.put("scheduled-message-signal", message(new MessageContent.Signal("paid", payload("1"))));
    all.put("scheduled-message-cancel", message(new MessageContent.Cancel("late")));
    all.put("scheduled-message-terminate", message(new MessageContent.Terminate("gone")));
    all.put(
        "scheduled-message-ended", message(new MessageContent.ChildEnded(CHARGE, Outcome.DONE)));
    all.put("scheduled-value", scheduled(new OperationSpec.Value(payload("9"))));
    all.put(
        "attempt-failed",
        new Event.AttemptFailed(T, CHARGE, 3, failure(), T.plusSeconds(9), DIGITS));
    all.put("started-again", startedAgain());
    all.put("scheduled-child-again", scheduled(childAgain()));
    MessageGuid started = new MessageGuid("guid-4");
    all.put(
        "scheduled-message-cancel-child",
        message(new MessageContent.Cancel("late", Optional.of(started))));
    all.put(
        "scheduled-message-terminate-child",
        message(new MessageContent.Terminate("gone", Optional.of(started))));
    all.put("attempt-started", new Event.AttemptStarted(T, CHARGE, 4));
    all.put(
        "forked",
        new Event.Forked(T, new Fork.Source(WorkflowId.of("order-1"), "run-1", 17, CHARGE)));
    all.put("retried", new Event.Retried(T, CHARGE));
    all.put(
        "redelivered",
        new Event.Redelivered(
            T, List.of(new Event.Redelivery(CHARGE, new ActivityLedger(2_000_000_000_000L)))));
    all.put("child-started", new Event.ChildStarted(T, CHARGE, DIGITS));
    all.put("source-child-started", new Event.SourceChildStarted(T, CHARGE));
    all.put("source-signal-not-received", new Event.SourceSignalNotReceived(T, CHARGE, 300));
    all.put("completed-succeeded", completed(new Outcome.Succeeded(payload("{\"ok\":true}"))));
    all.put("completed-failed", completed(new Outcome.Failed(failure())));
    all.put("completed-cancelled", completed(new Outcome.Cancelled("asked")));
    all.put("completed-terminated", completed(new Outcome.Terminated("told")));
    all.put("completed-timed-out", completed(new Outcome.TimedOut("attempt")));
    all.put(
        "signal-consumed",
        new Event.SignalConsumed(
            T, CHARGE, new Command.Arrival("paid", 12, "s:1", payload("x")), DIGITS));
    all.put("signal-returned", new Event.SignalReturned(T, CHARGE, "paid", 12));
    all.put("given-up", new Event.GivenUp(T, CHARGE, DIGITS));
    all.put(
        "signal-consumed-traced",
        new Event.SignalConsumed(
            T,
            CHARGE,
            new Command.Arrival(
                "paid",
                12,
                "s:1",
                new SignalContent(
                    payload("x"),
                    Trace.of("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"))),
            DIGITS));
    all.put("value-recorded", new Event.ValueRecorded(T, CHARGE, payload("v"), DIGITS));
    all.put("abandoned", new Event.Abandoned(T, CHARGE, DIGITS));
    all.put("abandoned-no-child", new Event.Abandoned(T, CHARGE, DIGITS, true));
    all.put(
        "scheduled-message-signal-child",
        message(new MessageContent.Signal("paid", payload("1"), Optional.of(CHARGE))));
    all.put(
        "let-go", new Event.LetGo(T, CHARGE, Optional.of(new MessageContent.Cancel("so")), DIGITS));
    all.put("attributes-changed", new Event.AttributesChanged(T, attributes()));
    all.put("cancel-requested", new Event.CancelRequested(T, "why", DIGITS));
    all.put("paused", new Event.Paused(T, "hold"));
    all.put("resumed", new Event.Resumed(T, DIGITS));
    all.put("blocked", new Event.Blocked(T, "no-worker"));
    all.put("unblocked", new Event.Unblocked(T, DIGITS));
    all.put(
        "incident-drift",
        incident(new Incident.Drift(CHARGE, OperationKind.STEP, Optional.of(OperationKind.TIMER))));
    all.put("incident-invalid-wish", incident(new Incident.InvalidWish("twice")));
    all.put("incident-stuck", incident(new Incident.Stuck("loops")));
    all.put("incident-ceiling", incident(new Incident.Ceiling(Optional.of(CHARGE), "99")));
    all.put(
        "incident-operation-failed",
        incident(new Incident.OperationFailed(CHARGE, 3, Failure.permanent("Down", "the bank"))));
    all.put(
        "scheduled-then-incident",
        scheduled(new OperationSpec.Step(RetryPolicy.NONE.thenIncident(), Timeouts.DEFAULT)));
    all.put(
        "scheduled-undo",
        scheduled(
            OperationSpec.Step.compensation(
                RetryPolicy.COMPENSATION,
                Timeouts.DEFAULT,
                new OperationSpec.Undo("trip#1/saga#1", 2, Optional.of(CHARGE)))));
    all.put(
        "scheduled-of-saga",
        scheduled(
            OperationSpec.Step.ofSaga(RetryPolicy.DEFAULT, Timeouts.DEFAULT, "trip#1/saga#1")));
    all.put("incident-other", incident(new Incident.Other("odd", "thing")));
    all.put("incident-resolved", new Event.IncidentResolved(T, "mended", DIGITS));
    all.put("update-admitted", new Event.UpdateAdmitted(T, "u1", "raise", payload("5"), DIGITS));
    all.put("update-answered", new Event.UpdateAnswered(T, "u1", Outcome.DONE));
    all.put("code-revised", new Event.CodeRevised(T, DIGITS));
    all.put("ended", new Event.Ended(T, Outcome.DONE, CLOSING));
    all.put("closed", new Event.Closed(T));
    all.put("continued-as-new", continued(start()));
    all.put("continued-from-its-first-run", continued(secondRun(List.of(), Optional.of("run-1"))));
    all.put("deadline-passed", new Event.DeadlinePassed(T, true, DIGITS));
    all.put("repinned", new Event.Repinned(T, 4, "mended in 4", DIGITS));
    all.put(
        "incident-drift-instead",
        incident(
            new Incident.Drift(CHARGE, OperationKind.STEP, Optional.empty(), List.of(CHARGE))));
    all.put(
        "incident-drift-end",
        incident(
            new Incident.Drift(
                CHARGE,
                OperationKind.STEP,
                Optional.empty(),
                List.of(),
                Optional.of("shop.Declined: no"))));
    for (Failure.Form form : List.of(Failure.Form.EXCEPTION, Failure.Form.DEFECT))
      all.put(
          "incident-operation-failed-" + form.name().toLowerCase(Locale.ROOT),
          incident(new Incident.OperationFailed(CHARGE, 1, failure().as(form))));
    all.put(
        "incident-drift-difference",
        incident(
            new Incident.Drift(
                CHARGE,
                OperationKind.ACTIVITY,
                Optional.of(OperationKind.ACTIVITY),
                List.of(),
                Optional.empty(),
                Optional.of(new Difference("child id", "\"a\"", "\"b\"")))));
    all.put(
        "scheduled-message-ended-started",
        message(
            new MessageContent.ChildEnded(
                CHARGE, Outcome.DONE, Optional.of(new MessageGuid("guid-2")))));
    GraphSamples.add(all);
    ActivitySamples.add(all);
    return all;
  }

  private static Event continued(Start start) {
    Event.Carried carried =
        new Event.Carried(
            OperationId.ofEngine("carried", 1),
            new Operation.Sent(CHARGE, new MessageGuid("guid-3")),
            child(),
            new ActivityLedger(1_100_000_000_001L),
            true,
            Optional.of(new MessageContent.Cancel("so")));
    return new Event.ContinuedAsNew(
        T,
        start,
        Inception.create(2),
        FRESH,
        12,
        List.of(new Event.Answered("u1", "raise:ff", Outcome.DONE)),
        List.of(carried),
        List.of(new Event.CarriedUpdate("u2", "raise", payload("3"), T)));
  }

  private static Start secondRun(List<Start.Earlier> earlier, Optional<String> begunAs) {
    Start first = start();
    return new Start(
        first.id(),
        "run-2",
        first.type(),
        first.input(),
        first.seed(),
        first.request(),
        first.origin(),
        first.executionTimeout(),
        first.attributes(),
        Optional.empty(),
        earlier,
        begunAs,
        first.kind(),
        first.accounting());
  }

  private static Event startedAgain() {
    Event.ContinuedAsNew next = (Event.ContinuedAsNew) continued(start());
    return new Event.StartedAgain(
        T,
        secondRun(List.of(new Start.Earlier("a1b2", "run-1")), Optional.empty()),
        next.inception(),
        next.run(),
        next.newestSignal(),
        next.answers(),
        next.carried());
  }

  private static OperationSpec childAgain() {
    OperationSpec.Child first = (OperationSpec.Child) child();
    return new OperationSpec.Child(
        first.id(),
        first.type(),
        first.version(),
        first.input(),
        first.onParentClose(),
        first.executionTimeout(),
        first.attributes(),
        StartPolicy.TERMINATE_IF_RUNNING);
  }

  private static OperationSpec activity() {
    RetryPolicy retry =
        new RetryPolicy(
            RetryPolicy.UNLIMITED,
            Duration.ofMillis(50),
            1.5,
            Duration.ofMinutes(2),
            0.25,
            Set.of("b.Fatal", "a.Fatal"));
    return new OperationSpec.Activity(
        "mail", payload("{}"), retry, Timeouts.NONE.total(Duration.ofDays(1)));
  }

  private static OperationSpec child() {
    return new OperationSpec.Child(
        new WorkflowId("kid"),
        "shop.Parcel",
        Optional.of(4),
        payload("{}"),
        ParentClosePolicy.CANCEL,
        Optional.of(Duration.ofMinutes(1)),
        attributes());
  }

  private static Event message(MessageContent content) {
    return scheduled(new OperationSpec.Message(new WorkflowId("other"), content));
  }

  static JournalEntry step(Event... events) {
    return JournalEntry.next(
        BY, List.of(events), new Head(41, 42), new Fence(77, 123_456), ChainLink.NONE, List.of());
  }

  /** What nearly every row of the journal is: one thing came out, the next is asked for. */
  static JournalEntry usual() {
    Event done =
        new Event.Completed(
            T, OperationId.of("", "step-7", 1), new Outcome.Succeeded(payload("null")), DIGITS);
    Event next =
        new Event.Scheduled(T, OperationId.of("", "step-8", 1), OperationSpec.Step.DEFAULT, FRESH);
    ChainLink previous = step(done).link();
    return JournalEntry.next(
        BY, List.of(done, next), new Head(7, 8), new Fence(77, 123_456), previous, List.of());
  }
}
