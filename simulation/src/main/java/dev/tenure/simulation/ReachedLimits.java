package dev.tenure.simulation;

import dev.tenure.persistence.signal.PendingSignal;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.kernel.Admission;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Decision;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.kernel.Kernel;
import dev.tenure.workflow.kernel.KernelLimits;
import dev.tenure.workflow.kernel.Reply;
import dev.tenure.workflow.kernel.Wishes;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationKind;
import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which limits a life came to, by the names that {@link LifeLimits} has for them. It sees what goes
 * in and out of the kernel and the store, and what is answered.
 */
final class ReachedLimits {
  private final LifeLimits limits;
  private final Set<String> names = new HashSet<>();

  /** What the kernel decided last, and how much of the wishes it was given. */
  private Command decided;

  private int granted;

  ReachedLimits(LifeLimits limits) {
    this.limits = limits;
  }

  Set<String> names() {
    return names;
  }

  private void reached(boolean is, String name) {
    if (is) names.add(name);
  }

  /** A page of a history. */
  void readRows(int rows) {
    reached(rows >= limits.owner().rowsPerPage(), "rowsPerPage");
  }

  void readSignals(List<List<PendingSignal>> pages) {
    for (List<PendingSignal> page : pages)
      reached(page.size() >= limits.owner().signalsPerPage(), "signalsPerPage");
  }

  void keptSnapshot() {
    reached(limits.owner().eventsPerSnapshot() < 1_000, "eventsPerSnapshot");
  }

  /**
   * A client was told to come later.
   *
   * @param limit how many wait already
   */
  void busy(int limit) {
    if (limits.owner().waiting() == limits.owner().replies()) return;
    reached(limit == limits.owner().waiting(), "waiting");
    reached(limit == limits.owner().replies(), "replies");
  }

  /** The same kernel, which is looked at. */
  Kernel watching(Kernel kernel) {
    return new Watched(kernel);
  }

  private final class Watched implements Kernel {
    private final Kernel kernel;

    Watched(Kernel kernel) {
      this.kernel = kernel;
    }

    @Override
    public Admission admit(WorkflowState state, Command command, Instant now) {
      Admission admission = kernel.admit(state, command, now);
      if (admission instanceof Admission.Refused(Reply.LimitReached limit))
        reached(limit.limit().equals("PENDING_UPDATES_MAX"), "pendingUpdates");
      return admission;
    }

    @Override
    public Decision decide(WorkflowState state, Command command, Wishes wishes, Instant now) {
      int due = command instanceof Command.Due ? due(state, now) : 0;
      Decision decision = kernel.decide(state, command, wishes, now);
      asked(command, wishes);
      took(command);
      reached(decision.waits(), "carriedBytes");
      if (due > 0) came(due, decision.events());
      for (Event event : decision.events()) said(state, event, decision.events());
      return decision;
    }

    @Override
    public WorkflowState evolve(WorkflowState state, Event event) {
      return kernel.evolve(state, event);
    }
  }

  /** A command that is decided again, with less of what its code asks for, did not fit. */
  private void asked(Command command, Wishes wishes) {
    reached(command == decided && wishes.size() < granted, "commitBytes");
    reached(
        wishes.goesOn() && wishes.size() >= limits.owner().wishesPerCommit(), "wishesPerCommit");
    decided = command;
    granted = wishes.size();
  }

  private void took(Command command) {
    if (command instanceof Command.Several(List<Command> all)) {
      reached(all.size() >= limits.owner().resultsPerCommit(), "resultsPerCommit");
      all.forEach(this::took);
    }
    if (command instanceof Command.NoSignal wait)
      reached(wait.waits().size() >= limits.owner().waitsPerCommit(), "waitsPerCommit");
  }

  private static int due(WorkflowState state, Instant now) {
    if (state.isHeld() || state.deadline().filter(at -> !now.isBefore(at)).isPresent()) return 0;
    return (int) state.openOperations().stream().filter(one -> isDue(one, now)).count();
  }

  /** Waits for signals are not over before their owner has looked for one. */
  private static boolean isDue(Operation operation, Instant now) {
    return operation.dueAt().filter(at -> !at.isAfter(now)).isPresent()
        && !operation.spec().kind().equals(OperationKind.SIGNAL_WAIT);
  }

  private void came(int due, List<Event> events) {
    long taken =
        events.stream()
            .filter(
                event ->
                    event instanceof Event.Completed
                        || event instanceof Event.AttemptFailed
                        || event instanceof Event.AttemptStarted)
            .count();
    if (taken >= due) return;
    boolean many = taken >= limits.kernel().duePerCommit();
    reached(true, many ? "duePerCommit" : "dueBytesPerCommit");
  }

  private void said(WorkflowState state, Event event, List<Event> all) {
    KernelLimits kernel = limits.kernel();
    switch (event) {
      case Event.IncidentRaised(var at, Incident.InvalidWish(String why)) -> {
        reached(why.contains("OPEN_OPERATIONS_MAX"), "openOperations");
        reached(why.contains("OPEN_BYTES_MAX"), "openBytes");
        reached(why.contains("SIGNAL_NAMES_MAX"), "signalNames");
      }
      case Event.UpdateAnswered(var at, var id, Outcome.Failed(Failure failure)) -> {
        reached(failure.message().contains("UPDATE_ANSWER_BYTES_MAX"), "updateAnswerBytes");
        reached(failure.message().contains("CARRIED_UPDATES_BYTES_MAX"), "carriedUpdatesBytes");
      }
      case Event.ContinuedAsNew next ->
          reached(
              next.answers().size() < answered(state, all)
                  && kernel.carriedAnswersBytes() < KernelLimits.DEFAULT.carriedAnswersBytes(),
              "carriedAnswersBytes");
      case Event.StartedAgain again ->
          reached(
              state.start().earlier().size() == kernel.earlierStarts()
                  && again.start().earlier().size() == kernel.earlierStarts(),
              "earlierStarts");
      default -> {}
    }
  }

  private static long answered(WorkflowState state, List<Event> events) {
    return state.answeredUpdates().size()
        + events.stream().filter(Event.UpdateAnswered.class::isInstance).count();
  }
}
