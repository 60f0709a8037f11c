package dev.tenure.simulation;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.kernel.Admission;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Decision;
import dev.tenure.workflow.kernel.Digits;
import dev.tenure.workflow.kernel.Effect;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Kernel;
import dev.tenure.workflow.kernel.KernelLimits;
import dev.tenure.workflow.kernel.Wishes;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The kernel with one planted bug, if the flaw is one of the kernel's. */
record FlawedKernel(Kernel genuine, Flaw flaw) implements Kernel {
  private static final Payload OTHER = Payload.of("\"another\"".getBytes(StandardCharsets.UTF_8));
  private static final Duration EARLY = Duration.ofSeconds(20);

  static Kernel with(Flaw flaw, KernelLimits limits) {
    return new FlawedKernel(Kernel.standard(limits), flaw);
  }

  private Instant time(Command command, Instant now) {
    return flaw == Flaw.TIMER_EARLY && command instanceof Command.Due ? now.plus(EARLY) : now;
  }

  private Command read(WorkflowState state, Command command, Instant now) {
    if (flaw == Flaw.UNPROVEN_FAILURE_SHOWN
        && command
            instanceof Command.AttemptEnded(var id, int attempt, Outcome.Failed(Failure failure)))
      return new Command.AttemptEnded(
          id, attempt, new Outcome.Failed(failure.with(Failure.OutsideEffect.POSSIBLE)));
    if (flaw == Flaw.SIGNALS_OUT_OF_ORDER
        && command instanceof Command.Signals(List<Command.Arrival> arrivals))
      return new Command.Signals(List.of(arrivals.getLast()));
    return flaw == Flaw.TIMED_OUT_UNREAD && command instanceof Command.Due
        ? new Command.Several(List.of(command, new Command.NoSignal(waitsDue(state, now))))
        : command;
  }

  private static List<OperationId> waitsDue(WorkflowState state, Instant now) {
    return state.waitsDue(now).stream().map(Operation::id).toList();
  }

  @Override
  public Admission admit(WorkflowState state, Command command, Instant now) {
    return genuine.admit(state, read(state, command, now), time(command, now));
  }

  @Override
  public Decision decide(WorkflowState state, Command command, Wishes wishes, Instant now) {
    Decision decision =
        genuine.decide(state, read(state, command, now), wishes, time(command, now));
    if (flaw == Flaw.REDELIVERY_LOST && command instanceof Command.Recovered)
      return new Decision(
          decision.events(), List.of(), decision.reply(), decision.returned(), decision.waits());
    List<Event> events = new ArrayList<>(decision.events());
    plant(events);
    return new Decision(
        events,
        planted(decision.effects()),
        decision.reply(),
        decision.returned(),
        decision.waits());
  }

  private List<Effect> planted(List<Effect> effects) {
    if (flaw != Flaw.PROOF_TAKEN_AS_GIVEN) return effects;
    return effects.stream()
        .map(
            one ->
                one instanceof Effect.RunActivity(var id, int attempt, var spec, var proof)
                    ? new Effect.RunActivity(id, attempt, spec, Effect.Proof.GIVEN)
                    : one)
        .toList();
  }

  private void plant(List<Event> events) {
    if (flaw == Flaw.COMPLETION_COUNTED_TWICE)
      events.stream().filter(Event.Completed.class::isInstance).findFirst().ifPresent(events::add);
    if (flaw == Flaw.CLOSED_UNRECORDED) events.removeIf(Event.Closed.class::isInstance);
    if (flaw == Flaw.CONCLUSION_LOST) events.removeIf(Event.Concluded.class::isInstance);
    if (flaw == Flaw.CANCEL_LOST) events.removeIf(Event.CancelRequested.class::isInstance);
    if (flaw == Flaw.LEDGER_DIGIT_RESET)
      events.replaceAll(
          event ->
              event instanceof Event.Completed e
                  ? new Event.Completed(e.at(), e.operation(), e.outcome(), reset(e.digits()))
                  : event);
    if (flaw == Flaw.SEMAPHORE_LEAK) leak(events);
    if (flaw == Flaw.MOVE_LOST) events.removeIf(Event.Repinned.class::isInstance);
    if (flaw == Flaw.FORK_REMEMBERS_WRONG) remember(events);
    if (flaw == Flaw.GOES_ON_AFTER_THE_END)
      for (int at = events.size() - 1; at >= 0; at--)
        if (events.get(at) instanceof Event.Ended end)
          events.add(at + 1, new Event.AttributesChanged(end.at(), Map.of()));
    if (flaw == Flaw.RESULT_CHANGED)
      events.replaceAll(
          event ->
              event instanceof Event.Completed(var at, var id, Outcome.Succeeded was, var digits)
                  ? new Event.Completed(at, id, new Outcome.Succeeded(OTHER), digits)
                  : event);
  }

  private static void remember(List<Event> events) {
    if (events.stream().noneMatch(Event.Forked.class::isInstance)) return;
    events.replaceAll(
        event ->
            event instanceof Event.ValueRecorded(var at, var id, var value, var digits, var place)
                ? new Event.ValueRecorded(at, id, OTHER, digits, place)
                : event);
  }

  private static Digits reset(Digits digits) {
    return new Digits(
        new ActivityLedger(digits.activity().value() - digits.activity().leg2Entries()),
        digits.guid(),
        digits.semaphore());
  }

  private static void leak(List<Event> events) {
    Digits before = null;
    for (int at = 0; at < events.size(); at++) {
      if (!(events.get(at) instanceof Event.Abandoned e)) continue;
      if (before != null)
        events.set(
            at,
            new Event.Abandoned(
                e.at(),
                e.operation(),
                new Digits(e.digits().activity(), e.digits().guid(), before.semaphore()),
                e.noChild()));
      before = e.digits();
    }
  }

  @Override
  public WorkflowState evolve(WorkflowState state, Event event) {
    return genuine.evolve(state, event);
  }
}
