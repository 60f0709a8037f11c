package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.lifecycle.OperationPhase;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * A workflow's owner, in memory: admits, advances, decides, commits, folds. It can lose its memory
 * at any commit and rebuild it from the history.
 */
final class Shell {
  static final Instant EPOCH = Instant.parse("2026-03-01T09:00:00Z");

  final List<List<Event>> history = new ArrayList<>();
  final List<Effect> effects = new ArrayList<>();
  private final Kernel kernel;
  private Supplier<Program> code;
  WorkflowState state = WorkflowState.none();
  Instant now = EPOCH;
  private Program program;
  Admission admission;

  /** Sees every commit as it happens. */
  Consumer<List<Event>> onCommit = events -> {};

  /** How many wishes the next commit holds. */
  IntSupplier portion = () -> Integer.MAX_VALUE;

  /** What followed from a commit goes out before the next one holds the rest. */
  Runnable beforeTheRest = () -> {};

  /** Whether the owner dies between two commits that hold one program's wishes together. */
  BooleanSupplier diesBetween = () -> false;

  Shell(Kernel kernel, Supplier<Program> code) {
    this.kernel = kernel;
    this.code = code;
    this.program = code.get();
  }

  Shell(Script.Part main) {
    this(Kernel.standard(), () -> new Script(main));
  }

  static Start start(String id) {
    return start(id, Optional.empty(), Optional.empty());
  }

  /** A start whose caller calls it something, unless it is a child's. */
  static Start start(String id, Optional<Origin> origin, Optional<Duration> timeout) {
    return new Start(
        WorkflowId.of(id),
        "run-" + id,
        new WorkflowType("script", 1),
        Payload.NONE,
        42,
        origin.isPresent() ? Optional.empty() : Optional.of("request-" + id),
        origin,
        timeout,
        Map.of());
  }

  /** Another start of the same id. */
  static Start startAgain(String id, String request) {
    return new Start(
        WorkflowId.of(id),
        "run-" + id + "-" + request,
        new WorkflowType("script", 1),
        Script.text(request),
        43,
        Optional.of(request),
        Optional.empty(),
        Optional.empty(),
        Map.of());
  }

  /** Starts it under the id "w". */
  static Shell started(Script.Part main) {
    Shell shell = new Shell(main);
    shell.tell(new Command.StartWorkflow(start("w")));
    return shell;
  }

  /** Tells it, and commits what follows. */
  Reply tell(Command command) {
    if (command instanceof Command.Retry retry && state.standsStillFor(retry.operation()))
      return mend(command);
    return switch (admit(command)) {
      case Admission.Accepted(List<News> news) ->
          commit(command, news.isEmpty() ? Wishes.NONE : program.advance(news));
      case Admission.Refused(Reply reply) -> reply;
      case Admission.Duplicate(Reply reply) -> reply;
      case Admission.Ignored ignored -> null;
    };
  }

  Admission admit(Command command) {
    admission = kernel.admit(state, command, now);
    return admission;
  }

  /** Its commits hold two wishes at most; by a chance of its own, which changes no other. */
  void commitInPortions(long seed, boolean faults) {
    SplittableRandom portions = new SplittableRandom(seed);
    int size = portions.nextInt(3);
    // Whether a child is told to stop before its parent ends may depend on it: see the end of runs.
    portion = () -> faults ? portions.nextInt(3) : size;
    diesBetween = () -> faults && portions.nextInt(4) == 0;
  }

  /** As where a commit does not hold all that the program asks for: the rest follows. */
  Reply commit(Command command, Wishes wishes) {
    int first = portion.getAsInt();
    Reply reply = commitOne(command, wishes.first(first));
    Wishes rest = wishes.after(first);
    while (!rest.isEmpty() && !state.phase().isOver()) {
      if (diesBetween.getAsBoolean()) {
        recover();
        return reply;
      }
      beforeTheRest.run();
      int next = Math.max(1, portion.getAsInt());
      admit(new Command.GrantMore());
      commitOne(new Command.GrantMore(), rest.first(next));
      rest = rest.after(next);
    }
    return reply;
  }

  private Reply commitOne(Command command, Wishes wishes) {
    Decision decision = kernel.decide(state, command, wishes, now);
    if (!decision.events().isEmpty()) {
      history.add(decision.events());
      onCommit.accept(decision.events());
    }
    for (Event event : decision.events()) state = kernel.evolve(state, event);
    effects.addAll(decision.effects());
    return decision.reply();
  }

  /** The commit of this command never happens, and the owner is gone: all it knew is lost. */
  void crashBeforeCommit(Command command) {
    if (admit(command) instanceof Admission.Accepted(List<News> news)) {
      Wishes wishes = news.isEmpty() ? Wishes.NONE : program.advance(news);
      kernel.decide(state, command, wishes, now);
    }
    forget();
  }

