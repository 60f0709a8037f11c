package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.StartPolicy;
import dev.tenure.workflow.audit.HistoryAudit;
import dev.tenure.workflow.lifecycle.WorkflowPhase;
import dev.tenure.workflow.operation.MessageContent;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * Workflows that talk to each other over a net that loses, repeats and reorders, under owners that
 * die at any commit, or do not learn what became of it; an {@link HistoryAudit} reads along. All
 * chance is in the seed.
 */
final class Universe {
  private static final int ACTIONS = 120;
  private static final int ROUNDS_MAX = 3_000;

  private final Kernel kernel;
  private final long seed;
  private final SplittableRandom random;
  private final Fates fates;
  private final Map<String, Inhabitant> all = new LinkedHashMap<>();
  private final boolean faults;
  private final Course course;
  private Instant now = Shell.EPOCH;
  private long positions;
  int crashes;

  Universe(Kernel kernel, long seed, Course course) {
    this.kernel = kernel;
    this.seed = seed;
    this.random = new SplittableRandom(seed);
    this.fates = new Fates(random.split(), course);
    this.course = course;
    this.faults = course == Course.FAULTY;
  }

  /** Lives through random actions, then through quiet times in which everything must end. */
  void live() {
    try {
      begin();
      for (int at = 0; faults && at < ACTIONS; at++) act(any());
      comeToRest();
      finalCheck();
    } catch (RuntimeException broken) {
      throw new AssertionError("seed " + seed, broken);
    }
  }

  private void begin() {
    Inhabitant root = inhabitant("w");
    all.put("w", root);
    while (!root.shell.state().exists())
      tell(root, new Command.StartWorkflow(start("w", Optional.empty())));
  }

  private Inhabitant inhabitant(String id) {
    Shell shell = new Shell(kernel, () -> Programs.of(seed, id));
    if (seed % 3 == 1) shell.commitInPortions(seed * 31 + id.hashCode(), faults);
    Inhabitant one = new Inhabitant(id, shell, new HistoryAudit("seed " + seed + ", " + id));
    shell.carriesOver = true;
    shell.onDeath = () -> died(one);
    shell.onEffect = effect -> perform(one, effect);
    fates.decideFor(shell);
    shell.journal.onCommit =
        events -> {
          for (Event event : events)
            require(!event.at().isAfter(now), "I17 stamped in the future: " + event);
          one.committed(events);
        };
    return one;
  }

  private Start start(String id, Optional<Origin> origin) {
    Optional<Duration> timeout =
        seed % 5 == 0 ? Optional.of(Duration.ofSeconds(150)) : Optional.empty();
    return Programs.accounted(Shell.start(id, origin, timeout), seed, id);
  }

  private Inhabitant any() {
    return List.copyOf(all.values()).get(random.nextInt(all.size()));
  }

  private boolean chance(int oneIn) {
    return random.nextInt(oneIn) == 0;
  }

  // --- one action

  private void act(Inhabitant one) {
    switch (random.nextInt(20)) {
      case 0, 1, 2, 3, 4 -> finishAttempt(one);
      case 5, 6, 7, 8 -> deliver(one);
      case 9, 10 -> passTime(one);
      case 11, 12 -> accept(one, random.nextBoolean() ? "x" : "y");
      case 13, 14 -> readInbox(one);
      case 15 -> repeat(one);
      case 16 -> update(one);
      case 17 -> order(one);
      case 18 -> several(one);
      default -> {
        if (chance(2)) crash(one);
        else one.shell.rest();
      }
    }
  }

  private void tell(Inhabitant one, Command command) {
    one.shell.now = now;
    one.said.add(command);
    one.answered(command, one.shell.tell(command));
    after(one);
  }

  /** What a rebuilt state says is what it says, whoever has it in memory now. */
  private void after(Inhabitant one) {
    one.requireSameFold(kernel);
    if (course == Course.FAULTY && chance(12)) crash(one);
  }

  private void perform(Inhabitant one, Effect effect) {
    one.audit.effect(effect);
    one.perform(effect, random, faults);
  }

  private void crash(Inhabitant one) {
    died(one);
    recover(one);
  }

  private void recover(Inhabitant one) {
    one.shell.now = now;
    one.shell.recover();
    after(one);
  }

  /** Nobody performed what followed from the commit: the next owner finds it in the history. */
  private void died(Inhabitant one) {
    crashes++;
    // What ran with the old owner may be lost, or report later all the same.
    one.attempts.removeIf(attempt -> course == Course.RESTARTING || chance(2));
    if (course == Course.RESTARTING) one.outgoing.clear();
  }

  private void finishAttempt(Inhabitant one) {
    one.attempts.sort(Comparator.comparing(Command::toString));
    if (!one.attempts.isEmpty())
      tell(one, one.attempts.remove(random.nextInt(one.attempts.size())));
  }

