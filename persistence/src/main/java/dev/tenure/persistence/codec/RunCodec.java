package dev.tenure.persistence.codec;

import dev.tenure.workflow.Trace;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.collation.Inception;
import dev.tenure.workflow.kernel.Accounting;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Fork;
import dev.tenure.workflow.kernel.Origin;
import dev.tenure.workflow.kernel.ProgramKind;
import dev.tenure.workflow.kernel.Start;
import dev.tenure.workflow.operation.MessageGuid;
import dev.tenure.workflow.operation.Operation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What a run begins with, whether it is the first of its workflow or follows another. */
public final class RunCodec {
  private RunCodec() {}

  static void continued(BinaryWriter out, Event.ContinuedAsNew event) {
    start(out, event.start());
    DigitsCodec.inception(out, event.inception());
    DigitsCodec.ledger(out, event.run());
    out.number(event.newestSignal());
    out.all(event.answers(), RunCodec::answered);
    out.all(event.carried(), RunCodec::carried);
    out.all(event.updates(), RunCodec::update);
  }

  static void update(BinaryWriter out, Event.CarriedUpdate one) {
    int record = out.begin();
    out.text(one.updateId());
    out.text(one.name());
    OutcomeCodec.payload(out, one.payload());
    out.instant(one.admittedAt());
    out.end(record);
  }

  static Event.CarriedUpdate update(BinaryReader in) {
    int outer = in.begin();
    var one = new Event.CarriedUpdate(in.text(), in.text(), OutcomeCodec.payload(in), in.instant());
    in.end(outer);
    return one;
  }

  static void startedAgain(BinaryWriter out, Event.StartedAgain event) {
    start(out, event.start());
    DigitsCodec.inception(out, event.inception());
    DigitsCodec.ledger(out, event.run());
    out.number(event.newestSignal());
    out.all(event.answers(), RunCodec::answered);
    out.all(event.carried(), RunCodec::carried);
  }

  static Event startedAgain(BinaryReader in, Instant at) {
    return new Event.StartedAgain(
        at,
        start(in),
        DigitsCodec.inception(in),
        DigitsCodec.ledger(in),
        in.number(),
        in.all(RunCodec::answered),
        in.all(RunCodec::carried));
  }

  static void answered(BinaryWriter out, Event.Answered one) {
    int record = out.begin();
    out.text(one.updateId());
    out.text(one.fingerprint());
    OutcomeCodec.outcome(out, one.outcome());
    out.end(record);
  }

  static Event.Answered answered(BinaryReader in) {
    int outer = in.begin();
    var one = new Event.Answered(in.text(), in.text(), OutcomeCodec.outcome(in));
    in.end(outer);
    return one;
  }

  static Event continued(BinaryReader in, Instant at) {
    Start start = start(in);
    Inception inception = DigitsCodec.inception(in);
    ActivityLedger run = DigitsCodec.ledger(in);
    long newestSignal = in.number();
    List<Event.Answered> answers = in.all(RunCodec::answered);
    return new Event.ContinuedAsNew(
        at,
        start,
        inception,
        run,
        newestSignal,
        answers,
        in.all(RunCodec::carried),
        in.all(RunCodec::update));
  }

  private static void carried(BinaryWriter out, Event.Carried one) {
    int record = out.begin();
    OutcomeCodec.operation(out, one.operation());
    OutcomeCodec.operation(out, one.sent().as());
    out.text(one.sent().guid().value());
    SpecCodec.spec(out, one.spec());
    DigitsCodec.ledger(out, one.ledger());
    out.flag(one.letGo());
    out.optional(one.then(), SpecCodec::content);
    out.end(record);
  }

  private static Event.Carried carried(BinaryReader in) {
    int outer = in.begin();
    Event.Carried one =
        new Event.Carried(
            OutcomeCodec.operation(in),
            new Operation.Sent(OutcomeCodec.operation(in), new MessageGuid(in.text())),
            SpecCodec.spec(in),
            DigitsCodec.ledger(in),
            in.flag(),
            in.optional(SpecCodec::content));
    in.end(outer);
    return one;
  }

  public static void start(BinaryWriter out, Start start) {
    int record = out.begin();
    out.text(start.id().value());
    out.text(start.runId());
    out.text(start.type().name());
    out.number(start.type().version());
    OutcomeCodec.payload(out, start.input());
    out.signed(start.seed());
    out.optional(start.request(), BinaryWriter::text);
    out.optional(start.origin(), RunCodec::origin);
    out.optional(start.executionTimeout(), BinaryWriter::duration);
    OutcomeCodec.attributes(out, start.attributes());
    // Added later, and only written where there is one: see the golden files.
    boolean usual = start.kind().isCode() && !start.accounting().isOfGraph();
    boolean continued = start.begunAs().isPresent() || !usual;
    boolean follows = continued || !start.earlier().isEmpty();
    if (start.trace().isPresent() || follows)
      out.text(start.trace().map(Trace::traceparent).orElse(""));
    if (follows) out.all(start.earlier(), RunCodec::earlier);
    if (continued) out.text(start.begunAs().orElse(""));
    if (!usual) program(out, start);
    out.end(record);
  }

  /** Which program runs, and how it is accounted: of code nothing is written. */
  private static void program(BinaryWriter out, Start start) {
    out.text(start.kind().name());
    out.flag(start.accounting().isOfGraph());
    if (start.accounting().isOfGraph()) out.number(start.accounting().threshold());
  }

  public static Start start(BinaryReader in) {
    int outer = in.begin();
    Start start =
        new Start(
            new WorkflowId(in.text()),
            in.text(),
            new WorkflowType(in.text(), in.smallNumber()),
            OutcomeCodec.payload(in),
            in.signed(),
            in.optional(BinaryReader::text),
            in.optional(RunCodec::origin),
            in.optional(BinaryReader::duration),
            OutcomeCodec.attributes(in),
            in.hasMore() ? Trace.of(in.text()) : Optional.empty(),
            in.hasMore() ? in.all(RunCodec::earlier) : List.of(),
            in.hasMore() ? Optional.of(in.text()).filter(run -> !run.isEmpty()) : Optional.empty(),
            in.hasMore() ? new ProgramKind(in.text()) : ProgramKind.CODE,
            in.hasMore() && in.flag() ? new Accounting.OfGraph(in.number()) : Accounting.CODE);
    in.end(outer);
    return start;
  }

  private static void earlier(BinaryWriter out, Start.Earlier one) {
    int record = out.begin();
    out.text(one.key());
    out.text(one.runId());
    out.end(record);
  }

  private static Start.Earlier earlier(BinaryReader in) {
    int outer = in.begin();
    Start.Earlier one = new Start.Earlier(in.text(), in.text());
    in.end(outer);
    return one;
  }

  private static void origin(BinaryWriter out, Origin origin) {
    int record = out.begin();
    out.text(origin.parent().value());
    OutcomeCodec.operation(out, origin.operation());
    out.text(origin.guid().value());
    out.end(record);
  }

  private static Origin origin(BinaryReader in) {
    int outer = in.begin();
    Origin origin =
        new Origin(
            new WorkflowId(in.text()), OutcomeCodec.operation(in), new MessageGuid(in.text()));
    in.end(outer);
    return origin;
  }

  static void source(BinaryWriter out, Fork.Source source) {
    out.text(source.id().value());
    out.text(source.runId());
    out.number(source.version());
    OutcomeCodec.operation(out, source.operation());
  }

  static Fork.Source source(BinaryReader in) {
    return new Fork.Source(
        new WorkflowId(in.text()), in.text(), in.number(), OutcomeCodec.operation(in));
  }
}
