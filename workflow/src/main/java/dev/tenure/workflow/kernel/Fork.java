package dev.tenure.workflow.kernel;

import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.collation.Inception;
import dev.tenure.workflow.collation.Parent;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Makes the history of a new workflow out of another workflow's history, up to before one of its
 * operations.
 *
 * <p>What the old program learned before that is copied: the new program learns it in the same
 * order and at the same times, so it gets to the same place. What was open there is left out, and
 * the program asks for it anew; so are attempts, what held the old workflow, and what its engine
 * sent. What the old program had given up is over here at once: its children and messages are its
 * own. The integers are counted again, by the same arithmetic as ever, because they count what is
 * in this history.
 */
public final class Fork {
  /**
   * Where a workflow was forked from.
   *
   * @param version of the newest commit that was looked at
   */
  public record Source(WorkflowId id, String runId, long version, OperationId operation) {}

  private final List<Event> prefix;

  /** By operation, the event with which it is over for the program; of what was open there none. */
  private final Map<OperationId, Event> ends = new HashMap<>();

  private final Set<OperationId> notReceived;
  private final List<Event> made = new ArrayList<>();
  private WorkflowState state = WorkflowState.none();
  private Ledgers ledgers;

  private Fork(List<Event> run, int cut) {
    this.prefix = run.subList(0, cut);
    this.notReceived = givenBack(run);
    for (Event event : prefix)
      switch (event) {
        case Event.Completed e -> ends(e.operation(), e);
        case Event.SignalConsumed e -> {
          if (!isNotReceived(e)) ends(e.operation(), e);
        }
        case Event.SignalReturned e -> ends(e.operation(), e);
        case Event.Abandoned e -> ends(e.operation(), e);
        case Event.GivenUp e -> ends(e.operation(), e);
        case Event.LetGo e -> ends(e.operation(), e);
        case Event.BeginsRun _,
            Event.OfRun _,
            Event.OfEngine _,
            Event.Scheduled _,
            Event.Spawned _,
            Event.Reentered _,
            Event.ChildStarted _,
            Event.ValueRecorded _,
            Event.SourceChildStarted _,
            Event.SourceSignalNotReceived _ -> {}
      }
  }

  /** What follows after the program has given an operation up is between the engine and others. */
  private void ends(OperationId id, Event event) {
    if (!id.isEngines()) ends.putIfAbsent(id, event);
  }

  /**
   * Waits whose signals the program did not receive, whether it said so before the fork or after.
   */
  private static Set<OperationId> givenBack(List<Event> run) {
    Set<OperationId> waits = new HashSet<>(0);
    for (Event event : run)
      if (event instanceof Event.SignalReturned returned) waits.add(returned.operation());
    return waits;
  }

  private boolean isNotReceived(Event event) {
    return event instanceof Event.SignalConsumed e && notReceived.contains(e.operation());
  }

  private boolean isCopied(OperationId id) {
    return ends.containsKey(id);
  }

  private boolean isEnd(OperationId id, Event event) {
    return ends.get(id) == event;
  }

  /** Where the newest run in a history begins. */
  public static int beginning(List<Event> history) {
    for (int i = history.size() - 1; i > 0; i--) if (followsRun(history.get(i))) return i;
    return 0;
  }

  /** Whether a run begins with it that follows another: nothing before it is needed to go on. */
  public static boolean followsRun(Event event) {
    return event instanceof Event.ContinuedAsNew || event instanceof Event.StartedAgain;
  }

  /** What a run of a history started with. */
  public static Start start(Event beginning) {
    if (beginning instanceof Event.BeginsRun first) return first.start();
    throw new IllegalArgumentException("A run does not begin with " + beginning);
  }

