package dev.tenure.simulation;

import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.persistence.storage.MemoryStorage;
import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.persistence.visibility.StoredTime;
import dev.tenure.persistence.visibility.WakeUp;
import dev.tenure.persistence.visibility.WorkflowFilter;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.sharding.code.PayloadCodec;
import dev.tenure.sharding.loop.Loop;
import dev.tenure.sharding.workflow.ForkRequest;
import dev.tenure.sharding.workflow.LoopNode;
import dev.tenure.sharding.workflow.StartRequest;
import dev.tenure.sharding.workflow.StartResult;
import dev.tenure.sharding.workflow.Workflows;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.audit.Violation;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * One seed: some workflows, a time of troubles, and a calm in which all of them must come to their
 * end. It does the same each time.
 */
public final class Simulation {
  /** How one seed came out. */
  public record Report(long seed, Optional<Throwable> violation, long moves, int workflows) {}

  private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final PayloadCodec CODEC = PayloadCodec.standard();
  private static final Duration SCAN_EVERY = Duration.ofSeconds(1);
  private static final Duration HELP_EVERY = Duration.ofMillis(100);
  private static final int ROOTS = 3;
  private static final int TROUBLES = 350;
  private static final int CALM_MAX = 60_000;
  private static final int LISTED_MAX = 500;
  private static final int FORKED_MAX = 40;

  private final long seed;
  private final Consumer<String> trace;
  private final Chance chance;
  private final Loop loop = new Loop(BEGIN, PATIENCE);
  private final MemoryStorage memory = MemoryStorage.create(loop);
  private final Checker checker;
  private final World world;
  private final Cluster cluster;
  private final Workflows client;
  private final Flaw flaw;
  private Instant scannedAt = BEGIN;
  private Instant helpedAt = BEGIN;

  private Simulation(long seed, Flaw flaw, Consumer<String> trace) {
    this.seed = seed;
    this.flaw = flaw;
    this.trace = trace;
    this.chance = new Chance(World.mix(seed + 1));
    this.world = new World(seed);
    this.checker = new Checker(memory, loop, world, trace);
    world.seenBy(checker);
    this.cluster = new Cluster(loop, memory, chance, flaw, checker, world, trace);
    this.client = cluster.gateway().workflows();
  }

  public static Report run(long seed, Flaw flaw) {
    return run(seed, flaw, line -> {});
  }

  /**
   * @param trace told everything that happens
   */
  public static Report run(long seed, Flaw flaw, Consumer<String> trace) {
    Simulation simulation = new Simulation(seed, flaw, trace);
    Optional<Throwable> violation = Optional.empty();
    try {
      simulation.live();
    } catch (RuntimeException | AssertionError broken) {
      violation = Optional.of(broken);
    } finally {
      simulation.cluster.nodes().forEach(LoopNode::crash);
    }
    return new Report(seed, violation, simulation.loop.done(), simulation.rows().size());
  }

  private void live() {
    for (int i = 0; i < ROOTS; i++) start("w" + i);
    for (int i = 0; i < TROUBLES; i++) trouble();
    trace.accept("CALM");
    chance.calms();
    cluster.heal();
    comeToRest();
    checker.finalCheck(cluster::code);
    cluster.requireNobodySuspected();
  }

  // --- what people do

  private void start(String id) {
    SimulatedWorkflow.Plan plan =
        new SimulatedWorkflow.Plan(
            chance.anyLong(),
            3 + chance.below(4),
            0,
            chance.below(3) / 2,
            chance.below(8) == 0,
            chance.below(10) == 0);
    Payload input = CODEC.write(plan, SimulatedWorkflow.Plan.class, "the plan");
    client
        .start(StartRequest.of(id, "simulated", input).version(1 + chance.below(2)))
        .thenAccept(
            result -> {
              if (result instanceof StartResult.Started)
                checker.promised("the start", id, Event.Started.class);
            });
  }

  private WorkflowId anyone() {
    List<WorkflowRow> rows = rows();
    return rows.isEmpty() ? WorkflowId.of("w0") : rows.get(chance.below(rows.size())).id();
  }

  private List<WorkflowRow> rows() {
    return memory.workflows().list(WorkflowFilter.ALL, PageRequest.first(LISTED_MAX)).rows();
  }

  private static Payload text(String value) {
    return CODEC.write(value, String.class, "a text");
  }

  private void request() {
    WorkflowId id = anyone();
    int number = chance.below(6);
    switch (chance.below(20)) {
      case 0, 1, 2, 3, 4, 5, 6 -> {
        String name = chance.half() ? "x" : "y";
        for (int i = 0; i <= chance.below(3); i++) signal(id, name, "s" + (number + i));
      }
      case 7, 8, 9, 10 -> update(id, "u" + number, chance.below(4) == 0 ? "bad" : "w" + number);
      case 11 ->
          client
              .cancel(id, "somebody says so")
              .thenAccept(
                  first -> {
                    if (first)
                      checker.promised("a cancel", id.value(), Event.CancelRequested.class);
                  });
      case 12, 13 -> client.pause(id, "to look");
      case 14, 15 -> client.resume(id);
      case 16 -> {
        if (chance.below(4) == 0) client.terminate(id, "enough");
      }
      case 17 -> fork(id);
      case 18 -> move(id, 1 + chance.below(2));
      default -> client.describe(id);
    }
  }

  private void move(WorkflowId id, int version) {
    client
        .moveToVersion(id, version, "a fix")
        .thenAccept(
            first -> {
              if (first) checker.promised("a move", id.value(), Event.Repinned.class);
            });
  }

