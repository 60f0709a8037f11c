package dev.tenure.simulation;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.lease.Lease;
import dev.tenure.persistence.signal.InboxRead;
import dev.tenure.persistence.signal.PendingSignal;
import dev.tenure.persistence.signal.Signal;
import dev.tenure.persistence.step.Step;
import dev.tenure.persistence.step.StepCodec;
import dev.tenure.persistence.storage.MemoryStorage;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.sharding.code.PayloadCodec;
import dev.tenure.sharding.history.History;
import dev.tenure.sharding.history.Replayer;
import dev.tenure.sharding.loop.Loop;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowRegistration;
import dev.tenure.workflow.audit.HistoryAudit;
import dev.tenure.workflow.audit.Violation;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.kernel.Kernel;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * Reads what is stored, at the moment when it is stored and once more at the end, and knows nothing
 * of how it came about.
 */
final class Checker implements World.Witness {
  private static final String PREFIX = "workflow|";

  /** A workflow as it is on record so far. */
  private static final class Record {
    final HistoryAudit audit;
    final Undoing undoing = new Undoing();
    final Outcomes outcomes;
    Step last;
    long version;

    Record(String id, World world) {
      audit = new HistoryAudit(id);
      outcomes = new Outcomes(world);
    }
  }

  private record SignalKey(String workflow, String name, String id) {}

  private final MemoryStorage storage;
  private final Loop loop;
  private final World world;
  private final Consumer<String> trace;
  private final Map<String, Record> records = new LinkedHashMap<>();
  private final Map<Integer, Long> epochs = new HashMap<>();
  private final Map<SignalKey, Long> accepted = new LinkedHashMap<>();
  private final Set<SignalKey> consumed = new HashSet<>();
  private final List<Runnable> promises = new ArrayList<>();

  Checker(MemoryStorage storage, Loop loop, World world, Consumer<String> trace) {
    this.world = world;
    this.trace = trace;
    this.storage = storage;
    this.loop = loop;
  }

  // --- while it runs

  void granted(int shard, long epoch) {
    Long before = epochs.put(shard, epoch);
    Violation.require(before == null || epoch > before, "I15", "epoch " + epoch + " again");
  }

  /** Whose commit it is. */
  static String workflow(Commit commit) {
    return KeyText.ofColumn(commit.id().persistenceId().substring(PREFIX.length()));
  }

  void stored(Commit commit) {
    String id = workflow(commit);
    Step step = StepCodec.decode(commit.payload(), storage.payloads());
    trace.accept("STORED " + id + " " + step);
    long current = storage.leases().find(step.fence().shard()).map(Lease::epoch).orElse(0L);
    Record record = records.computeIfAbsent(id, one -> new Record(one, world));
    Violation.require(
        step.head().version() == record.version + 1,
        "I2",
        id + ": version " + step.head().version() + " follows " + record.version);
    Violation.require(
        step.fence().epoch() == current, "I16", id + ": " + step + " at epoch " + current);
    record.version++;
    if (record.last != null) step.requireAfter(record.last);
    record.last = step;
    for (Event event : step.events()) {
      Violation.require(
          !event.at().isAfter(loop.instant()), "I17", id + ": stamped in the future: " + event);
      record.undoing.read(event);
      if (event instanceof Event.SignalConsumed one) consumed(id, one);
      if (event instanceof Event.IncidentRaised) world.stands(id);
      if (event instanceof Event.IncidentRaised(var at, Incident.Drift drift))
        throw new Violation("I3", id + " does not fit its own history: " + drift);
      if (event instanceof Event.Ended(var at, Outcome.Failed(var failure), var digits))
        Violation.require(
            !failure.type().contains(".persistence."),
            "I6",
            id + " failed because the store did not answer: " + failure);
    }
    record.audit.commit(step.events());
    if (step.events().stream().noneMatch(Event.Forked.class::isInstance))
      record.outcomes.read(id, step.events());
  }

  private void consumed(String id, Event.SignalConsumed event) {
    SignalKey key = new SignalKey(id, event.arrival().signal(), event.arrival().signalId());
    Violation.require(
        Long.valueOf(event.arrival().position()).equals(accepted.get(key)),
        "I13",
        key + " was not accepted at " + event.arrival().position());
    Violation.require(consumed.add(key), "I13", key + " is consumed twice");
    accepted.forEach(
        (other, position) ->
            Violation.require(
                position >= event.arrival().position()
                    || !other.workflow.equals(id)
                    || !other.name.equals(key.name)
                    || consumed.contains(other),
                "I14",
                key + " is consumed before " + other));
  }

