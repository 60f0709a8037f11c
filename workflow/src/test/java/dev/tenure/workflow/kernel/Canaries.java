package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Failure.OutsideEffect;
import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.UnaryOperator;

/** Kernels with one planted bug each, which the auditor must find. */
final class Canaries {
  private Canaries() {}

  static Map<String, Kernel> all() {
    return Map.ofEntries(
        Map.entry("timers fire early", new FiresEarly()),
        Map.entry("a completion counts twice", events(Canaries::twice)),
        Map.entry("an abandoned operation stays", events(without(Event.Abandoned.class))),
        Map.entry("the end of a job goes unrecorded", events(without(Event.Closed.class))),
        Map.entry("a job closes twice", events(Canaries::closesTwice)),
        Map.entry("a run is replaced without an outcome", events(Canaries::replacedWithoutAnEnd)),
        Map.entry("a replaced run's messages are lost", events(Canaries::replacedAndForgotten)),
        Map.entry("something follows the outcome", events(Canaries::somethingFollows)),
        Map.entry("a digit is not set", events(Canaries::forgetsADigit)),
        Map.entry("the semaphore does not move", events(Canaries::forgetsTheSemaphore)),
        Map.entry(
            "a cancel is acknowledged and lost", events(without(Event.CancelRequested.class))),
        Map.entry("an update goes unanswered", events(without(Event.UpdateAnswered.class))),
        Map.entry("a fold forgets now and then", new ForgetsAttributes()),
        Map.entry("a fold remembers what no snapshot has", new RemembersBeside()),
        Map.entry("consumed signals are forgotten", new ForgetsConsumption()),
        Map.entry("the newest signal is taken first", new TakesTheNewest()),
        Map.entry("an attempt is never handed out", new LosesEffects()),
        Map.entry("an attempt goes out before its record", new ActsEarly()),
        Map.entry("what was withheld is lost", new LosesTheWithheld()),
        Map.entry("a child on its way is left behind", events(without(Event.LetGo.class))),
        Map.entry("a call goes out again unproven", new SkipsTheProof()),
        Map.entry("a failure that may be a success is told", new TellsTheUnproven()),
        Map.entry("a conclusion is not on record", events(without(Event.Concluded.class))),
        Map.entry("what is concluded does not come out", events(Canaries::concludesOnly)));
  }

  private static class Broken implements Kernel {
    final Kernel genuine = Kernel.standard();

    @Override
    public Admission admit(WorkflowState state, Command command, Instant now) {
      return genuine.admit(state, command, now);
    }

    @Override
    public Decision decide(WorkflowState state, Command command, Wishes wishes, Instant now) {
      return genuine.decide(state, command, wishes, now);
    }

    @Override
    public WorkflowState evolve(WorkflowState state, Event event) {
      return genuine.evolve(state, event);
    }
  }

  /** Of each state it knows how often it was folded: one made from a snapshot begins at none. */
  private static final class RemembersBeside extends Broken {
    private final Map<WorkflowState, Integer> folded = new WeakHashMap<>();

    @Override
    public WorkflowState evolve(WorkflowState state, Event event) {
      WorkflowState after = super.evolve(state, event);
      after.largestBytes += folded.merge(after, 1, Integer::sum) % 3;
      return after;
    }
  }

  private static Kernel events(UnaryOperator<List<Event>> change) {
    return new Broken() {
      @Override
      public Decision decide(WorkflowState state, Command command, Wishes wishes, Instant now) {
        Decision decision = super.decide(state, command, wishes, now);
        return new Decision(
            change.apply(new ArrayList<>(decision.events())),
            decision.effects(),
            decision.reply(),
            decision.returned(),
            decision.waits());
      }
    };
  }

  private static UnaryOperator<List<Event>> without(Class<? extends Event> type) {
    return events -> events.stream().filter(event -> !type.isInstance(event)).toList();
  }

  private static List<Event> replacedWithoutAnEnd(List<Event> events) {
    if (events.stream().anyMatch(Event.StartedAgain.class::isInstance))
      events.removeIf(Event.Ended.class::isInstance);
    return events;
  }

  private static List<Event> replacedAndForgotten(List<Event> events) {
    if (!events.isEmpty()
        && events.getLast()
            instanceof
            Event.StartedAgain(
                var at,
                var start,
                var inception,
                var run,
                var newest,
                var answers,
                var carried))
      events.set(
          events.size() - 1,
          new Event.StartedAgain(
              at, start, Ledgers.inception(Accounting.CODE, 0), run, newest, answers, List.of()));
    return events;
  }

  private static List<Event> twice(List<Event> events) {
    events.stream().filter(Event.Completed.class::isInstance).findFirst().ifPresent(events::add);
    return events;
  }

  private static List<Event> concludesOnly(List<Event> events) {
    for (int at = 1; at < events.size(); at++)
      if (events.get(at - 1) instanceof Event.Concluded) events.remove(at);
    return events;
  }

  private static List<Event> closesTwice(List<Event> events) {
    if (events.isEmpty() || !(events.getLast() instanceof Event.Closed)) return events;
    events.add(events.getLast());
    return events;
  }

  private static List<Event> somethingFollows(List<Event> events) {
    if (events.stream().anyMatch(Event.Ended.class::isInstance))
      events.add(events.size() - 1, new Event.AttributesChanged(events.getLast().at(), Map.of()));
    return events;
  }

  private static List<Event> forgetsADigit(List<Event> events) {
    events.replaceAll(
        event ->
            event instanceof Event.Completed e
                ? new Event.Completed(e.at(), e.operation(), e.outcome(), lower(e.digits()))
                : event);
    return events;
  }

