package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.audit.HistoryAudit;
import dev.tenure.workflow.collation.JobSemaphore;
import dev.tenure.workflow.lifecycle.WorkflowPhase;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * One random graph under random messages, beside a {@link GraphModel}: what the kernel counts is
 * what the model counts, after every commit. All chance is in the seed.
 */
final class GraphRun {
  private static final int MESSAGES = 70;

  private final long seed;
  private final SplittableRandom random;
  private final GraphModel model;
  private final Shell shell;
  private final Accounting accounting;
  private final List<Command> said = new ArrayList<>();

  /** What was recorded while the graph was held, and whether it went well. */
  private final Map<OperationId, Boolean> withheld = new LinkedHashMap<>();

  private long positions;
  private String last = "";

  GraphRun(Kernel kernel, long seed) {
    this.seed = seed;
    this.random = new SplittableRandom(seed);
    Graph drawn = Graph.random(seed, "w.0.0");
    Graph graph = new Graph(drawn.roots(), drawn.threshold(), Optional.empty());
    this.model = new GraphModel(graph);
    this.accounting = graph.accounting();
    this.shell = new Shell(kernel, () -> new GraphScript(graph));
    HistoryAudit audit = new HistoryAudit("seed " + seed);
    shell.journal.onCommit = audit::commit;
    // Where the threshold is crossed on the way depends on what one commit holds.
    if (graph.threshold() == 0 && seed % 2 == 0) shell.commitInPortions(seed, true);
  }

  void live() {
    try {
      model.start();
      last = "start";
      shell.tell(new Command.StartWorkflow(Shell.start("w").with(accounting)));
      check();
      for (int i = 0; i < MESSAGES; i++) act(random.nextInt(12));
      release();
      for (int i = 0; i < 2_000 && !model.closed; i++) act(model.open.isEmpty() ? 11 : 0);
      require(model.closed, "it never closes: " + model.open.keySet());
      for (int i = 0; i < 20; i++) repeat();
    } catch (RuntimeException broken) {
      throw new AssertionError("seed " + seed + " after " + last, broken);
    }
  }

  private boolean isHeld() {
    return shell.state().exists() && shell.state().isHeld();
  }

  private void act(int what) {
    last = "action " + what;
    switch (what) {
      case 0, 1, 2, 3, 4, 5 -> model.any(random.nextInt(1_000)).ifPresent(this::answer);
      case 6, 7 -> repeat();
      case 8 -> {
        if (!model.closed) shell.tell(new Command.Pause("look"));
      }
      case 9 -> release();
      case 10 -> shell.recover();
      default -> unexpected();
    }
    check();
  }

  /** Everything that is due, one attempt, one signal, or one acknowledgement. */
  private void answer(GraphModel.Item item) {
    OperationId id = item.id();
    if (model.closed || withheld.containsKey(id)) return;
    Optional<Operation> open = shell.state().operation(id);
    require(open.isPresent(), "it is not open: " + id);
    switch (item.node.spec().orElseThrow()) {
      case OperationSpec.Attempted attempted -> attempt(open.get());
      case OperationSpec.SignalWait wait -> signal(wait.signal());
      case OperationSpec.Message message ->
          came(id, new Command.MessageAcknowledged(id, Outcome.DONE), true);
      case OperationSpec.Timer timer -> {
        if (isHeld()) return;
        shell.now = open.get().dueAt().orElseThrow();
        due();
      }
      case OperationSpec.Child _, OperationSpec.Cycle _, OperationSpec.Value _ ->
          throw new IllegalStateException(item.toString());
    }
  }

  private void attempt(Operation operation) {
    OperationId id = operation.id();
    boolean canConclude =
        operation.spec() instanceof OperationSpec.Activity && isBackingOff(operation);
    if (canConclude && random.nextInt(3) == 0) {
      conclude(id, random.nextBoolean());
      return;
    }
    boolean waits = operation.dueAt().isPresent() && operation.lastFailure().isPresent();
    if (waits && !shell.state().isHeld()) {
      if (operation.dueAt().get().isAfter(shell.now)) shell.now = operation.dueAt().get();
      due();
    }
    Optional<Operation> now = shell.state().operation(id);
    if (now.isEmpty() || withheld.containsKey(id)) return;
    int attempt = now.get().attempt();
    boolean fails = random.nextInt(5) == 0;
    Outcome outcome =
        fails
            ? new Outcome.Failed(Failure.retryable("x", "y"))
            : new Outcome.Succeeded(Script.text("r"));
    Command command = new Command.AttemptEnded(id, attempt, outcome);
    int before = shell.history.size();
    int messages = now.get().ledger().leg2Entries();
    if (!(shell.admit(command) instanceof Admission.Accepted)) return;
    boolean comesBack = fails && attempt < 3;
    if (comesBack) {
      model.attemptFailed(id);
      say(command);
    } else came(id, command, !fails);
    require(shell.history.size() > before, "attempt " + attempt + " changed nothing " + messages);
  }

  private void conclude(OperationId id, boolean well) {
    Outcome outcome =
        well
            ? new Outcome.Succeeded(Script.text("r"))
            : new Outcome.Failed(Failure.permanent("x", "y"));
    came(id, shell.conclude(id, outcome, "looked it up"), well);
  }

