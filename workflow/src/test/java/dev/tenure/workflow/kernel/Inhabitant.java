package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Payload;
import dev.tenure.workflow.audit.HistoryAudit;
import dev.tenure.workflow.lifecycle.OperationPhase;
import dev.tenure.workflow.operation.MessageGuid;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** A workflow of a {@link Universe}, with what survives its owner: its history and its inbox. */
final class Inhabitant {
  final String id;
  final Shell shell;
  final HistoryAudit audit;

  /** Accepted and not consumed, by position. */
  final TreeMap<Long, Command.Arrival> inbox = new TreeMap<>();

  /** What was left in the inbox when another start took its run's place. */
  private final List<Command.Arrival> unconsumed = new ArrayList<>();

  /** All that were ever accepted, in order. */
  final List<Command.Arrival> arrivals = new ArrayList<>();

  private int earlierArrivals;

  /** Of them, those that runs before this one consumed. */
  private final Set<Long> consumedEarlier = new HashSet<>();

  /** Results of attempts that somebody works on, or worked on when an owner died. */
  final List<Command> attempts = new ArrayList<>();

  /** Messages that nobody acknowledged. */
  final Map<OperationId, Effect.Deliver> outgoing = new LinkedHashMap<>();

  /** Of its state some commits ago, when there was so much of its history. */
  private StateSnapshot snapshot;

  private int snapshotAt;
  private int checks;

  /** All it was ever told. */
  final List<Command> said = new ArrayList<>();

  Inhabitant(String id, Shell shell, HistoryAudit audit) {
    this.id = id;
    this.shell = shell;
    this.audit = audit;
  }

  void committed(List<Event> events) {
    audit.commit(events);
    for (Event event : events)
      switch (event) {
        case Event.SignalConsumed consumption -> consumed(consumption.arrival());
        case Event.SignalReturned back -> inbox.put(back.position(), arrival(back.position()));
        case Event.ContinuedAsNew next -> renewed();
        case Event.StartedAgain next -> {
          unconsumed.addAll(inbox.values());
          inbox.clear();
          earlierArrivals = arrivals.size();
          renewed();
        }
        case Event.Started _,
            Event.Published _,
            Event.Scheduled _,
            Event.Spawned _,
            Event.Reentered _,
            Event.AttemptFailed _,
            Event.AttemptStarted _,
            Event.Retried _,
            Event.Concluded _,
            Event.Redelivered _,
            Event.ChildStarted _,
            Event.Completed _,
            Event.ValueRecorded _,
            Event.Abandoned _,
            Event.LetGo _,
            Event.GivenUp _,
            Event.AttributesChanged _,
            Event.CancelRequested _,
            Event.DeadlinePassed _,
            Event.Paused _,
            Event.Resumed _,
            Event.Blocked _,
            Event.Unblocked _,
            Event.IncidentRaised _,
            Event.IncidentResolved _,
            Event.Repinned _,
            Event.UpdateAdmitted _,
            Event.UpdateAnswered _,
            Event.CodeRevised _,
            Event.SourceChildStarted _,
            Event.SourceSignalNotReceived _,
            Event.Forked _,
            Event.Ended _,
            Event.Closed _ -> {}
      }
  }

  /**
   * A new run hears nothing of what the one before it waited for, nor of what was read for that.
   */
  private void renewed() {
    for (Command.Arrival one : arrivals)
      if (!inbox.containsKey(one.position())) consumedEarlier.add(one.position());
    attempts.clear();
    outgoing.clear();
    said.removeIf(
        command -> !(command instanceof Command.Update || command instanceof Command.Due));
  }

  /** Whether its run was started by that message. */
  boolean isOf(Optional<MessageGuid> child) {
    return child.isEmpty() || child.equals(shell.state().start().origin().map(Origin::guid));
  }

  /** Whether nothing of that operation is recorded that it came out with. */
  boolean awaits(OperationId id) {
    return shell
        .state()
        .operation(id)
        .filter(operation -> operation.phase() != OperationPhase.ANSWERED)
        .isPresent();
  }

  private void consumed(Command.Arrival arrival) {
    if (inbox.remove(arrival.position()) == null) throw broken("I13 consumed twice", arrival);
    for (Command.Arrival older : inbox.headMap(arrival.position()).values())
      if (older.signal().equals(arrival.signal())) throw broken("I14 an older one waits", arrival);
  }

  /** As the inbox does it: once per signal id, and in one statement with the look at the status. */
  boolean accept(long position, String signal, String signalId, Payload payload) {
    if (!shell.state().exists() || shell.state().phase().isOver()) return false;
    if (arrivals.stream().anyMatch(arrival -> arrival.signalId().equals(signalId))) return true;
    Command.Arrival arrival = new Command.Arrival(signal, position, signalId, payload);
    inbox.put(position, arrival);
    arrivals.add(arrival);
    return true;
  }