  /**
   * The events of the new workflow's first commit; empty when the run never asked for the
   * operation.
   *
   * @param run the events of one run, from its beginning; of what follows the operation only {@link
   *     Event.SignalReturned} counts
   * @param start of the new workflow: the seed and the input are the old one's
   */
  public static Optional<List<Event>> of(List<Event> run, Start start, Source source, Instant now) {
    if (start(run.getFirst()).accounting().isOfGraph())
      throw new IllegalArgumentException(
          "Workflow %s is a graph, and graphs are not forked: start it anew with its input."
              .formatted(source.id()));
    OptionalInt cut = cut(run, source.operation());
    if (cut.isEmpty()) return Optional.empty();
    return Optional.of(new Fork(run, cut.getAsInt()).make(start, source, now));
  }

  private static OptionalInt cut(List<Event> run, OperationId operation) {
    for (int i = 0; i < run.size(); i++) {
      if (run.get(i) instanceof Event.Scheduled e && e.operation().equals(operation))
        return OptionalInt.of(i);
      if (run.get(i) instanceof Event.ValueRecorded e && e.operation().equals(operation))
        return OptionalInt.of(i);
    }
    return OptionalInt.empty();
  }

  private List<Event> make(Start start, Source source, Instant now) {
    ActivityLedger run = Ledgers.ofRun();
    List<Event.CarriedUpdate> updates = updates(prefix.getFirst());
    int asked = updates.isEmpty() ? children(0) : 0;
    Inception inception = Ledgers.inception(start.accounting(), asked);
    ledgers = Ledgers.begun(start.accounting(), inception, run);
    add(new Event.Started(prefix.getFirst().at(), start, inception, run));
    admit(updates);
    for (int i = 1; i < prefix.size(); i++) copy(prefix.get(i), children(i));
    Instant last = prefix.getLast().at();
    add(new Event.Forked(last.isAfter(now) ? last : now, source));
    return List.copyOf(made);
  }

  /** What the run before left unanswered. */
  private static List<Event.CarriedUpdate> updates(Event beginning) {
    return beginning instanceof Event.ContinuedAsNew next ? next.updates() : List.of();
  }

  /** As messages of their own, as the run had them with its beginning. */
  private void admit(List<Event.CarriedUpdate> updates) {
    for (int i = 0; i < updates.size(); i++) {
      Event.CarriedUpdate one = updates.get(i);
      int children = i == updates.size() - 1 ? children(0) : 0;
      add(
          new Event.UpdateAdmitted(
              prefix.getFirst().at(), one.updateId(), one.name(), one.payload(), onRun(children)));
    }
  }

  /** What is asked for after a message and before the next counts as the children of that one. */
  private int children(int message) {
    int count = 0;
    for (int i = message + 1; i < prefix.size(); i++) {
      Event event = prefix.get(i);
      if (event instanceof Event.Scheduled e && isCopied(e.operation())) count++;
      // Asked for and over at once: an obligation all the same (I10).
      else if (event instanceof Event.ValueRecorded) count++;
      else if (isCopiedMessage(event)) return count;
    }
    return count;
  }

  private boolean isCopiedMessage(Event event) {
    return switch (event) {
      case Event.ChildStarted e -> isCopied(e.operation());
      case Event.OfOperation e -> isEnd(e.operation(), e);
      case Event.SignalReturned e -> isEnd(e.operation(), e);
      case Event.CancelRequested e -> true;
      case Event.UpdateAdmitted e -> true;
      case Event.DeadlinePassed e -> e.asks();
      case Event.BeginsRun _,
          Event.OfEngine _,
          Event.AttributesChanged _,
          Event.UpdateAnswered _,
          Event.SourceChildStarted _,
          Event.SourceSignalNotReceived _,
          Event.Forked _,
          Event.Ended _ ->
          false;
    };
  }

