package dev.tenure.workflow.kernel;

import dev.tenure.workflow.collation.JobSemaphore;
import dev.tenure.workflow.collation.JobSemaphore.Edge;
import dev.tenure.workflow.collation.Parent;
import dev.tenure.workflow.operation.Place;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Kernels that count a graph's activities wrong, each in one way. */
final class GraphCanaries {
  private GraphCanaries() {}

  static Map<String, Kernel> all() {
    return Map.ofEntries(
        Map.entry("a message asks for nothing", each(GraphCanaries::asksForNothing)),
        Map.entry("a message counts one child too many", each(GraphCanaries::countsOneMore)),
        Map.entry("a hook that stays open is discharged", each(GraphCanaries::closes)),
        Map.entry("a hook is never discharged", each(GraphCanaries::staysOpen)),
        Map.entry("an entry runs in the plane before it", each(GraphCanaries::inTheFirstPlane)),
        Map.entry("a cause is not recorded", each(GraphCanaries::withoutCause)),
        Map.entry("step 2 comes before the program is asked", new AnswersForTheProgram()),
        Map.entry("a job that is closed does not end", events(GraphCanaries::withoutEnd)),
        Map.entry("the end is another message's", each(GraphCanaries::endsByAnother)),
        Map.entry("the trigger counts its children twice", each(GraphCanaries::countsTwice)),
        Map.entry("a hook's second message is lost", new TakesOneMessage()));
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

  private static Kernel each(UnaryOperator<Event> change) {
    return events(
        events -> {
          events.replaceAll(change);
          return events;
        });
  }

  private static Digits moved(Digits digits, long by) {
    JobSemaphore before = digits.semaphore();
    long open = Math.max(before.threshold() + 1, before.open() + by);
    return before.edge() == Edge.TAKEN
        ? digits
        : new Digits(
            digits.activity(),
            digits.guid(),
            new JobSemaphore(open, before.threshold(), Edge.PENDING));
  }

  private static Event asksForNothing(Event event) {
    return event instanceof Event.Spawned e
        ? new Event.Spawned(e.at(), e.operation(), e.parent(), moved(e.digits(), -1))
        : event;
  }

  private static Event countsOneMore(Event event) {
    return event instanceof Event.Spawned e
        ? new Event.Spawned(e.at(), e.operation(), e.parent(), moved(e.digits(), 1))
        : event;
  }

  private static Event closes(Event event) {
    return event instanceof Event.Spawned e
        ? new Event.Spawned(e.at(), e.operation(), Parent.CLOSES, e.digits())
        : event;
  }

  private static Event staysOpen(Event event) {
    return event instanceof Event.Spawned e && e.digits().guid().ordinal() > 1
        ? new Event.Spawned(e.at(), e.operation(), Parent.STAYS_OPEN, e.digits())
        : event;
  }

  private static Event inTheFirstPlane(Event event) {
    if (!(event instanceof Event.Scheduled e)) return event;
    String path = e.place().address().path().replaceAll(",[1-9][0-9]*,", ",0,");
    Place place =
        new Place(
            e.place().kind(),
            new dev.tenure.workflow.collation.DimensionalAddress(path),
            e.place().cause());
    return new Event.Scheduled(e.at(), e.operation(), e.spec(), e.ledger(), place);
  }

  private static Event withoutCause(Event event) {
    if (!(event instanceof Event.Scheduled e)) return event;
    Place place = new Place(e.place().kind(), e.place().address(), Optional.empty());
    return new Event.Scheduled(e.at(), e.operation(), e.spec(), e.ledger(), place);
  }

  private static Event endsByAnother(Event event) {
    if (!(event instanceof Event.Ended e) || e.digits().guid().ordinal() == 0) return event;
    Digits digits =
        new Digits(
            e.digits().activity(),
            new dev.tenure.workflow.collation.GuidLedger(e.digits().guid().value() + 1),
            e.digits().semaphore());
    return new Event.Ended(e.at(), e.outcome(), digits);
  }

  private static Event countsTwice(Event event) {
    if (!(event instanceof Event.Published e) || e.inception().children() == 0) return event;
    return new Event.Published(
        e.at(),
        dev.tenure.workflow.collation.Inception.create(
                2 * e.inception().children(), e.inception().semaphore().threshold())
            .publish()
            .orThrow());
  }

  private static List<Event> withoutEnd(List<Event> events) {
    events.removeIf(event -> event instanceof Event.Ended || event instanceof Event.Closed);
    return events;
  }

  /** It takes what the program does not know yet for asked for nothing. */
  private static final class AnswersForTheProgram extends Broken {
    @Override
    public Decision decide(WorkflowState state, Command command, Wishes wishes, Instant now) {
      Decision decision = super.decide(state, command, wishes, now);
      if (!state.exists() || !state.isHeld()) return decision;
      List<Event> events = new ArrayList<>(decision.events());
      for (Event event : decision.events())
        if (event instanceof Event.Completed e && !e.digits().guid().childrenSpawned())
          events.add(
              new Event.Spawned(
                  e.at(),
                  e.operation(),
                  Parent.CLOSES,
                  new Digits(
                      e.digits().activity(),
                      new dev.tenure.workflow.collation.GuidLedger(
                          e.digits().guid().value() + 1_000_000_000L),
                      e.digits().semaphore())));
      return new Decision(
          events, decision.effects(), decision.reply(), decision.returned(), decision.waits());
    }
  }

  /** Whatever stays open hears no more. */
  private static final class TakesOneMessage extends Broken {
    @Override
    public Admission admit(WorkflowState state, Command command, Instant now) {
      Admission admission = super.admit(state, command, now);
      boolean again =
          command instanceof Command.Signals
              && admission instanceof Admission.Accepted(List<News> news)
              && news.stream()
                  .anyMatch(
                      one ->
                          one instanceof News.Completed done
                              && state
                                  .operation(done.operation())
                                  .filter(open -> open.ledger().leg2Entries() > 0)
                                  .isPresent());
      return again ? new Admission.Ignored("It was answered before.") : admission;
    }
  }
}
