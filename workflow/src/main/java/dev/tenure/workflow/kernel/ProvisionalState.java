package dev.tenure.workflow.kernel;

import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The state as it will be after all that this commit decides. The commands of one commit see each
 * other's effect here; the state itself changes only when the commit stands.
 */
final class ProvisionalState {
  final WorkflowState state;

  final KernelLimits limits;

  /** The owner's clock, which nothing may be due before (I17). */
  final Instant now;

  /** What the commit is stamped with: the workflow's own time never goes back. */
  final Instant at;

  /**
   * The operations that a command of this commit has changed: no second command may change them.
   */
  private Set<OperationId> taken = Set.of();

  private Map<String, Long> consumed = Map.of();

  /** Positions that were given back and that this commit consumes again. */
  private final Set<Long> consumedAgain = new HashSet<>(0);

  private final Map<String, String> admittedUpdates = new LinkedHashMap<>(2);

  /** How many operations end in this commit. */
  private int closed;

  private long closedBytes;

  boolean cancelRequested;
  boolean deadlinePassed;
  String pauseReason;
  boolean paused;
  boolean blocked;
  boolean incident;
  Optional<Outcome> outcome;

  ProvisionalState(WorkflowState state, Instant now, KernelLimits limits) {
    this.state = state;
    this.limits = limits;
    this.now = now;
    this.at = state.at != null && state.at.isAfter(now) ? state.at : now;
    this.cancelRequested = state.cancelRequested.isPresent();
    this.deadlinePassed = state.deadlinePassed.isPresent();
    this.paused = state.paused.isPresent();
    this.pauseReason = state.paused.orElse("");
    this.blocked = state.blocked.isPresent();
    this.incident = state.incident.isPresent();
    this.outcome = state.outcome;
  }

  /** Whether a graph is accounted, and not code; of a workflow that exists. */
  boolean isOfGraph() {
    return state.start.accounting().isOfGraph();
  }

  boolean isHeld() {
    return paused || blocked || incident;
  }

  boolean isOver() {
    return outcome.isPresent();
  }

  /** The operation, if it is open and no command of this commit has changed it. */
  Optional<Operation> find(OperationId id) {
    return taken.contains(id) ? Optional.empty() : state.open.find(id);
  }

  void close(Operation operation) {
    closed++;
    closedBytes += Sizes.openBytes(operation);
  }

  /** How many operations stay open, without those that the program asks for next. */
  int open() {
    return state.open.size() - closed;
  }

  /** Of those, see {@link Sizes#openBytes}. */
  long openBytes() {
    return state.open.bytes() - closedBytes;
  }

  void take(OperationId id) {
    if (taken.isEmpty()) taken = new HashSet<>(4);
    taken.add(id);
  }

  boolean isTaken(OperationId id) {
    return taken.contains(id);
  }

  /**
   * The wait for a signal of that name that has waited longest, and gets none in this commit yet.
   */
  Optional<Operation> waitingFor(String signal) {
    for (OperationId id : state.open.waiting(signal))
      if (!taken.contains(id)) return Optional.of(state.open.get(id));
    return Optional.empty();
  }

  private long lastConsumed(String signal) {
    Long here = consumed.get(signal);
    return here != null ? here : state.consumed.getOrDefault(signal, Long.MIN_VALUE);
  }

  /** Whether it was consumed, and not given back since. */
  boolean isConsumed(String signal, long position) {
    if (position > lastConsumed(signal)) return false;
    return !state.returned.containsKey(position) || consumedAgain.contains(position);
  }

  /**
   * Whether an older signal of its name was given back: then the reader that saw this one has
   * skipped that.
   */
  boolean isBehindReturned(String signal, long position) {
    if (state.returned.isEmpty()) return false;
    for (Map.Entry<Long, String> one : state.returned.entrySet())
      if (one.getKey() < position
          && one.getValue().equals(signal)
          && !consumedAgain.contains(one.getKey())) return true;
    return false;
  }

  /** Whether a signal of that name was given back, and not consumed again. */
  boolean mayTakeReturned(String signal) {
    return isBehindReturned(signal, Long.MAX_VALUE);
  }

  void consume(String signal, long position) {
    if (consumed.isEmpty()) consumed = new HashMap<>(2);
    consumed.put(signal, Math.max(position, lastConsumed(signal)));
    if (state.returned.containsKey(position)) consumedAgain.add(position);
  }

  boolean isPendingUpdate(String updateId) {
    return state.updates.isPending(updateId) || admittedUpdates.containsKey(updateId);
  }

  /** The fingerprint of the update of that id; null when there is none. */
  String bodyOf(String updateId) {
    String here = admittedUpdates.get(updateId);
    return here != null ? here : state.updates.body(updateId);
  }

  /** Whether another update has that id. */
  boolean isOtherUpdate(Command.Update update) {
    String before = bodyOf(update.updateId());
    return before != null && !before.equals(update.fingerprint());
  }

  /** The updates that have no answer after this commit. */
  List<String> unanswered(Set<String> answered) {
    List<String> all = new ArrayList<>();
    state.updates.pending().forEach(update -> all.add(update.updateId()));
    all.addAll(admittedUpdates.keySet());
    all.removeAll(answered);
    return all;
  }

  int pendingUpdates() {
    return state.updates.pending().size() + admittedUpdates.size();
  }

  void forgetUpdate(String updateId) {
    admittedUpdates.remove(updateId);
  }

  void admitUpdate(Command.Update update) {
    admittedUpdates.put(update.updateId(), update.fingerprint());
  }
}