  private void copy(Event event, int children) {
    switch (event) {
      case Event.ValueRecorded e ->
          add(new Event.ValueRecorded(e.at(), e.operation(), e.value(), ledgers.value()));
      case Event.AttributesChanged e -> add(e);
      case Event.UpdateAnswered e -> add(e);
      case Event.CancelRequested e ->
          add(new Event.CancelRequested(e.at(), e.reason(), onRun(children)));
      // The program was asked to stop; the new run has all of its time before it.
      case Event.DeadlinePassed e -> {
        if (e.asks()) add(new Event.CancelRequested(e.at(), Limits.DEADLINE, onRun(children)));
      }
      case Event.UpdateAdmitted e ->
          add(
              new Event.UpdateAdmitted(
                  e.at(), e.updateId(), e.name(), e.payload(), onRun(children)));
      case Event.SourceChildStarted e -> add(e);
      case Event.SourceSignalNotReceived e -> add(e);
      case Event.SignalReturned e -> {
        if (isEnd(e.operation(), e)) abandoned(e.at(), e.operation(), children);
      }
      case Event.OfOperation e -> copyOf(e, children);
      case Event.BeginsRun _, Event.OfEngine _, Event.Forked _, Event.Ended _ -> {}
    }
  }

  private void copyOf(Event.OfOperation event, int children) {
    OperationId id = event.operation();
    boolean ends = isEnd(id, event);
    switch (event) {
      case Event.Scheduled e -> {
        if (isCopied(id)) add(e);
      }
      case Event.ChildStarted e -> childStarted(e, children);
      case Event.Completed e -> {
        if (ends) completed(e.at(), id, e.outcome(), children);
      }
      // The place in the other's inbox means nothing here.
      case Event.SignalConsumed e -> {
        if (ends) completed(e.at(), id, new Outcome.Succeeded(e.arrival().payload()), children);
        else if (isNotReceived(e))
          add(new Event.SourceSignalNotReceived(e.at(), id, e.arrival().payload().size()));
      }
      case Event.Abandoned e -> {
        if (ends) abandoned(e.at(), id, children);
      }
      case Event.GivenUp e -> {
        if (ends) abandoned(e.at(), id, children);
      }
      case Event.LetGo e -> {
        if (ends) letGo(e.at(), id, children);
      }
      case Event.ValueRecorded e -> throw new IllegalStateException("copied before: " + e);
      case Event.Spawned e -> throw new IllegalStateException("only graphs have it: " + e);
      case Event.Reentered e -> throw new IllegalStateException("only graphs have it: " + e);
      case Event.OfEngine e -> {}
    }
  }

  /** A program that waited for the start has gone on, also when the child was open at the fork. */
  private void childStarted(Event.ChildStarted event, int children) {
    OperationId id = event.operation();
    if (isCopied(id))
      add(new Event.ChildStarted(event.at(), id, on(id, children, Parent.STAYS_OPEN)));
    else if (!id.isEngines()) add(new Event.SourceChildStarted(event.at(), id));
  }

  /** The other workflow delivers it, and sees to what becomes of a child. */
  private void letGo(Instant at, OperationId id, int children) {
    add(new Event.LetGo(at, id, Optional.empty(), on(id, children, Parent.CLOSES)));
    abandoned(at, id, 0);
  }

  private void abandoned(Instant at, OperationId id, int children) {
    boolean noChild = state.open.get(id).spec() instanceof OperationSpec.Child;
    add(new Event.Abandoned(at, id, on(id, children, Parent.CLOSES), noChild));
  }

  private void completed(Instant at, OperationId id, Outcome outcome, int children) {
    add(new Event.Completed(at, id, outcome, on(id, children, Parent.CLOSES)));
  }

  private Digits on(OperationId id, int children, Parent parent) {
    Operation operation = state.open.get(id);
    return ledgers.on(operation, children, parent);
  }

  private Digits onRun(int children) {
    return ledgers.onRun(children, Parent.STAYS_OPEN);
  }

  /** Folded at once: what is made here is a history that can be. */
  private void add(Event event) {
    Fold.apply(state, event);
    made.add(event);
  }
}