  private Command.Arrival arrival(long position) {
    for (Command.Arrival arrival : arrivals) if (arrival.position() == position) return arrival;
    throw new AssertionError("I13 nothing was accepted at " + position + " in " + id);
  }

  /** Every accepted signal was consumed once and kept, or is still there (I13). */
  void checkInbox() {
    List<Event.SignalConsumed> consumptions = shell.events(Event.SignalConsumed.class);
    List<Event.SignalReturned> returns = shell.events(Event.SignalReturned.class);
    for (Command.Arrival arrival : arrivals) {
      long times =
          consumptions.stream().filter(one -> one.arrival().equals(arrival)).count()
              - returns.stream().filter(one -> one.position() == arrival.position()).count();
      boolean left = inbox.containsKey(arrival.position()) || unconsumed.contains(arrival);
      if (times != (left ? 0 : 1)) throw broken("I13", arrival);
    }
  }

  void answered(Command command, Reply reply) {
    boolean asked = !shell.events(Event.CancelRequested.class).isEmpty();
    boolean timedOut = !shell.events(Event.DeadlinePassed.class).isEmpty();
    if (command instanceof Command.Cancel && reply instanceof Reply.Done && !asked && !timedOut)
      throw new AssertionError("I1 cancel in " + id);
    if (reply instanceof Reply.UpdatePending(String update) && !audit.isAdmitted(update))
      throw new AssertionError("I1 update in " + id);
  }

  /**
   * What a rebuilt state says is what it says, wherever one may begin to fold: the history, its
   * newest run, or what is behind a snapshot of any age (I3).
   */
  void requireSameFold(Kernel kernel) {
    // Without an owner nobody has a state but the one that is folded.
    if (!shell.journal.isOwned()) return;
    List<Event> all = shell.events();
    requireSame(kernel, WorkflowState.none(), all);
    requireSame(kernel, WorkflowState.none(), shell.newestRun());
    if (!shell.state().exists()) return;
    if (snapshot != null)
      requireSame(kernel, snapshot.state(), all.subList(snapshotAt, all.size()));
    StateSnapshot current = StateSnapshot.of(shell.state());
    requireSame(kernel, current.state(), List.of());
    if (++checks % 3 != 0) return;
    snapshot = current;
    snapshotAt = all.size();
  }

  private void requireSame(Kernel kernel, WorkflowState from, List<Event> events) {
    WorkflowState rebuilt = from;
    for (Event event : events) rebuilt = kernel.evolve(rebuilt, event);
    boolean same = rebuilt.toString().equals(shell.state().toString());
    if (same && shell.state().exists())
      same = StateSnapshot.of(rebuilt).equals(StateSnapshot.of(shell.state()));
    if (!same) throw new AssertionError("I3 " + id + ": " + rebuilt);
  }

  /** What a reader sees that is behind, of the same owner: all but what earlier runs consumed. */
  List<Command.Arrival> lateRead() {
    return arrivals.subList(earlierArrivals, arrivals.size()).stream()
        .filter(one -> !consumedEarlier.contains(one.position()))
        .toList();
  }

  void stopped(OperationId operation) {
    attempts.removeIf(
        attempt ->
            attempt instanceof Command.AttemptEnded ended && ended.operation().equals(operation));
  }

  /** How it came out, with its result. */
  String outcome() {
    Outcome outcome = shell.state().outcome().orElseThrow();
    return id
        + ' '
        + (outcome instanceof Outcome.Succeeded(Payload value) ? Script.text(value) : outcome);
  }

  private AssertionError broken(String what, Command.Arrival arrival) {
    return new AssertionError(what + " in " + id + ": " + arrival);
  }

  void perform(Effect effect, SplittableRandom random, boolean faults) {
    switch (effect) {
      case Effect.RunStep e -> attempts.add(AttemptResults.any(random, faults, e));
      case Effect.RunActivity e -> attempts.add(AttemptResults.any(random, faults, e));
      case Effect.StartChild e -> outgoing.put(e.operation(), e);
      case Effect.Send e -> outgoing.put(e.operation(), e);
      case Effect.StopAttempt e -> {
        // With faults, a stopped attempt may report all the same.
        if (!faults) stopped(e.operation());
      }
      case Effect.LookForSignal e -> {}
      case Effect.AnswerUpdate e -> {}
      case Effect.AnnounceEnd e -> {}
    }
  }
}
