package dev.tenure.simulation;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.entry.JournalEntryCodec;
import dev.tenure.persistence.entry.Snapshot;
import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.lease.Lease;
import dev.tenure.persistence.memory.MemoryStorage;
import dev.tenure.persistence.signal.InboxRead;
import dev.tenure.persistence.signal.PendingSignal;
import dev.tenure.persistence.signal.Signal;
import dev.tenure.persistence.snapshot.StoredSnapshot;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.sharding.history.History;
import dev.tenure.sharding.history.Replayer;
import dev.tenure.sharding.loop.Loop;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.simulation.World.SignalKey;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowRegistration;
import dev.tenure.workflow.audit.HistoryAudit;
import dev.tenure.workflow.audit.Violation;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Fork;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.kernel.Kernel;
import dev.tenure.workflow.kernel.KernelLimits;
import dev.tenure.workflow.kernel.StateSnapshot;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/**
 * Checks the commits, each when it is stored and all of them at the end. It uses only what is
 * stored and what the callers were told.
 */
final class Checker implements World.Witness {
  /** The name of the node on which the checker replays histories. */
  static final String REPLAY = "replay";

  /** A workflow as its commits so far say. */
  private static final class Record {
    final HistoryAudit audit;
    final SnapshotAudit snapshots;
    final Undoing undoing = new Undoing();
    final Stopping stopping;
    final Outcomes outcomes;
    final KeyedAudit keyed;
    WorkflowState state = WorkflowState.none();
    JournalEntry last;
    long version;

    Record(String id, MemoryStorage storage, World world, KernelLimits limits) {
      stopping = new Stopping(world.inPortions());
      audit = new HistoryAudit(id, limits);
      snapshots = new SnapshotAudit(id);
      outcomes = new Outcomes(world);
      keyed = new KeyedAudit(id, storage, world.outside());
    }
  }

  private final MemoryStorage storage;
  private final Loop loop;
  private final World world;
  private final KernelLimits limits;
  private final Consumer<String> trace;
  private final Map<String, Record> records = new LinkedHashMap<>();
  private final Map<Integer, Long> epochs = new HashMap<>();

  /** By epoch, the node that committed under it. */
  private final Map<Long, String> committers = new HashMap<>();

  private final Inboxes inboxes = new Inboxes();
  private final Families families = new Families();
  private final Rounds rounds = new Rounds();
  private final TwinComparison toCompare = new TwinComparison();

  /**
   * The text of each signal: a different one for each, so that the code's copy identifies the
   * signal.
   */
  private final Map<SignalKey, String> texts = new HashMap<>();

  private final Set<String> events = new TreeSet<>();
  private final List<Runnable> promises = new ArrayList<>();
  private boolean calm;

  /** Since when what is due is found at once. */
  private Instant promptSince = Instant.MAX;

  private CommitObserver observer = CommitObserver.NONE;

  /**
   * @param limits of the kernels that decide what is checked
   */
  Checker(
      MemoryStorage storage, Loop loop, World world, KernelLimits limits, Consumer<String> trace) {
    this.world = world;
    this.limits = limits;
    this.trace = trace;
    this.storage = storage;
    this.loop = loop;
    world.outside().claimedBy(this::isClaimed);
  }

  /**
   * @param isPrompt whether nodes look for due rows each second
   */
  void calms(boolean isPrompt) {
    calm = true;
    if (isPrompt) promptSince = loop.instant();
  }

  void observedBy(CommitObserver one) {
    observer = one;
  }

  // --- while it runs

  void granted(int shard, long epoch) {
    Long before = epochs.put(shard, epoch);
    Violation.require(before == null || epoch > before, "I15", "epoch " + epoch + " again");
  }

  /** The workflow of the commit. */
  static String workflow(Commit commit) {
    return KeyText.ofColumn(commit.id().persistenceId());
  }