  private void repeat(Inhabitant one) {
    if (!one.said.isEmpty()) tell(one, one.said.get(random.nextInt(one.said.size())));
  }

  private void passTime(Inhabitant one) {
    Optional<Instant> due = one.shell.state().nextDue();
    if (due.isPresent() && due.get().isAfter(now) && chance(2)) now = due.get();
    else now = now.plusMillis(random.nextInt(5_000));
    due(one);
  }

  private void due(Inhabitant one) {
    tell(one, new Command.Due());
    tell(one, new Command.NoSignal(one.shell.waitsDue()));
  }

  private void update(Inhabitant one) {
    String text = chance(3) ? "bad" : "good";
    tell(one, new Command.Update("u" + random.nextInt(5), "set", Script.text(text)));
  }

  private void order(Inhabitant one) {
    switch (random.nextInt(11)) {
      case 0 -> tell(one, new Command.Cancel("why not"));
      case 1, 2 -> tell(one, new Command.Pause("look"));
      case 3, 4 -> tell(one, new Command.Resume());
      case 5 -> tell(one, new Command.RaiseIncident(new Incident.Other("test", "look")));
      case 6 -> {
        if (chance(4)) tell(one, new Command.Terminate("enough"));
        else if (chance(8))
          tell(one, new Command.ResourceDiffers(OperationId.of("", "act", 1), "it is gone"));
        else one.shell.backingOff().ifPresent(id -> tell(one, one.shell.retry(id)));
      }
      case 7 -> {
        one.shell.now = now;
        one.shell.move();
        after(one);
      }
      case 8 -> startAgain(one);
      case 9 -> one.shell.openActivity().ifPresent(id -> conclude(one, id));
      default -> tell(one, new Command.Block("no code"));
    }
  }

  private void conclude(Inhabitant one, OperationId activity) {
    tell(one, AttemptResults.concluded(random, one.shell.seen(activity)));
  }

  /** Somebody starts another workflow under its id; he may say so twice. */
  private void startAgain(Inhabitant one) {
    StartPolicy policy = chance(2) ? StartPolicy.TERMINATE_IF_RUNNING : StartPolicy.ALLOW_IF_CLOSED;
    Start named = Shell.startAgain(one.id, "again " + random.nextInt(4));
    Start again = Programs.accounted(named, seed, one.id);
    tell(one, new Command.StartWorkflow(again, policy));
  }

  private void several(Inhabitant one) {
    List<Command> commands = new ArrayList<>();
    while (!one.attempts.isEmpty() && commands.size() < 3) commands.add(one.attempts.removeFirst());
    if (chance(2)) {
      commands.add(new Command.Due());
      commands.add(new Command.NoSignal(one.shell.waitsDue()));
    }
    if (!one.inbox.isEmpty()) commands.add(new Command.Signals(List.copyOf(one.inbox.values())));
    if (chance(6)) commands.add(new Command.Cancel("among others"));
    if (chance(20)) commands.add(new Command.Terminate("among others"));
    if (chance(10)) commands.add(new Command.Pause("among others"));
    if (!commands.isEmpty()) tell(one, new Command.Several(commands));
  }

  // --- signals

  private boolean accept(Inhabitant one, String signal) {
    positions++;
    return one.accept(positions, signal, "s" + positions, Script.text("p" + positions));
  }

  /**
   * A reader may be behind, and then sees what is consumed already. The next owner, which may begin
   * the next run, has a reader of its own.
   */
  private void readInbox(Inhabitant one) {
    boolean late = faults && chance(3) && one.shell.journal.isOwned();
    List<Command.Arrival> seen = late ? one.lateRead() : List.copyOf(one.inbox.values());
    if (!seen.isEmpty()) tell(one, new Command.Signals(seen));
  }

  // --- messages

  private void deliver(Inhabitant one) {
    if (one.outgoing.isEmpty()) return;
    List<OperationId> ids = new ArrayList<>(one.outgoing.keySet());
    ids.sort(Comparator.comparing(OperationId::value));
    OperationId id = ids.get(random.nextInt(ids.size()));
    Command acknowledgement = arrive(one.outgoing.get(id));
    // The acknowledgement may be lost: then the message comes again.
    if (faults && chance(4)) return;
    one.outgoing.remove(id);
    tell(one, acknowledgement);
  }

  private Command arrive(Effect.Deliver delivery) {
    return switch (delivery) {
      case Effect.StartChild(var operation, Origin origin, OperationSpec.Child child) ->
          startChild(operation, origin, child);
      case Effect.Send(var guid, OperationId operation, OperationSpec.Message message) ->
          new Command.MessageAcknowledged(
              operation,
              arrive(message.target().value(), operation, guid.value(), message.content()));
    };
  }

