package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.collation.JobSemaphore;
import dev.tenure.workflow.lifecycle.WorkflowPhase;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A workflow between two commits: its open operations, what holds it, and what it must still be
 * able to answer. Operations that are over are not in it, so its size does not grow with its
 * history.
 *
 * <p>It belongs to one owner and to one thread at a time. Only {@link Kernel#evolve} changes it.
 */
public final class WorkflowState {
  WorkflowPhase phase = WorkflowPhase.NEW;
  Start start;
  Instant startedAt;
  Instant at;
  ActivityLedger run;
  JobSemaphore semaphore;
  final OpenOperations open = new OpenOperations();
  long operations;
  long events;

  /** Whether a graph's trigger has asked for all its children. */
  boolean published;

  /** What passed through and can be entered again. It is no obligation, and ends with the run. */
  final Map<OperationId, Operation> pivots = new LinkedHashMap<>(0);

  Optional<String> cancelRequested = Optional.empty();
  Optional<Instant> deadlinePassed = Optional.empty();

  /**
   * Since when its grace counts: the deadline, the newest release, or the end of the newest
   * operation in a saga. Empty before the deadline passed.
   */
  Optional<Instant> graceFrom = Optional.empty();

  Optional<String> paused = Optional.empty();
  Optional<String> blocked = Optional.empty();
  Optional<Incident> incident = Optional.empty();
  List<News> withheld = new ArrayList<>();

  /** Operations that were to start a child, and came to none. */
  final Set<OperationId> noChild = new LinkedHashSet<>(0);

  final Map<String, Long> consumed = new TreeMap<>();

  /** The newest position that was consumed in any run of the workflow; 0 when none was. */
  long newestSignal;

  /** Names by position: what this run consumed, gave back, and has not consumed again. */
  final Map<Long, String> returned = new TreeMap<>();

  /** Every name that a signal was ever waited for by, which bounds the map of consumed ones. */
  final Set<String> signalNames = new TreeSet<>();

  final RecordedUpdates updates = new RecordedUpdates();
  final Map<String, Attribute> attributes = new TreeMap<>();
  Optional<Outcome> outcome = Optional.empty();
  Optional<Instant> endedAt = Optional.empty();

  /** The largest payload that was recorded. */
  int largestBytes;

  private WorkflowState() {}

  /** Of an id that nothing was committed for yet. */
  public static WorkflowState none() {
    return new WorkflowState();
  }

  public boolean exists() {
    return phase != WorkflowPhase.NEW;
  }

  public WorkflowPhase phase() {
    return phase;
  }

  /** What it started with; there is none before it started. */
  public Start start() {
    if (start == null) throw new IllegalStateException("The workflow has not started.");
    return start;
  }

  public Instant startedAt() {
    return startedAt;
  }

  /** The workflow's own time: that of its newest event. */
  public Instant at() {
    return at;
  }

  /** In one word; of a workflow that exists. */
  public Status status() {
    if (outcome.isPresent()) return Status.of(outcome.get());
    if (incident.isPresent()) return Status.INCIDENT;
    if (blocked.isPresent()) return Status.BLOCKED;
    if (paused.isPresent()) return Status.PAUSED;
    if (open.inFlight() > 0 || !open.answered().isEmpty()) return Status.RUNNING;
    return open.backingOff() > 0 ? Status.RETRYING : Status.WAITING;
  }

  /** Whether it waits for the results of workers. */
  public boolean isWithWorkers() {
    return open.withWorkers() > 0;
  }

  /** When it must be in memory again, for its row. */
  public Wake wakeAt() {
    // A workflow that waits for a person or for a node with its code need not be in memory.
    boolean waitsForHelp = incident.isPresent() || blocked.isPresent();
    if (open.inFlight() > 0 && !waitsForHelp || isUnasked()) return Wake.NOW;
    return nextDue().<Wake>map(Wake.At::new).orElse(Wake.NEVER);
  }

  /** Whether a graph's program has yet to say what it asks for, and nothing keeps it from that. */
  private boolean isUnasked() {
    if (!exists() || phase.isOver() || isHeld() || !start().accounting().isOfGraph()) return false;
    return !published || !open.answered().isEmpty();
  }

  /** Whether it goes on, now or when it is released: it has not ended and has no incident. */
  public boolean runs() {
    return exists() && !phase.isOver() && incident.isEmpty();
  }

  /** When time alone moves it next: the owner then says {@link Command.Due}. */
  public Optional<Instant> nextDue() {
    if (phase.isOver() || phase == WorkflowPhase.NEW) return Optional.empty();
    Optional<Instant> deadline = deadline();
    // Timers and retries of a held workflow wait until it is released; its timeout does not.
    Optional<Instant> operation =
        phase == WorkflowPhase.HELD ? Optional.empty() : open.earliestDue();
    if (deadline.isEmpty() || operation.isEmpty())
      return deadline.isPresent() ? deadline : operation;
    return deadline.get().isBefore(operation.get()) ? deadline : operation;
  }

  /**
   * When its execution timeout asks its code to stop, and, once it did, when it ends it. That has
   * no end while something is being undone, or done that a saga would have to undo: its own policy
   * says when it is given up, or when a person has to look at it. It has none while the workflow is
   * held either: its program may not know yet that it is to stop, or that a compensation is over
   * and the next one follows. What comes after either has all of the grace.
   */
  public Optional<Instant> deadline() {
    if (deadlinePassed.isEmpty()) return start().executionTimeout().map(startedAt::plus);
    if (isHeld() || open.inSagas() > 0) return Optional.empty();
    return graceFrom.map(from -> from.plus(Limits.EXECUTION_TIMEOUT_GRACE));
  }

  /** When its execution timeout was over. */
  public Optional<Instant> deadlinePassed() {
    return deadlinePassed;
  }

  /** The limits that the workflow comes near, for its description. They do not stop it. */
  public List<Warning> warnings() {
    return Warning.of(this);
  }

  /** Of the payloads it recorded, how large the largest is. */
  public int largestPayloadBytes() {
    return largestBytes;
  }

  /** A new run takes its place. */
  void clear() {
    open.clear();
    pivots.clear();
    operations = 0;
    events = 0;
    largestBytes = 0;
    cancelRequested = Optional.empty();
    deadlinePassed = Optional.empty();
    graceFrom = Optional.empty();
    paused = Optional.empty();
    blocked = Optional.empty();
    incident = Optional.empty();
    withheld.clear();
    noChild.clear();
    consumed.clear();
    newestSignal = 0;
    returned.clear();
    signalNames.clear();
    updates.clear();
    attributes.clear();
    outcome = Optional.empty();
    endedAt = Optional.empty();
  }

  /** The open operations, in the order in which the program asked for them. */
  public Collection<Operation> openOperations() {
    return open.all();
  }

  public Optional<Operation> operation(OperationId id) {
    return open.find(id);
  }

  /**
   * Whether the operation should have started a child and did not: a workflow that has the id is
   * another one.
   */
  public boolean hasNoChild(OperationId operation) {
    return noChild.contains(operation) || operation.equals(Renewal.NO_CHILD);
  }

  /** Whether an open operation waits for a signal of that name. */
  public boolean awaitsSignal(String signal) {
    return open.longestWaiting(signal).isPresent();
  }

  /** The waits for signals that are due, at most as many as time out in one commit. */
  public List<Operation> waitsDue(Instant now) {
    return waitsDue(now, Limits.DUE_PER_COMMIT_MAX);
  }

  public List<Operation> waitsDue(Instant now, int max) {
    return phase == WorkflowPhase.LIVE ? open.waitsDueBy(now, max) : List.of();
  }

  /** Whether something keeps its program from learning news. */
  public boolean isHeld() {
    return paused.isPresent() || blocked.isPresent() || incident.isPresent();
  }

  /** Open obligations (I10): the activities that are open, and run() itself where it is one. */
  public JobSemaphore semaphore() {
    return semaphore;
  }

  /** How far run() itself has come. */
  public ActivityLedger runLedger() {
    return run;
  }

  /** How many operations it ever asked for. */
  public long operationCount() {
    return operations;
  }

  /** How many events it has; past {@link Limits#HISTORY_EVENTS_WARNING} it is long. */
  public long eventCount() {
    return events;
  }

  /** Whether the history is so long that the description warns of it. */
  public boolean isHistoryLong() {
    return events > Limits.HISTORY_EVENTS_WARNING;
  }

  public Optional<String> cancelRequested() {
    return cancelRequested;
  }

  public Optional<String> pauseReason() {
    return paused;
  }

  public Optional<String> blockReason() {
    return blocked;
  }

  public Optional<Incident> incident() {
    return incident;
  }

  /** Whether its incident is that this operation failed. */
  public boolean standsStillFor(OperationId id) {
    return incident.filter(standing -> standing.waitsFor(id)).isPresent();
  }

  /**
   * What was recorded while it was held, and the program has not learned. After the end the program
   * never learns it.
   */
  public List<News> withheld() {
    return Collections.unmodifiableList(withheld);
  }

  /** By signal name, the newest position that this run consumed (I14). */
  public Map<String, Long> consumedSignals() {
    return Collections.unmodifiableMap(consumed);
  }

  /** The newest position that was consumed in any run of the workflow; 0 when none was. */
  public long newestSignal() {
    return newestSignal;
  }

  /**
   * Whether a signal of that name and position may be in the inbox, as far as this run knows: it
   * was not consumed, or was given back.
   */
  public boolean mayWaitInInbox(String signal, long position) {
    return position > consumed.getOrDefault(signal, Long.MIN_VALUE)
        || returned.containsValue(signal);
  }

  /** Whether signals that it gave back were not consumed again. */
  public boolean hasReturnedSignals() {
    return !returned.isEmpty();
  }

  /** The names that open operations wait for signals of. */
  public Set<String> awaitedSignals() {
    return open.awaitedSignals();
  }

  /** Updates that are admitted and not answered, with when they came. */
  public Map<String, Instant> pendingUpdates() {
    return updates.pendingSince();
  }

  public boolean isPendingUpdate(String updateId) {
    return updates.isPending(updateId);
  }

  /** The newest answers, for callers who ask again. */
  public Map<String, Outcome> answeredUpdates() {
    return updates.answered();
  }

  public Map<String, Attribute> attributes() {
    return Collections.unmodifiableMap(attributes);
  }

  /** Its outcome, once that is decided. */
  public Optional<Outcome> outcome() {
    return outcome;
  }

  public Optional<Instant> endedAt() {
    return endedAt;
  }

  /** All of it, for comparing and for looking at; without payloads. */
  @Override
  public String toString() {
    if (!exists()) return "none";
    return """
    %s %s at %s, %d events, %d operations
    run %s, semaphore %s
    open %s, published %s, pivots %s
    cancel %s, deadline %s, grace from %s, paused %s, blocked %s, incident %s
    withheld %s
    no child by %s, consumed %s up to %d but %s, updates %s
    attributes %s
    outcome %s at %s\
    """
        .formatted(
            phase,
            start,
            at,
            events,
            operations,
            run,
            semaphore,
            open.all(),
            published,
            pivots.values(),
            cancelRequested,
            deadlinePassed,
            graceFrom,
            paused,
            blocked,
            incident,
            withheld,
            noChild,
            consumed,
            newestSignal,
            returned,
            updates,
            attributes,
            outcome,
            endedAt);
  }
}
