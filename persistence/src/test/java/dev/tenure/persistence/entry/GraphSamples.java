package dev.tenure.persistence.entry;

import static dev.tenure.persistence.entry.JournalEntrySamples.CHARGE;
import static dev.tenure.persistence.entry.JournalEntrySamples.DIGITS;
import static dev.tenure.persistence.entry.JournalEntrySamples.T;

import dev.tenure.workflow.collation.ActivityKind;
import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.collation.DimensionalAddress;
import dev.tenure.workflow.collation.GuidLedger;
import dev.tenure.workflow.collation.Inception;
import dev.tenure.workflow.collation.JobSemaphore;
import dev.tenure.workflow.collation.Parent;
import dev.tenure.workflow.kernel.Accounting;
import dev.tenure.workflow.kernel.Digits;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.ProgramKind;
import dev.tenure.workflow.kernel.Start;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Place;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One of everything that only the steps of graphs hold; see {@link JournalEntrySamples}. */
final class GraphSamples {
  private GraphSamples() {}

  static void add(Map<String, Event> all) {
    Start graph =
        JournalEntrySamples.start().of(new ProgramKind("graphs")).with(new Accounting.OfGraph(2));
    ActivityLedger run = new ActivityLedger(1_100_000_000_000L);
    all.put("started-graph", new Event.Started(T, graph, Inception.create(1), run));
    OperationId pivot = OperationId.of("", "again", 1);
    DimensionalAddress address = new DimensionalAddress(",0,1,0");
    Place place = new Place(ActivityKind.WEB_HOOK, address, Optional.of(CHARGE));
    OperationSpec wait = new OperationSpec.SignalWait("paid", Optional.empty());
    all.put("published", new Event.Published(T, Inception.create(3, 2).publish().orThrow()));
    all.put("scheduled-placed", new Event.Scheduled(T, CHARGE, wait, run, place));
    Digits answered =
        new Digits(
            DIGITS.activity(),
            new GuidLedger(10_000_000_001L),
            new JobSemaphore(3, 2, JobSemaphore.Edge.PENDING));
    Place passing = new Place(ActivityKind.PIVOT, Place.TOP, Optional.empty());
    all.put(
        "value-recorded-placed",
        new Event.ValueRecorded(T, CHARGE, JournalEntrySamples.payload("v"), answered, passing));
    all.put("spawned", new Event.Spawned(T, CHARGE, Parent.CLOSES, DIGITS));
    all.put("spawned-staying-open", new Event.Spawned(T, CHARGE, Parent.STAYS_OPEN, DIGITS));
    all.put(
        "reentered",
        new Event.Reentered(
            T,
            CHARGE,
            pivot,
            new ActivityLedger(1_100_000_000_001L),
            new Place(ActivityKind.CYCLE, address, Optional.of(pivot)),
            List.of(OperationId.of("", "inner", 1)),
            answered));
    all.put(
        "scheduled-cycle",
        new Event.Scheduled(
            T, CHARGE, new OperationSpec.Cycle(pivot), new ActivityLedger(1_000_000_000_000L)));
  }
}
