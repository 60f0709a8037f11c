package dev.tenure.workflow.audit;

import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.collation.Inception;
import dev.tenure.workflow.collation.Parent;
import dev.tenure.workflow.kernel.Digits;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Start;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Place;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Counts what is open in one workflow, and compares its integers with that (I9 to I11). */
final class Obligations {
  final Map<OperationId, Open> open = new LinkedHashMap<>();
  private final Supplier<String> what;
  private final SemaphoreAudit integers;
  private final GraphAudit graph;
  private boolean ofGraph;

  /** Whether the run itself counts: that of code, and a graph's until it has published. */
  private boolean runCounts;

  Obligations(Supplier<String> what) {
    this.what = what;
    this.integers = new SemaphoreAudit(what);
    this.graph = new GraphAudit(what);
  }

  private void require(boolean holds, String invariant, String why) {
    if (!holds) throw new Violation(invariant, what.get() + ": " + why);
  }

  void begins(Start start, Inception inception, ActivityLedger ofRun) {
    ofGraph = start.accounting().isOfGraph();
    runCounts = true;
    graph.begins();
    integers.begins(start.accounting(), inception, ofRun);
  }

  /** What one commit leaves behind adds up; between its events it need not. */
  void committed(boolean running, boolean ended) {
    long obligations = running && runCounts ? 1 : 0;
    for (Open operation : open.values()) if (!operation.isDelivery) obligations++;
    integers.adds(obligations);
    if (!ofGraph) return;
    graph.committed();
    require(
        integers.isThresholdReached() == ended,
        "I11",
        "ended is " + ended + " with a semaphore of " + integers.open());
  }

  /** Neither an activity nor a delivery. */
  boolean isNothingOpen() {
    return integers.open() == 0 && open.isEmpty();
  }

  Open find(OperationId id) {
    Open operation = open.get(id);
    require(operation != null, "I8", "the operation is not open");
    return operation;
  }

  void scheduled(Event.Scheduled event) {
    Open operation = new Open();
    operation.spec = event.spec();
    operation.scheduledAt = event.at();
    operation.ledger = event.ledger().value();
    operation.isDelivery = event.operation().isEngines();
    operation.place = event.place();
    require(
        event.ledger().leg1Complete() != event.place().kind().stepsInLeg1(),
        "I9",
        "the request is not proven");
    if (ofGraph && !operation.isDelivery) graph.asks(event.operation(), event.place());
    open.put(event.operation(), operation);
  }

  void published(Event.Published event) {
    graph.published(event.inception().children(), integers.open() - 1);
    integers.published(event.inception());
    runCounts = false;
  }

  void onRun(Digits digits) {
    integers.onRun(digits);
  }

  void revised(Event.CodeRevised event) {
    long before = integers.open();
    integers.onRun(event.digits());
    graph.countedByNone(integers.open() - before);
  }

  /** Whether the end writes off what is open: where nothing is, it has another's digits. */
  boolean writesOff(Event.Ended event) {
    return event.digits().guid().ordinal() == 0 && integers.open() > 0;
  }

  void ends(Event.Ended event) {
    if (writesOff(event)) {
      open.clear();
      integers.writtenOff(event.digits());
    } else integers.ends(event.digits(), runCounts);
  }

  /** A value of code is over where it is recorded; a graph's has its children then. */
  void recorded(Event.ValueRecorded event) {
    if (ofGraph)
      passed(event.operation(), new OperationSpec.Value(event.value()), event.place(), event);
    else integers.settle(event.digits());
  }

  void reentered(Event.Reentered event) {
    graph.reentered(event);
    passed(event.operation(), new OperationSpec.Cycle(event.pivot()), event.place(), event);
  }

  /** A message on an operation takes the next ordinal, and its three steps are one commit. */
  Open message(OperationId id, Digits digits) {
    Open operation = entered(id, digits);
    if (operation.isDelivery) integers.delivered(digits, operation.ordinal);
    else integers.steps(digits, operation.ordinal);
    return operation;
  }

  /** As {@link #message}; in a graph its children are asked for later. */
  Open answered(OperationId id, Digits digits) {
    if (!ofGraph || find(id).isDelivery) return message(id, digits);
    Open operation = entered(id, digits);
    integers.answered(digits, operation.ordinal);
    operation.isAnswered = true;
    graph.message(id, operation.place, operation.ordinal);
    graph.pivotOpened(id, operation.place);
    return operation;
  }

  private Open entered(OperationId id, Digits digits) {
    Open operation = find(id);
    require(!operation.isAnswered, "I9", "a message came before the one before was done");
    require(digits.activity().value() > operation.ledger, "I9", "the ledger does not rise");
    boolean inLeg1 = !new ActivityLedger(operation.ledger).leg1Complete();
    operation.ledger = digits.activity().value();
    if (inLeg1) return operation;
    int entry = digits.activity().leg2Entries();
    // Between two messages, cycles may have entered it.
    require(graph.isNext(id, ++operation.messages, entry), "I9", "an ordinal is skipped");
    operation.messages = entry;
    operation.ordinal = entry;
    return operation;
  }

  /** It is answered as it is asked for, and open until its children are asked for. */
  private void passed(OperationId id, OperationSpec spec, Place place, Event.OfMessage event) {
    Open operation = new Open();
    operation.spec = spec;
    operation.scheduledAt = event.at();
    operation.place = place;
    operation.isAnswered = true;
    operation.ordinal = event.digits().guid().ordinal();
    operation.ledger = event.digits().activity().value();
    integers.answered(event.digits(), operation.ordinal);
    graph.asks(id, place);
    if (!(spec instanceof OperationSpec.Cycle)) graph.message(id, place, operation.ordinal);
    open.put(id, operation);
  }

  void spawned(Event.Spawned event) {
    Open operation = find(event.operation());
    require(ofGraph && operation.isAnswered, "I9", "it asks for more without a message");
    long before = integers.open();
    integers.steps(event.digits(), operation.ordinal);
    graph.spawned(event, operation.place, integers.open() - before);
    operation.isAnswered = false;
    if (event.parent() == Parent.CLOSES) open.remove(event.operation());
    else
      require(operation.spec instanceof OperationSpec.SignalWait, "I8", "nothing else follows it");
  }
}