  private static Digits lower(Digits digits) {
    return new Digits(
        new ActivityLedger(digits.activity().value() - digits.activity().leg2Entries()),
        digits.guid(),
        digits.semaphore());
  }

  private static List<Event> forgetsTheSemaphore(List<Event> events) {
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
    return events;
  }

  private static final class FiresEarly extends Broken {
    private static Instant fast(Command command, Instant now) {
      return command instanceof Command.Due ? now.plus(Duration.ofSeconds(20)) : now;
    }

    @Override
    public Admission admit(WorkflowState state, Command command, Instant now) {
      return super.admit(state, command, fast(command, now));
    }

    @Override
    public Decision decide(WorkflowState state, Command command, Wishes wishes, Instant now) {
      return super.decide(state, command, wishes, fast(command, now));
    }
  }

  private static final class ForgetsAttributes extends Broken {
    private int count;

    @Override
    public WorkflowState evolve(WorkflowState state, Event event) {
      WorkflowState after = super.evolve(state, event);
      if (event instanceof Event.AttributesChanged && ++count % 3 == 0) after.attributes.clear();
      return after;
    }
  }

  private static final class ForgetsConsumption extends Broken {
    @Override
    public WorkflowState evolve(WorkflowState state, Event event) {
      WorkflowState after = super.evolve(state, event);
      after.consumed.clear();
      return after;
    }
  }

  private static final class TakesTheNewest extends Broken {
    private static Command newest(Command command) {
      return command instanceof Command.Signals(List<Command.Arrival> arrivals)
          ? new Command.Signals(List.of(arrivals.getLast()))
          : command;
    }

    @Override
    public Admission admit(WorkflowState state, Command command, Instant now) {
      return super.admit(state, newest(command), now);
    }

    @Override
    public Decision decide(WorkflowState state, Command command, Wishes wishes, Instant now) {
      return super.decide(state, newest(command), wishes, now);
    }
  }

  private static final class LosesEffects extends Broken {
    @Override
    public Decision decide(WorkflowState state, Command command, Wishes wishes, Instant now) {
      Decision decision = super.decide(state, command, wishes, now);
      return new Decision(
          decision.events(),
          decision.effects().stream()
              .filter(effect -> !(effect instanceof Effect.RunStep run && run.attempt() == 2))
              .toList(),
          decision.reply(),
          decision.returned(),
          decision.waits());
    }
  }

  private static final class SkipsTheProof extends Broken {
    @Override
    public Decision decide(WorkflowState state, Command command, Wishes wishes, Instant now) {
      Decision decision = super.decide(state, command, wishes, now);
      List<Effect> effects = new ArrayList<>(decision.effects());
      effects.replaceAll(
          effect ->
              effect instanceof Effect.RunActivity(var operation, var attempt, var spec, var proof)
                  ? new Effect.RunActivity(operation, attempt, spec, Effect.Proof.GIVEN)
                  : effect);
      return new Decision(
          decision.events(), effects, decision.reply(), decision.returned(), decision.waits());
    }
  }

  /** It decides as if it were known that there was no effect. */
  private static final class TellsTheUnproven extends Broken {
    private static Command sure(Command command) {
      return command
                  instanceof
                  Command.AttemptEnded(var operation, var attempt, Outcome.Failed(Failure failure))
              && failure.outside() == OutsideEffect.UNPROVEN
          ? new Command.AttemptEnded(
              operation, attempt, new Outcome.Failed(failure.with(OutsideEffect.NONE)))
          : command;
    }

    @Override
    public Admission admit(WorkflowState state, Command command, Instant now) {
      return super.admit(state, sure(command), now);
    }

    @Override
    public Decision decide(WorkflowState state, Command command, Wishes wishes, Instant now) {
      Command sure = sure(command);
      Decision decision = super.decide(state, sure, wishes, now);
      if (sure == command) return decision;
      List<Event> events = new ArrayList<>(decision.events());
      events.replaceAll(
          event ->
              event
                      instanceof
                      Event.Completed(
                          var at,
                          var operation,
                          Outcome.Failed(Failure failure),
                          var digits)
                  ? new Event.Completed(
                      at,
                      operation,
                      new Outcome.Failed(failure.with(OutsideEffect.UNPROVEN)),
                      digits)
                  : event);
      return new Decision(
          events, decision.effects(), decision.reply(), decision.returned(), decision.waits());
    }
  }

  private static final class ActsEarly extends Broken {
    @Override
    public Decision decide(WorkflowState state, Command command, Wishes wishes, Instant now) {
      Decision decision = super.decide(state, command, wishes, now);
      List<Effect> effects = new ArrayList<>(decision.effects());
      for (Event event : decision.events())
        if (event instanceof Event.AttemptFailed failed)
          state
              .operation(failed.operation())
              .filter(operation -> operation.spec() instanceof OperationSpec.Step)
              .ifPresent(
                  operation ->
                      effects.add(
                          new Effect.RunStep(
                              operation.id(), failed.attempt() + 2, OperationSpec.Step.DEFAULT)));
      return new Decision(
          decision.events(), effects, decision.reply(), decision.returned(), decision.waits());
    }
  }

  private static final class LosesTheWithheld extends Broken {
    @Override
    public Admission admit(WorkflowState state, Command command, Instant now) {
      Admission admission = super.admit(state, command, now);
      return command instanceof Command.Resume && admission instanceof Admission.Accepted
          ? new Admission.Accepted(List.of())
          : admission;
    }
  }
}