  /** Loses everything but the history. */
  void forget() {
    state = WorkflowState.none();
    program = null;
    effects.clear();
  }

  /** A new owner takes over what is committed. */
  void recover() {
    forget();
    Replay replay = rebuild();
    if (!state.exists()) {
      program = code.get();
      return;
    }
    if (state.phase().isOver() || state.incident().isPresent()) {
      tell(new Command.Recovered());
      return;
    }
    switch (rehearse(replay)) {
      case Replay.Comparison.Drifted(Incident.Drift drift) ->
          tell(new Command.RaiseIncident(drift));
      case Replay.Comparison.Same(Wishes rest) -> proceed(new Command.Recovered(), rest);
    }
  }

  /** A person says that the incident is mended, perhaps with other code. */
  Reply resolve(Supplier<Program> mended) {
    return resolve(mended, Optional.empty());
  }

  /** The same, of a run that had no version before. */
  Reply resolve(Supplier<Program> mended, Optional<Integer> version) {
    code = mended;
    return mend(new Command.ResolveIncident("mended", version));
  }

  /** A person pins it to the next version, whose code is the same. */
  Reply move() {
    if (!state.exists() || state.phase().isOver())
      return tell(new Command.MoveToVersion(2, "too late"));
    return mend(new Command.MoveToVersion(state.start().type().version() + 1, "moved"));
  }

  /** As an owner does it: with a program that was rebuilt and rehearsed first. */
  private Reply mend(Command command) {
    forget();
    return switch (rehearse(rebuild())) {
      case Replay.Comparison.Drifted drifted -> null;
      case Replay.Comparison.Same(Wishes rest) -> proceed(command, rest);
    };
  }

  private Reply proceed(Command command, Wishes rest) {
    return switch (admit(command)) {
      case Admission.Accepted(List<News> news) ->
          commit(command, rest.then(news.isEmpty() ? Wishes.NONE : program.advance(news)));
      case Admission.Refused(Reply reply) -> reply;
      case Admission.Duplicate(Reply reply) -> reply;
      case Admission.Ignored ignored -> null;
    };
  }

  private Replay rebuild() {
    Replay replay = new Replay();
    for (List<Event> commit : history)
      for (Event event : commit) {
        state = kernel.evolve(state, event);
        replay.add(event);
      }
    return replay;
  }

  private Replay.Comparison rehearse(Replay replay) {
    program = code.get();
    return replay.compare(program.advance(replay.news(state)));
  }

  void changeCode(Supplier<Program> newer) {
    code = newer;
  }

  /** A step that waits for its next attempt, while nothing needs a person. */
  Optional<OperationId> backingOff() {
    if (state.incident().isPresent()) return Optional.empty();
    return state.openOperations().stream()
        .filter(operation -> operation.phase() == OperationPhase.BACKING_OFF)
        .map(Operation::id)
        .findFirst();
  }

  // --- what tests say

  void advance(Duration span) {
    now = now.plus(span);
  }

  /** Nothing stands in the inbox for those who wait for signals. */
  Reply due() {
    List<OperationId> waits = waitsDue();
    Reply reply = tell(new Command.Due());
    return waits.isEmpty() ? reply : tell(new Command.NoSignal(waits));
  }

  List<OperationId> waitsDue() {
    return state.waitsDue(now).stream().map(Operation::id).toList();
  }

  Reply succeed(String operation, String value) {
    return succeed(operation, 1, value);
  }

  Reply succeed(String operation, int attempt, String value) {
    return tell(
        new Command.AttemptEnded(
            new OperationId(operation), attempt, new Outcome.Succeeded(Script.text(value))));
  }

  Reply fail(String operation, int attempt, Failure failure) {
    return tell(
        new Command.AttemptEnded(new OperationId(operation), attempt, new Outcome.Failed(failure)));
  }

  Reply signal(String name, long position) {
    return tell(new Command.Signals(List.of(arrival(name, position))));
  }

  static Command.Arrival arrival(String name, long position) {
    return new Command.Arrival(name, position, "id-" + position, Script.text("s" + position));
  }

  List<Event> lastCommit() {
    return history.getLast();
  }

  List<Event> events() {
    return history.stream().flatMap(List::stream).toList();
  }

  /** The history from where the newest run begins. */
  List<Event> newestRun() {
    List<Event> all = events();
    for (int at = all.size() - 1; at > 0; at--)
      if (Fork.followsRun(all.get(at))) return all.subList(at, all.size());
    return all;
  }

  <E extends Event> List<E> events(Class<E> type) {
    return events().stream().filter(type::isInstance).map(type::cast).toList();
  }

  <F extends Effect> List<F> effects(Class<F> type) {
    return effects.stream().filter(type::isInstance).map(type::cast).toList();
  }

  String result() {
    return Script.text(((Outcome.Succeeded) state.outcome().orElseThrow()).value());
  }
}