  void accepted(Signal signal, long position) {
    SignalKey key = new SignalKey(signal.workflowId().value(), signal.name(), signal.id());
    Violation.require(accepted.put(key, position) == null, "I13", key + " is accepted twice");
  }

  @Override
  public void runs(String workflow, OperationId operation, int attempt) {
    Record record = records.get(workflow);
    Violation.require(record != null, "I7", workflow + " runs and does not exist");
    record.audit.runs(operation, attempt);
  }

  /** Somebody was told that it stands (I1). */
  void promised(String what, String workflow, Class<? extends Event> event) {
    promises.add(
        () ->
            Violation.require(
                records.containsKey(workflow)
                    && events(workflow).stream().anyMatch(event::isInstance),
                "I1",
                what + " of " + workflow + " was acknowledged and is not on record"));
  }

  // --- at the end

  /**
   * @param code of each version
   */
  void finalCheck(IntFunction<WorkflowRegistration<?>> code) {
    promises.forEach(Runnable::run);
    for (Map.Entry<String, Record> each : records.entrySet()) {
      String id = each.getKey();
      List<Step> steps = steps(id);
      Violation.require(
          steps.size() == each.getValue().version, "I2", id + " has " + steps.size() + " commits");
      Violation.require(each.getValue().audit.isClosed(), "I8", id + " is not closed");
      row(id, steps);
      List<Event> events = steps.stream().flatMap(step -> step.events().stream()).toList();
      Pasts.require(id, events, this::steps);
      replays(new History(steps), code.apply(fold(events).start().type().version()));
    }
    for (SignalKey key : accepted.keySet()) settled(key);
  }

  private List<Step> steps(String id) {
    JournalRead all =
        new JournalRead(PREFIX + KeyText.column(id), 1, Long.MAX_VALUE, Integer.MAX_VALUE);
    List<JournalRow> rows = storage.read(List.of(all)).getFirst();
    return rows.stream().map(row -> StepCodec.decode(row.payload(), storage.payloads())).toList();
  }

  List<Event> events(String id) {
    return steps(id).stream().flatMap(step -> step.events().stream()).toList();
  }

  static WorkflowState fold(List<Event> events) {
    WorkflowState state = WorkflowState.none();
    for (Event event : events) state = Kernel.standard().evolve(state, event);
    return state;
  }

  private void row(String id, List<Step> steps) {
    WorkflowState state = fold(steps.stream().flatMap(step -> step.events().stream()).toList());
    WorkflowRow row = storage.workflows().find(WorkflowId.of(id)).orElseThrow();
    Violation.require(
        row.status() == state.status() && row.closedAt().isPresent(),
        "I3",
        "the row of %s says %s, its history %s".formatted(id, row.status(), state.status()));
  }

  private static void replays(History history, WorkflowRegistration<?> code) {
    switch (Replayer.replay(history, code, PayloadCodec.standard())) {
      case Replayer.Verdict.Fits fits -> {}
      case Replayer.Verdict.Drifted(String why) -> throw new Violation("I3", why);
      case Replayer.Verdict.Failed(String why) -> throw new Violation("I3", why);
    }
  }

  /** Consumed, or left over and known as such. */
  private void settled(SignalKey key) {
    boolean waits = contains(storage.signals()::pending, key);
    boolean left = contains(storage.signals()::unconsumed, key);
    Violation.require(!waits, "I13", key + " waits for a workflow that is over");
    Violation.require(
        left != consumed.contains(key), "I13", key + " is neither or both: consumed, left over");
  }

  /** Looks through all pages of an inbox. */
  private static boolean contains(
      Function<List<InboxRead>, List<List<PendingSignal>>> pages, SignalKey key) {
    long after = 0;
    while (true) {
      InboxRead read = new InboxRead(WorkflowId.of(key.workflow), after, InboxRead.MAX_SIGNALS);
      List<PendingSignal> page = pages.apply(List.of(read)).getFirst();
      for (PendingSignal one : page)
        if (one.name().equals(key.name) && one.id().equals(key.id)) return true;
      if (page.size() < InboxRead.MAX_SIGNALS) return false;
      after = page.getLast().position();
    }
  }
}
