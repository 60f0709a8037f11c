package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.collation.JobSemaphore;
import dev.tenure.workflow.lifecycle.WorkflowPhase;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * All that a {@link WorkflowState} holds, as values that no longer change: what {@link
 * Kernel#evolve} makes of the state that {@link #state} returns is what it would have made of the
 * original. Two states with equal snapshots cannot be told apart.
 *
 * @param open the open operations, in the order in which they were asked for
 * @param entered those of them that are answered, or wait for a signal, in the order in which they
 *     came to it: the answered ones first, then by the name of the signal
 * @param pivots what a cycle can enter again
 * @param pendingUpdates in the order in which they were admitted
 * @param answeredUpdates in the order in which they were answered
 */
public record StateSnapshot(
    WorkflowPhase phase,
    Start start,
    Instant startedAt,
    Instant at,
    ActivityLedger run,
    JobSemaphore semaphore,
    boolean published,
    long operations,
    long events,
    int largestBytes,
    List<Operation> open,
    List<OperationId> entered,
    List<Operation> pivots,
    Optional<String> cancelRequested,
    Optional<Instant> deadlinePassed,
    Optional<Instant> graceFrom,
    Optional<String> paused,
    Optional<String> blocked,
    Optional<Incident> incident,
    List<News> withheld,
    List<OperationId> noChild,
    SortedMap<String, Long> consumed,
    long newestSignal,
    SortedMap<Long, String> returned,
    SortedSet<String> signalNames,
    List<Event.CarriedUpdate> pendingUpdates,
    List<Event.Answered> answeredUpdates,
    SortedMap<String, Attribute> attributes,
    Optional<Outcome> outcome,
    Optional<Instant> endedAt) {
  public StateSnapshot {
    open = List.copyOf(open);
    entered = List.copyOf(entered);
    pivots = List.copyOf(pivots);
    withheld = List.copyOf(withheld);
    noChild = List.copyOf(noChild);
    consumed = sorted(consumed);
    returned = sorted(returned);
    signalNames = sorted(signalNames);
    pendingUpdates = List.copyOf(pendingUpdates);
    answeredUpdates = List.copyOf(answeredUpdates);
    attributes = sorted(attributes);
  }

  private static <K extends Comparable<K>, V> SortedMap<K, V> sorted(Map<K, V> map) {
    return Collections.unmodifiableSortedMap(new TreeMap<>(map));
  }

  private static SortedSet<String> sorted(Set<String> set) {
    return Collections.unmodifiableSortedSet(new TreeSet<>(set));
  }

  /** Of a workflow that exists. Copies references only: payloads are shared. */
  public static StateSnapshot of(WorkflowState state) {
    return new StateSnapshot(
        state.phase,
        state.start(),
        state.startedAt,
        state.at,
        state.run,
        state.semaphore,
        state.published,
        state.operations,
        state.events,
        state.largestBytes,
        List.copyOf(state.open.all()),
        state.open.entered(),
        List.copyOf(state.pivots.values()),
        state.cancelRequested,
        state.deadlinePassed,
        state.graceFrom,
        state.paused,
        state.blocked,
        state.incident,
        state.withheld,
        List.copyOf(state.noChild),
        sorted(state.consumed),
        state.newestSignal,
        sorted(state.returned),
        sorted(state.signalNames),
        List.copyOf(state.updates.pending()),
        state.updates.answers(),
        sorted(state.attributes),
        state.outcome,
        state.endedAt);
  }

  /** A state of its own, to go on with. */
  public WorkflowState state() {
    WorkflowState state = WorkflowState.none();
    state.phase = phase;
    state.start = start;
    state.startedAt = startedAt;
    state.at = at;
    state.run = run;
    state.semaphore = semaphore;
    state.published = published;
    state.operations = operations;
    state.events = events;
    state.largestBytes = largestBytes;
    state.open.restore(open, entered);
    for (Operation pivot : pivots) state.pivots.put(pivot.id(), pivot);
    state.cancelRequested = cancelRequested;
    state.deadlinePassed = deadlinePassed;
    state.graceFrom = graceFrom;
    state.paused = paused;
    state.blocked = blocked;
    state.incident = incident;
    state.withheld.addAll(withheld);
    state.noChild.addAll(noChild);
    state.consumed.putAll(consumed);
    state.newestSignal = newestSignal;
    state.returned.putAll(returned);
    state.signalNames.addAll(signalNames);
    pendingUpdates.forEach(state.updates::admit);
    answeredUpdates.forEach(state.updates::takeOver);
    state.attributes.putAll(attributes);
    state.outcome = outcome;
    state.endedAt = endedAt;
    return state;
  }
}
