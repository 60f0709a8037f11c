package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.lifecycle.OperationPhase;
import dev.tenure.workflow.operation.AttemptRef;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import dev.tenure.workflow.owner.OwnerLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * A workflow with all that a test says to it. Its life is an {@link OwnerLoop}'s, over a {@link
 * MemoryJournal}; whoever says something to a workflow without an owner has it taken up.
 */
final class Shell {
  static final Instant EPOCH = Instant.parse("2026-03-01T09:00:00Z");

  final MemoryJournal journal;
  final List<List<Event>> history;

  /** What followed from the commits of the newest owner. */
  final List<Effect> effects = new ArrayList<>();

  private final Kernel kernel;
  private Supplier<Program> code;
  Instant now = EPOCH;

  /** Null while nobody has it in memory. */
  private KernelDecider decider;

  /** Of what was said last. */
  Admission admission;

  /** What the newest commit is of. */
  Command deciding;

  Consumer<Effect> onEffect = effects::add;

  /** Sees the state that is in memory whenever a commit stands. */
  Consumer<WorkflowState> onStands = state -> {};

  /** What happens when an owner has died, before another takes its place. */
  Runnable onDeath = () -> {};

  /** How many wishes the next commit holds. */
  IntSupplier portion = () -> Integer.MAX_VALUE;

  /** Whether a new run stays with its owner; otherwise it waits for another one. */
  boolean carriesOver;

  int carriedOver;

  Shell(Kernel kernel, Supplier<Program> code) {
    this.kernel = kernel;
    this.code = code;
    this.journal =
        new MemoryJournal(
            () -> {
              effects.clear();
              return decider();
            });
    this.history = journal.history;
  }

  Shell(Script.Part main) {
    this(Kernel.standard(), () -> new Script(main));
  }

  KernelDecider decider() {
    decider = new KernelDecider(this, kernel);
    return decider;
  }

  void gone(KernelDecider given) {
    if (decider == given) decider = null;
  }

  Program program() {
    return code.get();
  }

  /** As its owner has it in memory; as the history says when it has none. */
  WorkflowState state() {
    if (decider != null) return decider.state();
    WorkflowState folded = WorkflowState.none();
    for (Event event : events()) folded = kernel.evolve(folded, event);
    return folded;
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
    return tell(new Told.Order(command));
  }

  /** As if the program asked for this. */
  Reply commit(Command command, Wishes wishes) {
    return tell(new Told.Order(command, Optional.of(wishes)));
  }

  private Reply tell(Told.Order order) {
    journal.tell(order);
    replaceTheDead();
    return order.reply;
  }

  private void replaceTheDead() {
    while (journal.hasDied()) {
      onDeath.run();
      journal.takeUp();
    }
  }

  /** What the kernel would say to it. */
  Admission admit(Command command) {
    return kernel.admit(state(), command, now);
  }

  /** Its commits hold two wishes at most; by a chance of its own, which changes no other. */
  void commitInPortions(long seed, boolean faults) {
    SplittableRandom portions = new SplittableRandom(seed);
    int size = portions.nextInt(3);
    // Whether a child is told to stop before its parent ends may depend on it: see the end of runs.
    portion = () -> faults ? portions.nextInt(3) : size;
    if (faults)
      journal.fate =
          events ->
              deciding instanceof Command.GrantMore && portions.nextInt(4) == 0
                  ? MemoryJournal.Fate.DIES_BEFORE
                  : MemoryJournal.Fate.STANDS;
  }

  /** The owner dies, and another takes over what is committed. */
  void recover() {
    journal.kill();
    journal.takeUp();
    replaceTheDead();
  }

  /** It leaves the memory until somebody says something to it. */
  void rest() {
    if (journal.isOwned()) journal.tell(Told.REST);
  }

  /** Folds what no commit of a test can bring about. */
  void evolve(Event... events) {
    for (Event event : events) kernel.evolve(state(), event);
  }

  /** A person says that the incident is mended, perhaps with other code. */
  Reply resolve(Supplier<Program> mended) {
    return resolve(mended, Optional.empty());
  }

  /** The same, of a run that had no version before. */
  Reply resolve(Supplier<Program> mended, Optional<Integer> version) {
    code = mended;
    return tell(new Command.ResolveIncident("mended", version));
  }

  /** A person pins it to the next version, whose code is the same. */
  Reply move() {
    if (!state().exists() || state().phase().isOver())
      return tell(new Command.MoveToVersion(2, "too late"));
    return tell(new Command.MoveToVersion(state().start().type().version() + 1, "moved"));
  }

  void changeCode(Supplier<Program> newer) {
    code = newer;
  }

  /** A step that waits for its next attempt, while nothing needs a person. */
  Optional<OperationId> backingOff() {
    if (state().incident().isPresent()) return Optional.empty();
    return state().openOperations().stream()
        .filter(operation -> operation.phase() == OperationPhase.BACKING_OFF)
        .map(Operation::id)
        .findFirst();
  }

  /** An activity that is open: one that waits for its next attempt before any other. */
  Optional<OperationId> openActivity() {
    return state().openOperations().stream()
        .filter(operation -> operation.spec() instanceof OperationSpec.Activity)
        .max(Comparator.comparing(one -> one.phase() == OperationPhase.BACKING_OFF))
        .map(Operation::id);
  }

  /** The activity that its incident is about, if a person can conclude it. */
  Optional<OperationId> activityOfIncident() {
    return state()
        .incident()
        .flatMap(Incident::about)
        .filter(state()::standsStillFor)
        .flatMap(state()::operation)
        .filter(operation -> operation.spec() instanceof OperationSpec.Activity)
        .filter(operation -> operation.phase() == OperationPhase.BACKING_OFF)
        .map(Operation::id);
  }

  // --- what people say

  /** The attempt at it that a person sees now. */
  AttemptRef seen(OperationId id) {
    WorkflowState state = state();
    return new AttemptRef(
        state.exists() ? state.start().runId() : "run-w",
        id,
        state.exists() ? state.operation(id).map(Operation::attempt).orElse(1) : 1);
  }

  Command.Retry retry(OperationId id) {
    return new Command.Retry(seen(id), "");
  }

  Command.Conclude conclude(OperationId id, Outcome outcome, String note) {
    return new Command.Conclude(seen(id), outcome, note);
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
    return state().waitsDue(now).stream().map(Operation::id).toList();
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
    return newestRun(events());
  }

  static List<Event> newestRun(List<Event> all) {
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
    return Script.text(((Outcome.Succeeded) state().outcome().orElseThrow()).value());
  }
}
