package dev.tenure.persistence.entry;

import static dev.tenure.persistence.entry.JournalEntrySamples.CHARGE;
import static dev.tenure.persistence.entry.JournalEntrySamples.DIGITS;
import static dev.tenure.persistence.entry.JournalEntrySamples.T;
import static dev.tenure.persistence.entry.JournalEntrySamples.payload;

import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.collation.ActivityKind;
import dev.tenure.workflow.collation.DimensionalAddress;
import dev.tenure.workflow.kernel.Accounting;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.kernel.News;
import dev.tenure.workflow.kernel.ProgramKind;
import dev.tenure.workflow.kernel.StateSnapshot;
import dev.tenure.workflow.lifecycle.OperationPhase;
import dev.tenure.workflow.lifecycle.WorkflowPhase;
import dev.tenure.workflow.operation.MessageContent;
import dev.tenure.workflow.operation.MessageGuid;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import dev.tenure.workflow.operation.Place;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** States with one of everything; the golden files are these, and change with the format only. */
final class SnapshotSamples {
  private SnapshotSamples() {}

  /** By the name of its golden file. */
  static Map<String, StateSnapshot> states() {
    Map<String, StateSnapshot> all = new LinkedHashMap<>();
    all.put("fresh", fresh());
    all.put("held", held(news()));
    all.put("held-fork", held(List.of(new News.SignalNotReceived(T, CHARGE, 300))));
    all.put("ended-graph", endedGraph());
    all.put("indeterminate", indeterminate());
    return all;
  }

