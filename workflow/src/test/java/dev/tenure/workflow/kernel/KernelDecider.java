package dev.tenure.workflow.kernel;

import dev.tenure.workflow.owner.Decider;
import dev.tenure.workflow.owner.Next;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Has the kernel decide, and a program that needs no thread go on, as a {@link Shell} says. */
final class KernelDecider implements Decider<Told, List<Event>, MemoryJournal.SnapshotAt> {
  private final Shell shell;
  private final Kernel kernel;

  /** What to take up next, before what others say. */
  private final Deque<Told.Order> own = new ArrayDeque<>();

  private WorkflowState state = WorkflowState.none();
  private Replay replay = new Replay();

  /** Until its last commit is read, its state is not known. */
  private Optional<MemoryJournal.SnapshotAt> awaited = Optional.empty();

  private int commitsRead;

  /** Null when it is not needed, or cannot be brought to where the history ends. */
  private Program program;

  /** What the program asked for and was not granted. */
  private final Ungranted ungranted = new Ungranted();

  /** What it began for. */
  private Told.Order repair;

  KernelDecider(Shell shell, Kernel kernel) {
    this.shell = shell;
    this.kernel = kernel;
  }

  WorkflowState state() {
    return state;
  }

  // --- the history

  @Override
  public void recover(List<Event> events) {
    for (Event event : events) {
      if (awaited.isEmpty()) state = kernel.evolve(state, event);
      replay.add(event);
    }
    commitsRead++;
    awaited
        .filter(snapshot -> snapshot.commits() == commitsRead)
        .ifPresent(snapshot -> state = snapshot.state().state());
    awaited = awaited.filter(snapshot -> snapshot.commits() > commitsRead);
  }

  @Override
  public void restore(MemoryJournal.SnapshotAt snapshot) {
    awaited = Optional.of(snapshot);
  }

  @Override
  public Next<List<Event>> begin() {
    Optional<Told.Order> begunFor = shell.journal.mailbox.takeRepair();
    repair = begunFor.orElse(null);
    boolean held = state.incident().isPresent() && repair == null;
    boolean needed = state.exists() && !state.phase().isOver() && !held;
    Told.Order first = begunFor.orElseGet(() -> new Told.Order(new Command.Recovered()));
    if (needed) {
      program = shell.program();
      switch (replay.compare(program.advance(replay.news(state)))) {
        case Replay.Comparison.Same(Wishes rest) -> ungranted.keep(rest);
        case Replay.Comparison.Drifted(Incident.Drift drift) -> {
          program = null;
          // What would repair it does not fit either.
          if (repair != null) return new Next.Restart<>("It goes on as it was.");
          first = new Told.Order(new Command.RaiseIncident(drift));
        }
      }
    }
    replay = null;
    own.add(first);
    return work();
  }

  // --- what it is told

  @Override
  public Next<List<Event>> on(Told message) {
    return switch (message) {
      case Told.Rest rest -> Next.leave();
      case Told.Order order -> {
        own.add(order);
        yield work();
      }
    };
  }

  @Override
  public Next<List<Event>> goOn() {
    return work();
  }

  private Next<List<Event>> work() {
    while (!own.isEmpty()) {
      Next<List<Event>> next = take(own.remove());
      if (!(next instanceof Next.Nothing)) return next;
    }
    return Next.nothing();
  }

  private Next<List<Event>> take(Told.Order order) {
    Command command = order.command;
    if (order != repair && isRepair(command)) {
      shell.journal.mailbox.beginWith(order);
      return new Next.Restart<>("The program begins again, as it is to go on.");
    }
    Admission admission = kernel.admit(state, command, shell.now);
    shell.admission = admission;
    return switch (admission) {
      case Admission.Accepted(List<News> news) -> decide(order, wishes(order, news));
      case Admission.Refused(Reply reply) -> answered(order, reply);
      case Admission.Duplicate(Reply reply) -> answered(order, reply);
      case Admission.Ignored ignored -> Next.nothing();
    };
  }

  /** The program has to begin again for it. */
  private boolean isRepair(Command command) {
    if (!state.exists() || state.phase().isOver()) return false;
    if (command instanceof Command.MoveToVersion move)
      return move.version() != state.start().type().version();
    if (command instanceof Command.Retry retry) return state.standsStillFor(retry.operation());
    if (command instanceof Command.Conclude conclude)
      return state.standsStillFor(conclude.operation());
    return command instanceof Command.ResolveIncident && state.incident().isPresent();
  }

  private static Next<List<Event>> answered(Told.Order order, Reply reply) {
    order.reply = reply;
    return Next.nothing();
  }

  private Wishes wishes(Told.Order order, List<News> news) {
    if (!state.exists() && order.command instanceof Command.StartWorkflow)
      program = shell.program();
    if (order.wishes.isPresent()) return order.wishes.get();
    if (program == null) return Wishes.UNASKED;
    return news.isEmpty() ? Wishes.NONE : program.advance(news);
  }

  // --- one commit

  private Next<List<Event>> decide(Told.Order order, Wishes wishes) {
    Wishes asked = ungranted.take(order.command, state, wishes);
    int least = order.command instanceof Command.GrantMore ? 1 : 0;
    int count = Math.max(least, shell.portion.getAsInt());
    Decision decision = kernel.decide(state, order.command, asked.first(count), shell.now);
    Wishes rest = decision.rest(asked, count);
    if (decision.events().isEmpty()) {
      follow(order, decision);
      keep(rest, decision.waits());
      return Next.nothing();
    }
    shell.deciding = order.command;
    return new Next.Commit<>(
        decision.events(),
        !decision.events().stream().allMatch(Event.Redelivered.class::isInstance),
        () -> {
          for (Event event : decision.events()) state = kernel.evolve(state, event);
          follow(order, decision);
          keep(rest, decision.waits());
          shell.onStands.accept(state);
          boolean renews =
              decision.events().stream()
                  .anyMatch(event -> Fork.followsRun(event) || event instanceof Event.Forked);
          if (!renews) return Next.nothing();
          return shell.carriesOver ? Next.carryOver() : Next.leave();
        });
  }

  private void keep(Wishes rest, boolean waits) {
    if (rest.isEmpty() || program == null) return;
    ungranted.keep(rest);
    if (!waits) own.addFirst(new Told.Order(new Command.GrantMore()));
  }

  private void follow(Told.Order order, Decision decision) {
    decision.effects().forEach(shell.onEffect);
    order.reply = decision.reply();
    if (!state.exists() || !state.phase().isOver()) return;
    program = null;
    ungranted.forget();
  }

  // --- its end

  @Override
  public Decider<Told, List<Event>, MemoryJournal.SnapshotAt> carryOver() {
    shell.carriedOver++;
    KernelDecider next = shell.decider();
    next.recover(Shell.newestRun(shell.journal.history.getLast()));
    return next;
  }

  @Override
  public void cannotCommit(RuntimeException why) {
    throw why;
  }

  @Override
  public void end(String why) {
    shell.gone(this);
  }
}
