package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Failure.OutsideEffect;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.collation.Limit;
import dev.tenure.workflow.kernel.Intake.Verdict;
import dev.tenure.workflow.lifecycle.OperationPhase;
import dev.tenure.workflow.operation.AttemptRef;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Admits what a person says about one operation whose attempts failed: try it again, or this is how
 * it came out.
 */
final class OperationRepairs {
  private final Intake intake;
  private final ProvisionalState provisional;
  private final Results results;
  private final BiFunction<String, Runnable, Verdict> resolving;

  /**
   * @param resolving resolves the standing incident with a note, and has the given code decide
   *     about the operation that the incident is about
   */
  OperationRepairs(Intake intake, BiFunction<String, Runnable, Verdict> resolving) {
    this.intake = intake;
    this.provisional = intake.provisional;
    this.results = new Results(intake);
    this.resolving = resolving;
  }

  private static Verdict refused(String why) {
    return Verdict.refused(new Reply.NotOpen(why));
  }

  /**
   * The operation that the incident is about is tried again, and its attempts are counted anew.
   *
   * @param unproven whether it is run although it may have had its effect
   */
  void tryAgain(boolean unproven) {
    provisional
        .state
        .incident
        .flatMap(incident -> incident.about().filter(incident::waitsFor))
        .flatMap(provisional::find)
        .filter(operation -> operation.phase() == OperationPhase.BACKING_OFF)
        .ifPresent(operation -> tryAgain(operation, unproven));
  }

  private void tryAgain(Operation operation, boolean unproven) {
    provisional.take(operation.id());
    boolean keyed = operation.spec() instanceof OperationSpec.Activity one && one.isKeyed();
    intake.plan(
        new PlannedChange.Plain(
            new Event.Retried(provisional.at, operation.id(), unproven && keyed)));
  }

  /** Of the run that the order means there is nothing to be done any more. */
  private Optional<Verdict> anotherRun(AttemptRef meant) {
    String runId = provisional.state.start().runId();
    return meant.runId().equals(runId)
        ? Optional.empty()
        : Optional.of(
            refused("Run %s is over; the workflow is at run %s.".formatted(meant.runId(), runId)));
  }

  private static String neverMade(AttemptRef meant, Operation operation) {
    return "Attempt %d of %s was never made, it is at %d."
        .formatted(meant.attempt(), operation.id(), operation.attempt());
  }

  /** A later one may have had an effect that the person did not know of. */
  private static String wasMade(AttemptRef meant, Operation operation) {
    return "Attempt %d of %s was made meanwhile, it is at %d: look how that one ended."
        .formatted(meant.attempt(), operation.id(), operation.attempt());
  }

  Verdict retry(Command.Retry command) {
    AttemptRef meant = command.meant();
    OperationId id = meant.operation();
    Optional<Verdict> over = anotherRun(meant);
    if (over.isPresent()) return over.get();
    Optional<Operation> found = provisional.find(id);
    if (found.isEmpty())
      return refused(
          "Operation %s is not open: it came out before, or never was. A fork runs it again."
              .formatted(id));
    Operation operation = found.get();
    if (!(operation.spec() instanceof OperationSpec.Attempted))
      return refused(
          "Operation %s is a %s: there are no attempts at it.".formatted(id, operation.kind()));
    if (operation.phase() == OperationPhase.ANSWERED) return cameOut(id);
    if (meant.attempt() > operation.attempt()) return refused(neverMade(meant, operation));
    if (operation.phase() != OperationPhase.BACKING_OFF)
      return Verdict.duplicate(
          new Reply.AlreadyDone("An attempt at operation " + id + " is under way."));
    // The order came twice, or another person's came first: one call for what was seen once.
    if (meant.attempt() < operation.attempt())
      return Verdict.duplicate(new Reply.AlreadyDone(wasMade(meant, operation)));
    // A person who asks for another attempt knows that the one before may have had its effect.
    if (provisional.incident && provisional.state.standsStillFor(id))
      return resolving.apply(
          command.note().isEmpty() ? "Tried again: " + id : command.note(), () -> tryAgain(true));
    tryAgain(operation, true);
    return Verdict.TAKEN;
  }

  /** Of a graph that is held: the outcome is on record, and its program learns it later. */
  private static Verdict cameOut(OperationId id) {
    return refused("Operation %s came out before: its program has yet to learn it.".formatted(id));
  }

  /** A person says how an activity came out that is not under way. */
  Verdict conclude(Command.Conclude command) {
    AttemptRef meant = command.meant();
    OperationId id = meant.operation();
    Optional<Verdict> over = anotherRun(meant);
    if (over.isPresent()) return over.get();
    Optional<Operation> found = provisional.find(id);
    if (found.isEmpty())
      return refused("Operation %s is not open: it came out before, or never was.".formatted(id));
    Operation operation = found.get();
    if (!(operation.spec() instanceof OperationSpec.Activity))
      return refused(
          "Operation %s is a %s: only an activity can be concluded."
              .formatted(id, operation.kind()));
    if (operation.phase() == OperationPhase.ANSWERED) return cameOut(id);
    if (operation.phase() != OperationPhase.BACKING_OFF)
      return refused("An attempt at operation %s is under way: its outcome counts.".formatted(id));
    if (meant.attempt() > operation.attempt()) return refused(neverMade(meant, operation));
    if (meant.attempt() < operation.attempt()) return refused(wasMade(meant, operation));
    Optional<Reply> limit = limitOf(operation, command.outcome());
    if (limit.isPresent()) return Verdict.refused(limit.get());
    if (provisional.incident && provisional.state.standsStillFor(id))
      return resolving.apply(command.note(), () -> conclude(operation, command));
    conclude(operation, command);
    return Verdict.TAKEN;
  }

  private static Optional<Reply> limitOf(Operation operation, Outcome outcome) {
    if (operation.ledger().standing() == ActivityLedger.Standing.LEG2_EXHAUSTED)
      return Optional.of(
          new Reply.LimitReached(
              "LEG2_ENTRIES",
              operation.ledger().leg2Entries(),
              Limit.LEG2_ENTRIES.largest(),
              "It takes no outcome any more: terminate the workflow."));
    return outcome instanceof Outcome.Succeeded(Payload value) && Limits.isTooLargeToKeep(value)
        ? Optional.of(
            new Reply.LimitReached(
                "KEPT_BYTES_MAX",
                value.size(),
                Limits.KEPT_BYTES_MAX,
                "Keep the value elsewhere and pass a reference."))
        : Optional.empty();
  }

  private void conclude(Operation operation, Command.Conclude command) {
    intake.plan(
        new PlannedChange.Plain(
            new Event.Concluded(provisional.at, operation.id(), command.note())));
    results.came(operation, concluded(command.outcome()));
  }

  /**
   * What the program is told. The person's word settles it: a failure that was taken over from the
   * incident leaves nothing open any more, and is one that code can handle. It may be of a call
   * that was made and must not count, so a saga undoes it, unless the person says that it had no
   * effect.
   */
  private static Outcome concluded(Outcome outcome) {
    if (!(outcome instanceof Outcome.Failed(Failure failure))) return outcome;
    Failure settled =
        failure.form() == Failure.Form.DEFECT ? failure.as(Failure.Form.RECORD) : failure;
    return new Outcome.Failed(
        failure.outside() == OutsideEffect.UNPROVEN
            ? settled.with(OutsideEffect.POSSIBLE)
            : settled);
  }
}
