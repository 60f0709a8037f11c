package dev.tenure.simulation;

import dev.tenure.simulation.World.SignalKey;
import dev.tenure.workflow.audit.Violation;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * I13 and I14: each signal is accepted once, consumed once and in its order, and no workflow waits
 * for a signal that is in its inbox. A quiet moment is one in which the whole cluster has nothing
 * to do although each node has made its checks: a signal that stays in the inbox over such moments
 * is lost.
 */
final class Inboxes {
  /** A wait that misses its signal for this many quiet moments breaks the invariant. */
  private static final long MOMENTS = 3;

  /**
   * @param at when it was accepted
   * @param moment since when it stands in the inbox
   */
  private record Accepted(long position, Instant at, long moment) {}

  /**
   * @param until when it is to time out
   */
  private record Wait(String signal, Instant until, long moment) {}

  private final Map<SignalKey, Accepted> accepted = new LinkedHashMap<>();
  private final Set<SignalKey> consumed = new HashSet<>();
  private final Set<SignalKey> left = new HashSet<>();
  private final Set<SignalKey> cutShort = new HashSet<>();
  private final Map<String, Map<OperationId, Wait>> waits = new HashMap<>();
  private final Map<String, Long> heldUntil = new HashMap<>();
  private long moment;

  /** Nothing is left to do, and every node has looked. */
  void quiet() {
    moment++;
  }

  void accepted(SignalKey key, long position, Instant at) {
    Violation.require(
        accepted.put(key, new Accepted(position, at, moment)) == null,
        "I13",
        key + " is accepted twice");
  }

  Set<SignalKey> accepted() {
    return accepted.keySet();
  }

  boolean isAcceptedBefore(SignalKey key, Instant moment) {
    Accepted one = accepted.get(key);
    return one != null && one.at.isBefore(moment);
  }

  Instant acceptedAt(SignalKey key) {
    return accepted.get(key).at;
  }

  /** Whether a signal stands in the inbox that one of the workflow's waits is for. */
  boolean hasAwaited(String workflow, WorkflowState state) {
    return !state.isHeld()
        && state.awaitedSignals().stream().anyMatch(name -> pending(workflow, name).count() > 0);
  }

  /** The position of the newest one that was accepted for it. */
  long newest(String workflow) {
    return accepted.entrySet().stream()
        .filter(each -> each.getKey().workflow().equals(workflow))
        .mapToLong(each -> each.getValue().position)
        .max()
        .orElse(0);
  }

  /** Some of that name that were accepted, consumed or not. */
  List<SignalKey> accepted(String workflow, String signal) {
    return accepted.keySet().stream()
        .filter(key -> key.workflow().equals(workflow) && key.name().equals(signal))
        .toList();
  }

  boolean isConsumed(SignalKey key) {
    return consumed.contains(key);
  }

  /**
   * @param held whether the workflow is held behind these events
   */
  void commit(String workflow, List<Event> events, boolean held) {
    Map<OperationId, Wait> mine = waits.computeIfAbsent(workflow, one -> new HashMap<>());
    for (Event event : events)
      switch (event) {
        case Event.Scheduled e when e.spec() instanceof OperationSpec.SignalWait wait ->
            mine.put(e.operation(), new Wait(wait.signal(), until(e.at(), wait), moment));
        case Event.SignalConsumed e -> {
          mine.remove(e.operation());
          consumed(workflow, e);
        }
        case Event.SignalReturned e -> returned(workflow, e);
        case Event.Completed e -> {
          Wait wait = mine.remove(e.operation());
          if (wait != null && e.outcome() instanceof Outcome.TimedOut)
            timedOut(workflow, e.operation(), wait);
        }
        case Event.Abandoned e -> mine.remove(e.operation());
        case Event.ContinuedAsNew e -> mine.clear();
        case Event.Ended e -> {
          mine.clear();
          ended(workflow, e.outcome());
        }
        case Event.BeginsRun _,
            Event.OfRun _,
            Event.OfEngine _,
            Event.Scheduled _,
            Event.Spawned _,
            Event.Reentered _,
            Event.ChildStarted _,
            Event.ValueRecorded _,
            Event.LetGo _,
            Event.GivenUp _,
            Event.SourceChildStarted _,
            Event.SourceSignalNotReceived _ -> {}
      }
    if (held || heldUntil.getOrDefault(workflow, 0L) == Long.MAX_VALUE)
      heldUntil.put(workflow, held ? Long.MAX_VALUE : moment);
  }