  /** Whatever is due: timers and waits come out, attempts begin. */
  private void due() {
    Map<OperationId, Boolean> news = new LinkedHashMap<>();
    for (Operation operation : shell.state().open.dueBy(shell.now, 1_000))
      switch (operation.spec()) {
        case OperationSpec.Timer timer -> news.put(operation.id(), true);
        case OperationSpec.SignalWait wait -> news.put(operation.id(), false);
        case OperationSpec.Attempted attempted -> {
          // What took too long fails like any other attempt.
          if (operation.lastFailure().isEmpty() || !isBackingOff(operation)) {
            if (operation.attempt() < 3) model.attemptFailed(operation.id());
            else news.put(operation.id(), false);
          }
        }
        case OperationSpec.Child _,
            OperationSpec.Message _,
            OperationSpec.Cycle _,
            OperationSpec.Value _ ->
            throw new IllegalStateException(operation.toString());
      }
    told(news);
    say(new Command.Due());
  }

  private static boolean isBackingOff(Operation operation) {
    return operation.phase() == dev.tenure.workflow.lifecycle.OperationPhase.BACKING_OFF;
  }

  private void signal(String name) {
    Optional<OperationId> waiting = shell.state().open.longestWaiting(name);
    // One that was given back comes before all others of its name (I14).
    long position =
        shell.state().returned.entrySet().stream()
            .filter(one -> one.getValue().equals(name))
            .map(Map.Entry::getKey)
            .findFirst()
            .orElseGet(() -> ++positions);
    Command command = new Command.Signals(List.of(Shell.arrival(name, position)));
    if (waiting.isEmpty()) say(command);
    else came(waiting.get(), command, true);
  }

  private void came(OperationId id, Command command, boolean well) {
    told(Map.of(id, well));
    say(command);
  }

  private void told(Map<OperationId, Boolean> news) {
    news.keySet().forEach(model::entered);
    if (isHeld()) withheld.putAll(news);
    else if (!news.isEmpty()) model.told(news);
  }

  private void say(Command command) {
    last = command.toString();
    said.add(command);
    shell.tell(command);
  }

  private void release() {
    if (!isHeld() || model.closed) return;
    model.told(new LinkedHashMap<>(withheld));
    withheld.clear();
    shell.tell(new Command.Resume());
    check();
  }

  /** What was said before is no news, whenever it comes again. */
  private void repeat() {
    if (said.isEmpty()) return;
    Command command = said.get(random.nextInt(said.size()));
    boolean isBack = command instanceof Command.Signals && !shell.state().returned.isEmpty();
    if (command instanceof Command.Due || isBack) return;
    last = "again " + command;
    int before = shell.history.size();
    shell.tell(command);
    require(shell.history.size() == before, "it is taken for news again");
    check();
  }

  /** Attempts that never were, and answers to what never was asked for. */
  private void unexpected() {
    int before = shell.history.size();
    OperationId nobody = OperationId.of("", "nobody", 1);
    shell.tell(new Command.AttemptEnded(nobody, 1, Outcome.DONE));
    shell.tell(new Command.MessageAcknowledged(nobody, Outcome.DONE));
    shell.tell(new Command.ChildEnded(nobody, Outcome.DONE));
    for (GraphModel.Item item : model.open.values())
      if (item.node.spec().orElseThrow() instanceof OperationSpec.Step)
        shell.tell(new Command.AttemptEnded(item.id(), 9, Outcome.DONE));
    require(shell.history.size() == before, "it takes what it never asked for");
    shell.advance(Duration.ofMillis(1));
  }

  private void check() {
    WorkflowState state = shell.state();
    require(state.incident().isEmpty(), "incident " + state.incident());
    require(model.closings <= 1, "closed twice");
    require(model.closed == state.phase().isOver(), "closed is " + model.closed + ": " + state);
    if (model.closed) {
      require(state.semaphore().open() == 0, "left open " + state.semaphore());
      require(state.semaphore().edge() == JobSemaphore.Edge.TAKEN, "the edge is not taken");
      require(shell.events(Event.Ended.class).size() == 1, "it ends more than once");
      boolean delivered = state.openOperations().isEmpty();
      require(delivered == (state.phase() == WorkflowPhase.CLOSED), "deliveries " + state);
      return;
    }
    require(
        state.semaphore().open() == model.semaphore,
        "semaphore " + state.semaphore() + ", the model's is " + model.semaphore);
    TreeSet<String> open = new TreeSet<>();
    for (Operation operation : state.openOperations())
      if (operation.isObligation()) open.add(operation.id().value());
    TreeSet<String> expected = new TreeSet<>();
    for (GraphModel.Item item : model.open.values()) {
      expected.add(item.id().value());
      compare(item, state.operation(item.id()).orElseThrow());
    }
    // What is recorded and not told is open still.
    withheld.keySet().forEach(id -> expected.add(id.value()));
    require(open.equals(expected), "open are " + open + ", the model's " + expected);
  }

  private void compare(GraphModel.Item item, Operation operation) {
    require(
        operation.place().address().path().equals(item.path()),
        operation.id() + " stands at " + operation.place().address() + ", not at " + item.path());
    require(operation.place().kind() == item.node.kind(), "it is a " + operation.place().kind());
    if (!item.node.kind().stepsInLeg1())
      require(
          operation.ledger().leg2Entries() == item.entries,
          operation.id() + " has " + operation.ledger() + ", and " + item.entries + " entries");
  }

  private void require(boolean holds, String what) {
    if (!holds) throw new AssertionError("seed " + seed + " after " + last + ": " + what);
  }
}