  /** Whether an activity took effect cannot be told. */
  private static StateSnapshot indeterminate() {
    StateSnapshot fresh = fresh();
    Operation call =
        new Operation(
            CHARGE,
            ActivitySamples.keyed(),
            Place.usual(ActivitySamples.keyed().kind()),
            DIGITS.activity(),
            DIGITS.guid(),
            OperationPhase.BACKING_OFF,
            0,
            4,
            1,
            T,
            T.plusSeconds(1),
            Optional.of(ActivitySamples.UNPROVEN),
            Optional.empty(),
            Optional.empty());
    return new StateSnapshot(
        WorkflowPhase.HELD,
        fresh.start(),
        T,
        T.plusSeconds(1),
        fresh.run(),
        fresh.semaphore(),
        true,
        1,
        5,
        2,
        List.of(call),
        List.of(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(ActivitySamples.indeterminate()),
        List.of(),
        List.of(),
        new TreeMap<>(),
        0,
        new TreeMap<>(),
        new TreeSet<>(),
        List.of(),
        List.of(),
        new TreeMap<>(),
        Optional.empty(),
        Optional.empty());
  }

  /** As it is right after its start. */
  private static StateSnapshot fresh() {
    return new StateSnapshot(
        WorkflowPhase.LIVE,
        JournalEntrySamples.start(),
        T,
        T,
        DIGITS.activity(),
        DIGITS.semaphore(),
        true,
        0,
        1,
        0,
        List.of(),
        List.of(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        List.of(),
        List.of(),
        new TreeMap<>(),
        0,
        new TreeMap<>(),
        new TreeSet<>(),
        List.of(),
        List.of(),
        new TreeMap<>(),
        Optional.empty(),
        Optional.empty());
  }

  /** Everything that a run of code can have at once, and more. */
  private static StateSnapshot held(List<News> withheld) {
    List<Operation> open = operations();
    Map<String, Attribute> attributes = new TreeMap<>(JournalEntrySamples.attributes());
    attributes.remove("gone");
    return new StateSnapshot(
        WorkflowPhase.HELD,
        JournalEntrySamples.start(),
        T.minusSeconds(7),
        T,
        DIGITS.activity(),
        DIGITS.semaphore(),
        false,
        Long.MAX_VALUE,
        300,
        70_000,
        open,
        List.of(open.get(3).id(), open.get(1).id()),
        List.of(open.getFirst()),
        Optional.of("why"),
        Optional.of(T.minusNanos(1)),
        Optional.of(T.plusSeconds(100_000_000_000L)),
        Optional.of(""),
        Optional.of("no code"),
        Optional.of(new Incident.Other("odd", "thing")),
        withheld,
        List.of(CHARGE, OperationId.ofEngine("cancel", 2)),
        new TreeMap<>(Map.of("paid", 12L, "\ud83d", -1L)),
        Long.MIN_VALUE,
        new TreeMap<>(Map.of(3L, "paid", 400L, "sent")),
        new TreeSet<>(List.of("paid", "sent", "")),
        List.of(
            new Event.CarriedUpdate("u2", "raise", payload("3"), T.minusSeconds(1)),
            new Event.CarriedUpdate("u1", "raise", payload(""), T)),
        List.of(
            new Event.Answered("u9", "raise:ff", Outcome.DONE),
            new Event.Answered("u8", "", new Outcome.Failed(JournalEntrySamples.failure()))),
        new TreeMap<>(attributes),
        Optional.empty(),
        Optional.empty());
  }

  private static StateSnapshot endedGraph() {
    StateSnapshot fresh = fresh();
    return new StateSnapshot(
        WorkflowPhase.ENDED,
        fresh.start().of(new ProgramKind("graphs")).with(new Accounting.OfGraph(2)),
        T,
        T.plusNanos(1),
        fresh.run(),
        JournalEntrySamples.CLOSING.semaphore(),
        true,
        4,
        9,
        1,
        List.of(),
        List.of(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        List.of(),
        List.of(),
        new TreeMap<>(),
        0,
        new TreeMap<>(),
        new TreeSet<>(),
        List.of(),
        List.of(),
        new TreeMap<>(),
        Optional.of(new Outcome.Succeeded(payload("v"))),
        Optional.of(T.plusNanos(1)));
  }

  /** In each phase, with each kind of what is asked for. */
  private static List<Operation> operations() {
    List<OperationSpec> specs = new ArrayList<>();
    for (Event event : JournalEntrySamples.events().values())
      if (event instanceof Event.Scheduled scheduled) specs.add(scheduled.spec());
    List<Operation> all = new ArrayList<>();
    OperationPhase[] phases = OperationPhase.values();
    for (int at = 0; at < specs.size(); at++) all.add(operation(at, specs.get(at), phases));
    return all;
  }

  private static Operation operation(int at, OperationSpec spec, OperationPhase[] phases) {
    boolean plain = at % 2 == 0;
    Place placed =
        new Place(ActivityKind.WEB_HOOK, new DimensionalAddress(",0,1,0"), Optional.of(CHARGE));
    return new Operation(
        OperationId.of("", "part", at + 1),
        spec,
        plain ? Place.usual(spec.kind()) : placed,
        DIGITS.activity(),
        DIGITS.guid(),
        phases[at % phases.length],
        at,
        at + 1,
        at,
        T.minusSeconds(at),
        T.plusMillis(at),
        plain ? Optional.empty() : Optional.of(JournalEntrySamples.failure()),
        plain ? Optional.empty() : Optional.of(new MessageContent.Cancel("so")),
        plain
            ? Optional.empty()
            : Optional.of(new Operation.Sent(CHARGE, new MessageGuid("guid-3"))));
  }

  private static List<News> news() {
    return List.of(
        new News.Started(T, JournalEntrySamples.start()),
        new News.Completed(T, CHARGE, Outcome.DONE),
        new News.Completed(
            T.minusSeconds(1),
            CHARGE,
            new Outcome.Succeeded(payload("x")),
            Optional.of(new Command.Arrival("paid", 12, "s:1", payload("x")))),
        new News.ChildStarted(T, CHARGE),
        new News.CancelRequested(T, "why"),
        new News.UpdateArrived(T, "u1", "raise", payload("5")));
  }
}