  /**
   * @param node the node that commits
   */
  void stored(Commit commit, String node) {
    String id = workflow(commit);
    JournalEntry entry = JournalEntryCodec.decode(JournalRow.of(commit), storage.payloads());
    trace.accept("STORED " + id + " " + entry);
    long current = storage.leases().find(entry.fence().shard()).map(Lease::epoch).orElse(0L);
    Record record = records.computeIfAbsent(id, one -> new Record(one, storage, world, limits));
    for (SideRow row : commit.sideRows())
      if (row instanceof SideRow.SignalTaken taken) accepted(taken.signal(), taken.position());
    Violation.require(
        entry.head().version() == record.version + 1,
        "I2",
        id + ": version " + entry.head().version() + " follows " + record.version);
    Violation.require(
        entry.fence().epoch() == current, "I16", id + ": " + entry + " at epoch " + current);
    String owner = committers.computeIfAbsent(entry.fence().epoch(), epoch -> node);
    Violation.require(owner.equals(node), "I16", owner + " and " + node + " commit: " + entry);
    record.version++;
    Lateness.require(id, record.state, promptSince, loop.instant());
    rounds.moves(id);
    boolean wasHeld = record.state.isHeld();
    entry.requireOf(WorkflowId.of(id));
    if (record.last != null) entry.requireAfter(record.last);
    record.last = entry;
    for (Event event : entry.events()) {
      Violation.require(
          !event.at().isAfter(loop.instant()), "I17", id + ": stamped in the future: " + event);
      record.undoing.read(event);
      record.state = Kernel.standard().evolve(record.state, event);
      toCompare.read(id, event, record.state);
      events.add(event.getClass().getSimpleName());
      if (Fork.followsRun(event)) world.followsRun(id, Fork.start(event).runId());
      if (event instanceof Event.IncidentRaised) world.stands(id);
      if (event instanceof Event.IncidentRaised(var at, Incident.Drift drift))
        throw new Violation("I3", id + " does not fit its own history: " + drift);
      if (event instanceof Event.Ended(var at, Outcome.Failed(var failure), var digits))
        requireWanted(id, record.state, failure);
    }
    record.audit.commit(entry.events());
    record.snapshots.commit(entry, record.state, storage.payloads());
    record.stopping.commit(id, entry.events());
    families.commit(id, entry.events());
    inboxes.commit(id, entry.events(), record.state.isHeld());
    record.outcomes.read(id, entry.events());
    record.keyed.read(entry.events(), node, calm);
    RowAudit.require(
        storage,
        WorkflowId.of(id),
        record.state,
        inboxes.hasAwaited(id, record.state),
        loop.instant());
    observer.committed(id, entry.events(), record.state);
    // The code of a held workflow is told of the commit when the workflow goes on.
    if (!wasHeld || !record.state.isHeld()) world.stands(node, id, isOfTheCode(entry.events()));
  }

  /** False for a commit that was made without the code. */
  private static boolean isOfTheCode(List<Event> events) {
    return events.stream()
            .noneMatch(event -> event instanceof Event.IncidentRaised || isCutShort(event))
        && !(events.size() == 1 && events.getFirst() instanceof Event.Started);
  }

  private static boolean isCutShort(Event event) {
    return event instanceof Event.Ended(var at, Outcome outcome, var digits)
        && (outcome instanceof Outcome.Terminated || outcome instanceof Outcome.TimedOut);
  }

  /** A stored snapshot says what the history says (I3). */
  void kept(StoredSnapshot stored) {
    if (!(Snapshot.decode(stored, storage.payloads())
        instanceof Snapshot.Reading.Read(Snapshot snapshot))) return;
    trace.accept("SNAPSHOT of " + stored.id() + " at version " + stored.version());
    List<JournalEntry> entries = entries(stored.id().value());
    if (entries.size() < stored.version()) return;
    List<JournalEntry> behind = entries.subList(0, (int) stored.version());
    if (!snapshot.isOf(behind.getLast())) return;
    WorkflowState folded = fold(behind.stream().flatMap(entry -> entry.events().stream()).toList());
    Violation.require(
        snapshot.state().equals(StateSnapshot.of(folded)),
        "I3",
        "the snapshot of %s at version %d says %s, its history %s"
            .formatted(stored.id(), stored.version(), snapshot.state().state(), folded));
  }

  /** A commit of that node does not stand, or its outcome is unknown. */
  void unheard(Commit commit, String node) {
    world.stands(node, workflow(commit), false);
  }

  /** I6: a workflow fails when its program says so, and never for a reason of the engine's. */
  private static void requireWanted(String id, WorkflowState state, Failure failure) {
    Program program =
        (Program) PayloadCodec.standard().read(state.start().input(), Program.class, "the program");
    Violation.require(
        program.fails() && failure.code().equals(Optional.of(SimulatedWorkflow.PLANNED)),
        "I6",
        id + " failed, and its program does not: " + failure + "\n" + failure.stackText());
  }