  private Command startChild(OperationId operation, Origin origin, OperationSpec.Child child) {
    String id = child.id().value();
    Inhabitant target = all.computeIfAbsent(id, this::inhabitant);
    Start start = start(id, Optional.of(origin));
    tell(target, new Command.StartWorkflow(start, child.policy()));
    // What the start says about itself is what stands in the history, whoever was faster.
    boolean ours =
        target.shell.state().exists() && target.shell.state().start().runOf(start).isPresent();
    if (ours) return new Command.ChildAcknowledged(operation);
    if (!target.shell.state().exists()) return startChild(operation, origin, child);
    return new Command.ChildEnded(
        operation,
        new Outcome.Failed(Failure.permanent(Failure.UNDELIVERABLE, "The id is taken.")));
  }

  private Outcome arrive(String targetId, OperationId sender, String guid, MessageContent content) {
    Inhabitant target = all.get(targetId);
    // What a run leaves to the next has a name of the engine's, whoever sent it first.
    boolean engines = sender.isEngines() && !sender.name().equals("carried");
    require(target != null || !engines, "a child is told something before it exists");
    Outcome nobody = new Outcome.Failed(Failure.permanent(Failure.UNDELIVERABLE, "Nobody there."));
    if (target == null || !target.shell.state().exists()) return nobody;
    switch (content) {
      case MessageContent.Signal(String signal, Payload payload, var child) -> {
        return target.accept(++positions, signal, guid, payload) ? Outcome.DONE : nobody;
      }
      case MessageContent.Cancel(String reason, var child) ->
          tell(target, new Command.Cancel(reason, child));
      case MessageContent.Terminate(String reason, var child) -> {
        while (!target.shell.state().phase().isOver() && target.isOf(child))
          tell(target, new Command.Terminate(reason, child));
      }
      case MessageContent.ChildEnded(OperationId operation, Outcome outcome, var started) -> {
        // It is acknowledged once it is durable, or no news any more.
        while (target.awaits(operation)
            && started.get().equals(Dispatch.guid(target.shell.state().start(), operation)))
          tell(target, new Command.ChildEnded(operation, outcome, started));
      }
    }
    return Outcome.DONE;
  }

  // --- the end

  private void comeToRest() {
    for (int round = 0; round < ROUNDS_MAX; round++) {
      boolean open = false;
      for (Inhabitant one : List.copyOf(all.values()))
        if (one.shell.state().phase() != WorkflowPhase.CLOSED) {
          open = true;
          help(one);
        }
      if (!open) return;
    }
    throw new AssertionError(
        "I8 seed "
            + seed
            + ": stuck: "
            + all.values().stream()
                .filter(one -> one.shell.state().phase() != WorkflowPhase.CLOSED)
                .map(one -> one.id + " " + one.shell.state())
                .toList());
  }

  private void help(Inhabitant one) {
    WorkflowState state = one.shell.state();
    one.shell.now = now;
    if (!one.shell.journal.isOwned()) recover(one);
    else if (state.incident().isPresent()) {
      Optional<OperationId> activity = one.shell.activityOfIncident().filter(id -> chance(2));
      if (activity.isPresent()) {
        conclude(one, activity.get());
        return;
      }
      one.shell.resolve(() -> Programs.of(seed, one.id));
      after(one);
    } else if (state.blockReason().isPresent()) recover(one);
    else if (state.pauseReason().isPresent()) tell(one, new Command.Resume());
    else if (!one.attempts.isEmpty()) finishAttempt(one);
    else if (!one.outgoing.isEmpty()) deliver(one);
    else if (state.wakeAt().equals(Wake.NOW))
      throw new AssertionError("I8 seed " + seed + ": in flight, and nobody has it: " + state);
    else idle(one);
  }

  private void idle(Inhabitant one) {
    WorkflowState state = one.shell.state();
    if (!one.inbox.isEmpty() && chance(2)) readInbox(one);
    else if (state.awaitsSignal("x") && chance(2)) accept(one, "x");
    else if (state.awaitsSignal("y") && chance(2)) accept(one, "y");
    else if (state.nextDue().isPresent()) {
      if (state.nextDue().get().isAfter(now)) now = state.nextDue().get();
      due(one);
    } else if (chance(2))
      tell(one, new Command.Update("v" + positions++, "set", Script.text("good")));
  }

  private void finalCheck() {
    for (Inhabitant one : all.values()) {
      require(one.audit.isClosed(), "I8 " + one.id + " is not closed");
      one.checkInbox();
    }
  }

  /** How everything came out, for comparison with another course of the same events. */
  String outcomes() {
    return all.values().stream().map(Inhabitant::outcome).collect(Collectors.joining("\n"));
  }

  /** With their histories, for whoever wants to read them. */
  List<Shell> shells() {
    return all.values().stream().map(one -> one.shell).toList();
  }

  private void require(boolean holds, String what) {
    if (!holds) throw new AssertionError(what + ", seed " + seed);
  }
}
