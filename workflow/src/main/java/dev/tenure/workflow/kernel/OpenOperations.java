package dev.tenure.workflow.kernel;

import dev.tenure.workflow.lifecycle.ImpossibleHistoryError;
import dev.tenure.workflow.lifecycle.OperationPhase;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The open operations, found by id, by when they are due and by the signal they wait for. */
final class OpenOperations {
  private record DueEntry(Instant at, long order, OperationId id) {}

  private static final Comparator<DueEntry> BY_TIME =
      Comparator.comparing(DueEntry::at).thenComparingLong(DueEntry::order);

  private final Map<OperationId, Operation> byId = new LinkedHashMap<>();
  private final TreeSet<DueEntry> dues = new TreeSet<>(BY_TIME);
  private final Map<String, LinkedHashSet<OperationId>> waits = new HashMap<>();
  private int inFlight;
  private int withWorkers;
  private int backingOff;
  private int inSagas;
  private long bytes;

  /** Those whose message has no step 2 yet. */
  private final Set<OperationId> answered = new LinkedHashSet<>(0);

  void add(Operation operation) {
    if (byId.putIfAbsent(operation.id(), operation) != null)
      throw new ImpossibleHistoryError(
          "Operation " + operation.id() + " is scheduled twice. Look into the history.");
    count(operation, 1);
    bytes += Sizes.openBytes(operation);
    due(operation).ifPresent(dues::add);
    enter(operation);
  }

  private void enter(Operation operation) {
    if (operation.phase() == OperationPhase.ANSWERED) answered.add(operation.id());
    else if (operation.spec() instanceof OperationSpec.SignalWait wait)
      waits.computeIfAbsent(wait.signal(), name -> new LinkedHashSet<>()).add(operation.id());
  }

  private void leave(Operation operation) {
    if (operation.phase() == OperationPhase.ANSWERED) answered.remove(operation.id());
    else if (operation.spec() instanceof OperationSpec.SignalWait wait) {
      LinkedHashSet<OperationId> waiting = waits.get(wait.signal());
      waiting.remove(operation.id());
      if (waiting.isEmpty()) waits.remove(wait.signal());
    }
  }

  void replace(Operation after) {
    // A value that is replaced keeps its place in a LinkedHashMap: the order stays that of asking.
    Operation before = byId.replace(after.id(), after);
    if (before == null) throw notOpen(after.id());
    count(before, -1);
    count(after, 1);
    due(before).ifPresent(dues::remove);
    due(after).ifPresent(dues::add);
    if (before.phase() == after.phase()) return;
    leave(before);
    enter(after);
  }

  Operation remove(OperationId id) {
    Operation before = byId.remove(id);
    if (before == null) throw notOpen(id);
    count(before, -1);
    bytes -= Sizes.openBytes(before);
    due(before).ifPresent(dues::remove);
    leave(before);
    return before;
  }

  void clear() {
    byId.clear();
    dues.clear();
    waits.clear();
    answered.clear();
    inFlight = 0;
    withWorkers = 0;
    backingOff = 0;
    inSagas = 0;
    bytes = 0;
  }

  /** Those that are answered, or wait for a signal, in the order in which they came to it. */
  List<OperationId> entered() {
    List<OperationId> all = new ArrayList<>(answered);
    // By name, so that the same operations are the same list.
    for (Set<OperationId> waiting : new TreeMap<>(waits).values()) all.addAll(waiting);
    return all;
  }

  /**
   * Takes the place of none.
   *
   * @param entered see {@link #entered()}
   */
  void restore(List<Operation> all, List<OperationId> entered) {
    for (Operation operation : all) {
      byId.put(operation.id(), operation);
      count(operation, 1);
      bytes += Sizes.openBytes(operation);
      due(operation).ifPresent(dues::add);
    }
    for (OperationId id : entered) enter(get(id));
  }

  private static ImpossibleHistoryError notOpen(OperationId id) {
    return new ImpossibleHistoryError("Operation " + id + " is not open. Look into the history.");
  }

  private static Optional<DueEntry> due(Operation operation) {
    return operation.dueAt().map(at -> new DueEntry(at, operation.order(), operation.id()));
  }

  private void count(Operation operation, int by) {
    if (operation.isWithWorkers()) withWorkers += by;
    else if (operation.phase().isInFlight()) inFlight += by;
    if (operation.phase() == OperationPhase.BACKING_OFF) backingOff += by;
    if (operation.spec() instanceof OperationSpec.Step step && step.isInSaga()) inSagas += by;
  }

  Operation get(OperationId id) {
    Operation operation = byId.get(id);
    if (operation == null) throw notOpen(id);
    return operation;
  }

  Optional<Operation> find(OperationId id) {
    return Optional.ofNullable(byId.get(id));
  }

  Collection<Operation> all() {
    return Collections.unmodifiableCollection(byId.values());
  }

  int size() {
    return byId.size();
  }

  /** The sum of {@link Sizes#openBytes} over all open operations. */
  long bytes() {
    return bytes;
  }

  /** Attempts that workers have or are to take. */
  int withWorkers() {
    return withWorkers;
  }

  int inFlight() {
    return inFlight;
  }

  int backingOff() {
    return backingOff;
  }

  /** Those whose message has no step 2 yet, in the order in which the messages came. */
  Set<OperationId> answered() {
    return Collections.unmodifiableSet(answered);
  }

  /** Steps of sagas and their compensations, as long as they are not over. */
  int inSagas() {
    return inSagas;
  }

  Optional<Instant> earliestDue() {
    return dues.isEmpty() ? Optional.empty() : Optional.of(dues.first().at());
  }

  /**
   * The operations that are due by then, without waits for signals: the earliest first, at most so
   * many.
   */
  Collection<Operation> dueBy(Instant now, int max) {
    return dueBy(now, max, false);
  }

  /** The waits for signals that are due by then, the earliest first, at most so many. */
  List<Operation> waitsDueBy(Instant now, int max) {
    return dueBy(now, max, true);
  }

  private List<Operation> dueBy(Instant now, int max, boolean waits) {
    List<Operation> due = new ArrayList<>(0);
    for (DueEntry entry : dues) {
      if (entry.at().isAfter(now) || due.size() == max) break;
      Operation operation = byId.get(entry.id());
      if (operation.spec() instanceof OperationSpec.SignalWait == waits) due.add(operation);
    }
    return due;
  }

  /** The waits for signals of that name, the longest waiting first. */
  Collection<OperationId> waiting(String signal) {
    LinkedHashSet<OperationId> waiting = waits.get(signal);
    return waiting == null ? List.of() : Collections.unmodifiableCollection(waiting);
  }

  Set<String> awaitedSignals() {
    return Collections.unmodifiableSet(waits.keySet());
  }

  Optional<OperationId> longestWaiting(String signal) {
    LinkedHashSet<OperationId> waiting = waits.get(signal);
    return waiting == null ? Optional.empty() : Optional.of(waiting.getFirst());
  }
}