  void accepted(Signal signal, long position) {
    SignalKey key = new SignalKey(signal.workflowId().value(), signal.name(), signal.id());
    inboxes.accepted(key, position, loop.instant());
    Object text = PayloadCodec.standard().read(signal.payload(), String.class, "a signal");
    texts.put(key, (String) text);
  }

  /** A node takes the workflow up, for the first time or again. */
  void takenUp(String node, WorkflowId id) {
    rounds.takenUp(id);
    Record record = records.get(id.value());
    // One that is held when it is taken up is not looked up when it goes on.
    if (record != null && record.state.runs()) record.keyed.takenUp(node);
  }

  private boolean isClaimed(Outside.Call call) {
    Record record = records.get(call.workflow());
    return record != null && record.keyed.isClaimed(call);
  }

  /** Whether the record of the call says how it came out. */
  boolean isRecorded(Outside.Call call) {
    return records.get(call.workflow()).keyed.isRecorded(call);
  }

  /** What a life without any trouble is compared with. */
  TwinComparison toCompare() {
    return toCompare;
  }

  Rounds rounds() {
    return rounds;
  }

  Inboxes inboxes() {
    return inboxes;
  }

  /** The kinds of events that were stored. */
  Set<String> eventsSeen() {
    return events;
  }

  @Override
  public void runs(String workflow, OperationId operation, int attempt) {
    Record record = records.get(workflow);
    Violation.require(record != null, "I7", workflow + " runs and does not exist");
    record.audit.runs(operation, attempt);
  }

  /** A caller was told that the event is stored (I1). */
  void promised(String what, String workflow, Predicate<Event> event) {
    promises.add(
        () ->
            Violation.require(
                records.containsKey(workflow) && events(workflow).stream().anyMatch(event),
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
      List<JournalEntry> entries = entries(id);
      Violation.require(
          entries.size() == each.getValue().version,
          "I2",
          id + " has " + entries.size() + " commits");
      Violation.require(each.getValue().audit.isClosed(), "I8", id + " is not closed");
      row(id, entries);
      each.getValue().keyed.atTheEnd();
      List<Event> events = entries.stream().flatMap(entry -> entry.events().stream()).toList();
      Pasts.require(id, events, this::entries);
      replays(new History(entries), code.apply(fold(events).start().type().version()));
      world.stands(REPLAY, id, true);
    }
    for (SignalKey key : inboxes.accepted()) settled(key);
  }

  private List<JournalEntry> entries(String id) {
    JournalRead all = new JournalRead(KeyText.column(id), 1, Long.MAX_VALUE, Integer.MAX_VALUE);
    List<JournalRow> rows = storage.read(List.of(all)).getFirst();
    return rows.stream().map(row -> JournalEntryCodec.decode(row, storage.payloads())).toList();
  }

  List<Event> events(String id) {
    return entries(id).stream().flatMap(entry -> entry.events().stream()).toList();
  }

  static WorkflowState fold(List<Event> events) {
    WorkflowState state = WorkflowState.none();
    for (Event event : events) state = Kernel.standard().evolve(state, event);
    return state;
  }

  private void row(String id, List<JournalEntry> entries) {
    WorkflowState state = fold(entries.stream().flatMap(entry -> entry.events().stream()).toList());
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
        left != inboxes.isConsumed(key), "I13", key + " is neither or both: consumed, left over");
    Violation.require(
        left || inboxes.isCutShort(key) || world.hasGot(key.workflow(), key.name(), texts.get(key)),
        "I13",
        key + " is consumed, and the code never got it");
  }

  /** Whether the signal is on any page of the inbox. */
  private static boolean contains(
      Function<List<InboxRead>, List<List<PendingSignal>>> pages, SignalKey key) {
    long after = 0;
    while (true) {
      InboxRead read = new InboxRead(WorkflowId.of(key.workflow()), after, InboxRead.MAX_SIGNALS);
      List<PendingSignal> page = pages.apply(List.of(read)).getFirst();
      for (PendingSignal one : page)
        if (one.name().equals(key.name()) && one.id().equals(key.id())) return true;
      if (page.size() < InboxRead.MAX_SIGNALS) return false;
      after = page.getLast().position();
    }
  }
}