  private void fork(WorkflowId source) {
    List<OperationId> asked =
        checker.events(source.value()).stream()
            .filter(
                event -> event instanceof Event.Scheduled || event instanceof Event.ValueRecorded)
            .map(event -> ((Event.OfOperation) event).operation())
            .filter(operation -> !operation.isEngines())
            .toList();
    if (asked.isEmpty() || rows().size() > FORKED_MAX) return;
    String from = asked.get(chance.below(asked.size())).value();
    String id = "f" + chance.below(3);
    client
        .fork(ForkRequest.of(source.value(), from, id))
        .thenAccept(
            result -> {
              if (result instanceof StartResult.Started)
                checker.promised("the fork", id, Event.Forked.class);
            });
  }

  private void signal(WorkflowId id, String name, String signalId) {
    client
        .signal(id, name, text(signalId), Optional.of(signalId))
        .thenAccept(
            result -> {
              if (result instanceof SignalResult.Accepted) trace.accept("ACCEPTED " + result);
            });
  }

  private void update(WorkflowId id, String updateId, String word) {
    client
        .update(id, updateId, "say", text(word))
        .thenAccept(
            outcome -> {
              if (outcome instanceof Outcome.Succeeded)
                checker.promised("an update", id.value(), Event.UpdateAnswered.class);
            });
  }

  // --- what goes wrong

  private void trouble() {
    switch (chance.below(24)) {
      case 0, 1 -> request();
      case 2 -> cluster.anyNode().look();
      case 3 -> cluster.anyNode().scan();
      case 4 -> pass(loop.instant().plus(chance.upTo(Duration.ofMillis(800))));
      case 5 -> next().ifPresent(this::pass);
      case 6 -> {
        if (chance.below(5) == 0) cluster.crash(cluster.anyNode());
      }
      case 7 -> {
        if (chance.below(3) == 0) cluster.move(chance.below(Cluster.SHARDS), cluster.anyNode());
      }
      default -> {
        if (!step()) next().ifPresent(this::pass);
      }
    }
  }

  /** Does one thing; false when there is none. */
  private boolean step() {
    Optional<String> what = loop.doNext(chance);
    what.ifPresent(done -> trace.accept(loop.instant() + " " + done));
    world
        .seen()
        .ifPresent(
            violation -> {
              throw violation;
            });
    return what.isPresent();
  }

  private void pass(Instant time) {
    if (time.isAfter(loop.instant())) {
      loop.passTo(time);
      trace.accept("TIME is " + time);
    }
    cluster.nodes().forEach(LoopNode::look);
  }

  /** When something is due next, by whatever knows of it. */
  private Optional<Instant> next() {
    return Stream.concat(
            cluster.nodes().stream().map(LoopNode::nextDue),
            Stream.of(loop.nextTimer(), loop.nextLimit(), nextRow()))
        .flatMap(Optional::stream)
        .min(Instant::compareTo);
  }

  private Optional<Instant> nextRow() {
    WakeUp.Point now = WakeUp.Point.before(loop.instant());
    return memory.workflows().due(Set.of(0, 1), now, StoredTime.LATEST, 1).stream()
        .map(WakeUp::at)
        .findFirst();
  }

  // --- the calm

  private void comeToRest() {
    int idle = 0;
    for (int move = 0; move < CALM_MAX; move++) {
      if (step()) continue;
      if (rows().stream().allMatch(row -> row.closedAt().isPresent())) return;
      scan();
      if (loop.hasNext()) continue;
      // Help needs time to arrive: without a pause its own retries would be all that happens.
      boolean helped = !loop.instant().isBefore(helpedAt.plus(HELP_EVERY)) && help();
      Optional<Instant> next = next();
      if (!helped && next.isEmpty() && idle++ > 3) break;
      // What is due and does not move is looked for again a moment later.
      if (!helped) pass(next.filter(loop.instant()::isBefore).orElse(scannedAt.plus(SCAN_EVERY)));
    }
    throw new Violation("I8", "stuck: " + stuck());
  }

  private void scan() {
    if (loop.instant().isBefore(scannedAt.plus(SCAN_EVERY))) return;
    scannedAt = loop.instant();
    cluster.nodes().forEach(LoopNode::scan);
  }

  /** Does for a workflow what only people can. */
  private boolean help() {
    boolean helped = false;
    helpedAt = loop.instant();
    for (WorkflowRow row : rows()) {
      if (row.closedAt().isPresent()) continue;
      WorkflowState state = Checker.fold(checker.events(row.id().value()));
      if (state.phase().isOver()) continue;
      if (row.status() == Status.PAUSED) client.resume(row.id());
      else if (row.status() == Status.INCIDENT) {
        if (chance.half()) world.mend(row.id().value());
        if (world.kills(row.id().value()) && chance.below(4) == 0)
          client.terminate(row.id(), "enough");
        else client.resolveIncident(row.id(), "go on");
      } else if (state.awaitsSignal("x") && state.nextDue().isEmpty())
        signal(row.id(), "x", "help" + loop.done());
      else continue;
      helped = true;
    }
    return helped;
  }

  private List<String> stuck() {
    List<String> open = new ArrayList<>();
    for (WorkflowRow row : rows())
      if (row.closedAt().isEmpty())
        open.add(
            "%s %s %s, wakes %s, %s"
                .formatted(
                    row.id(),
                    row.status(),
                    Checker.fold(checker.events(row.id().value())).incident(),
                    row.wakeAt(),
                    Checker.fold(checker.events(row.id().value())).openOperations().stream()
                        .map(one -> one.id() + " " + one.phase())
                        .toList()));
    return open;
  }
}