  private static Instant until(Instant from, OperationSpec.SignalWait wait) {
    return wait.timeout().map(from::plus).orElse(Instant.MAX);
  }

  /** A signal that came in time wins, even if the workflow was not in memory. */
  private void timedOut(String workflow, OperationId operation, Wait wait) {
    for (SignalKey key : pending(workflow, wait.signal).toList())
      Violation.require(
          !accepted.get(key).at.isBefore(wait.until),
          "I13",
          "%s timed out at %s beside %s, there since %s"
              .formatted(operation, wait.until, key, accepted.get(key).at));
  }

  private void consumed(String workflow, Event.SignalConsumed event) {
    SignalKey key = new SignalKey(workflow, event.arrival().signal(), event.arrival().signalId());
    Accepted at = accepted.get(key);
    Violation.require(
        at != null && at.position == event.arrival().position(),
        "I13",
        key + " was not accepted at " + event.arrival().position());
    Violation.require(consumed.add(key), "I13", key + " is consumed twice");
    accepted.forEach(
        (other, its) ->
            Violation.require(
                its.position >= at.position
                    || !other.workflow().equals(workflow)
                    || !other.name().equals(key.name())
                    || consumed.contains(other)
                    || left.contains(other),
                "I14",
                key + " is consumed before " + other));
  }

  /**
   * Signals that are left are for no later run, and a run that was cut short need not have received
   * its signals.
   */
  private void ended(String workflow, Outcome outcome) {
    boolean isCut = outcome instanceof Outcome.Terminated || outcome instanceof Outcome.TimedOut;
    for (SignalKey key : accepted.keySet()) {
      if (!key.workflow().equals(workflow)) continue;
      if (!consumed.contains(key)) left.add(key);
      else if (isCut) cutShort.add(key);
    }
  }

  /** Whether it was consumed in a run that was ended from outside. */
  boolean isCutShort(SignalKey key) {
    return cutShort.contains(key);
  }

  /** From now on it is there again, at its place. */
  private void returned(String workflow, Event.SignalReturned event) {
    SignalKey key =
        consumed.stream()
            .filter(one -> one.workflow().equals(workflow) && one.name().equals(event.signal()))
            .filter(one -> accepted.get(one).position == event.position())
            .findFirst()
            .orElseThrow(
                () ->
                    new Violation(
                        "I13", workflow + " gives back what it did not consume: " + event));
    consumed.remove(key);
    accepted.put(key, new Accepted(accepted.get(key).position, accepted.get(key).at, moment));
  }

  /** The signals of that name that stand in the inbox. */
  Stream<SignalKey> pending(String workflow, String signal) {
    return accepted.keySet().stream()
        .filter(key -> key.workflow().equals(workflow) && key.name().equals(signal))
        .filter(key -> !consumed.contains(key) && !left.contains(key));
  }

  /** One of {@link #pending}, for any of its waits, when it had every opportunity to see it. */
  Optional<SignalKey> missed(String workflow) {
    return waits.getOrDefault(workflow, Map.of()).values().stream()
        .map(wait -> missed(workflow, wait))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private Optional<SignalKey> missed(String workflow, Wait wait) {
    long free = heldUntil.getOrDefault(workflow, 0L);
    if (free == Long.MAX_VALUE || moment < Math.max(free, wait.moment) + MOMENTS)
      return Optional.empty();
    return pending(workflow, wait.signal)
        .filter(key -> accepted.get(key).moment + MOMENTS <= moment)
        .findFirst();
  }
}
