package dev.tenure.simulation;

import dev.tenure.persistence.definition.Definition;
import dev.tenure.persistence.memory.MemoryStorage;
import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.persistence.visibility.StoredTime;
import dev.tenure.persistence.visibility.WakeUp;
import dev.tenure.persistence.visibility.WorkflowFilter;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.sharding.loop.Loop;
import dev.tenure.sharding.loop.LoopNode;
import dev.tenure.sharding.workflow.StartRequest;
import dev.tenure.sharding.workflow.Workflows;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.audit.Violation;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Program;
import dev.tenure.workflow.kernel.Replay;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.kernel.Wish;
import dev.tenure.workflow.kernel.Wishes;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** One seed: stored programs of a kind live through all faults, then in calm to their end. */
final class StoredLife {
  private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");
  private static final int WORKFLOWS = 5;
  private static final int NAMES = 2;

  /** The start that names a version which nobody ever stores. */
  private static final int IMAGINED = WORKFLOWS - 1;

  private static final int TROUBLES = 250;
  private static final int CALM_MAX = 20_000;
  private static final Duration SCAN_EVERY = Duration.ofSeconds(1);

  private final StoredKind kind;
  private final Loop loop = new Loop(BEGIN, Duration.ofMinutes(2));
  private final MemoryStorage memory = MemoryStorage.create(loop);
  private final Chance chance;
  private final World world;
  private final Checker checker;
  private final Cluster cluster;
  private Instant scannedAt = BEGIN;
  private int signals;

  /** The versions that are stored while workflows run, in this order. */
  private final Queue<Definition> unstored = new ArrayDeque<>();

  private StoredLife(long seed, StoredKind kind, Consumer<String> trace) {
    this.kind = kind;
    this.chance = new Chance(seed, null);
    var limits = SmallLimits.drawn(chance);
    this.world = new World(seed, SmallLimits.inPortions(limits.owner()));
    this.checker = new Checker(memory, loop, world, limits.kernel(), trace);
    world.seenBy(checker);
    checker.observedBy(this::committed);
    this.cluster =
        new Cluster(loop, memory, chance, Flaw.NONE, checker, world, limits, List.of(kind), trace);
    SplittableRandom random = new SplittableRandom(seed);
    kind.begins();
    for (int version = 1; version <= kind.versions(); version++)
      for (int i = 0; i < NAMES; i++)
        unstored.add(kind.drawn(new WorkflowType("m" + i, version), random));
    for (int i = 0; i < NAMES; i++) store();
  }

  /**
   * @return what happened: the kinds of events, and the faults
   */
  static Simulation.Lived live(long seed, StoredKind kind, Consumer<String> trace) {
    StoredLife life = new StoredLife(seed, kind, trace);
    try {
      life.live();
      return new Simulation.Lived(
          life.checker.eventsSeen(), life.chance.struck(), life.cluster.reached().names());
    } finally {
      life.cluster.close();
    }
  }

  private void live() {
    for (int i = 0; i < NAMES; i++) start(i);
    for (int i = 0; i < TROUBLES; i++) trouble();
    while (!unstored.isEmpty()) store();
    chance.calms();
    cluster.heal();
    cluster.disturbOnceMore();
    comeToRest();
    for (WorkflowRow row : rows()) requireReplayed(row.id());
    cluster.requireNobodySuspected();
  }

  private void committed(String id, List<Event> events, WorkflowState state) {
    kind.committed(id, state.start().type(), events, state, world.inPortions());
  }

  private void start(int number) {
    String name = "m" + number % NAMES;
    StartRequest request =
        StartRequest.of("w" + number, name, Payload.NONE)
            .request("start of w" + number)
            .program(kind.kind(), kind.accounting(name));
    cluster.gateway().workflows().start(versioned(number, request));
  }

  /** Of most the owner decides the version. */
  private StartRequest versioned(int number, StartRequest request) {
    if (number == IMAGINED) return request.version(Integer.MAX_VALUE);
    return number == 1 ? request.version(kind.versions()) : request;
  }

  /** Somebody stores the next version of a name. */
  private void store() {
    Definition next = unstored.poll();
    if (next != null) memory.definitions().keep(next);
  }

  private void signal(WorkflowId id) {
    String text = "signal " + ++signals;
    LoopNode from =
        chance.half("near") ? cluster.nodeOf(id).orElse(cluster.gateway()) : cluster.gateway();
    from.workflows().signal(id, Machines.SIGNAL, Machines.text(text), Optional.of(text));
  }

  /** What people order, of whatever it is that they look at. */
  private void order() {
    WorkflowId id = WorkflowId.of("w" + chance.below("whom", WORKFLOWS));
    Workflows workflows = cluster.gateway().workflows();
    switch (chance.below("order", 8)) {
      case 0 -> workflows.cancel(id, "enough of " + id);
      case 1, 2, 3 -> workflows.resume(id);
      default -> workflows.pause(id, "to look at " + id);
    }
  }

  private void trouble() {
    switch (chance.below("trouble", 24)) {
      case 0 -> signal(WorkflowId.of("w" + chance.below("whom", WORKFLOWS)));
      case 1 -> cluster.anyNode().look();
      case 2 -> cluster.anyNode().scan();
      case 3 -> next().ifPresent(this::pass);
      case 4 -> {
        if (chance.strikes(Fault.NODE_DIES)) cluster.crash(cluster.anyNode());
      }
      case 5 -> {
        if (chance.strikes(Fault.SHARD_MOVES))
          cluster.move(chance.below("shard", Cluster.SHARDS), cluster.anyNode());
      }
      case 6 -> order();
      case 7, 8 -> start(chance.below("whom", WORKFLOWS));
      case 9 -> store();
      default -> {
        if (!step()) next().ifPresent(this::pass);
      }
    }
  }

  private boolean step() {
    Optional<String> done = loop.doNext(chance);
    if (done.filter(what -> what.endsWith("a read")).isPresent()) wasRead();
    world
        .seen()
        .ifPresent(
            violation -> {
              throw violation;
            });
    return done.isPresent();
  }

  /** What was just read may not be the newest any more when its owner hears of it. */
  private void wasRead() {
    if (unstored.isEmpty() || chance.below("newer", 3) != 0) return;
    store();
    for (int i = 0; i < WORKFLOWS; i++) start(i);
  }

  private void pass(Instant time) {
    if (time.isAfter(loop.instant())) cluster.passTo(time);
    cluster.nodes().forEach(LoopNode::look);
  }

  private Optional<Instant> next() {
    WakeUp.Point now = WakeUp.Point.before(loop.instant());
    Stream<Optional<Instant>> row =
        memory.workflows().due(Set.of(0, 1), now, StoredTime.LATEST, 1).stream()
            .map(due -> Optional.of(due.at()));
    return Stream.concat(
            row,
            Stream.concat(
                cluster.nodes().stream().map(LoopNode::nextDue),
                Stream.of(loop.nextTimer(), loop.nextLimit(), cluster.nextMoment())))
        .flatMap(Optional::stream)
        .min(Instant::compareTo);
  }

  private void comeToRest() {
    for (int move = 0; move < CALM_MAX; move++) {
      if (step()) continue;
      if (areOver()) return;
      if (!loop.instant().isBefore(scannedAt.plus(SCAN_EVERY))) {
        scannedAt = loop.instant();
        help();
        cluster.nodes().stream().filter(cluster::reachesStore).forEach(LoopNode::scan);
        continue;
      }
      Instant scan = scannedAt.plus(SCAN_EVERY);
      pass(next().filter(loop.instant()::isBefore).orElse(scan));
    }
    throw new Violation(
        "I8",
        "stuck at "
            + loop.instant()
            + ": "
            + rows().stream().filter(row -> row.closedAt().isEmpty()).toList());
  }

  /** What only somebody outside can do: begin what was lost, resolve an incident, send signals. */
  private void help() {
    for (int i = 0; i < WORKFLOWS; i++) {
      WorkflowId id = WorkflowId.of("w" + i);
      if (memory.workflows().find(id).isEmpty()) start(i);
      else if (state(id).status() == Status.PAUSED) cluster.gateway().workflows().resume(id);
      else if (Simulation.asksTooMuch(state(id)) || i == IMAGINED)
        cluster.gateway().workflows().terminate(id, "enough of " + id);
      else if (state(id).incident().isPresent())
        cluster.gateway().workflows().resolveIncident(id, "go on");
      else if (state(id).awaitsSignal(Machines.SIGNAL)) signal(id);
    }
  }

  private boolean areOver() {
    return rows().size() == WORKFLOWS
        && rows().stream().allMatch(row -> row.closedAt().isPresent());
  }

  private List<WorkflowRow> rows() {
    return memory.workflows().list(WorkflowFilter.ALL, PageRequest.first(100)).rows();
  }

  private WorkflowState state(WorkflowId id) {
    return Checker.fold(checker.events(id.value()));
  }

  /** A machine that is made anew asks for what is on record, and ends as that says (I3). */
  private void requireReplayed(WorkflowId id) {
    Replay replay = new Replay();
    List<Event> events = checker.events(id.value());
    for (Event event : events) replay.add(event);
    WorkflowState state = Checker.fold(events);
    Violation.require(
        state.start().kind().equals(kind.kind()), "I3", id + " is " + state.start().kind());
    // A run that never had a program can only be terminated.
    if (id.equals(WorkflowId.of("w" + IMAGINED))) return;
    Program anew = kind.read(memory.definitions().find(state.start().type()).orElseThrow()).get();
    Replay.Comparison compared = replay.compare(anew.advance(replay.news(state)));
    Outcome outcome = state.outcome().orElseThrow();
    List<Outcome> ends = new ArrayList<>();
    if (compared instanceof Replay.Comparison.Same(Wishes rest))
      for (Wish wish : rest.wishes()) {
        if (wish instanceof Wish.End(Outcome end)) ends.add(end);
        if (wish instanceof Wish.EndIfClosed(Outcome end)) ends.add(end);
        // One that was asked to stop does not continue.
        if (wish instanceof Wish.ContinueAsNew && outcome instanceof Outcome.Cancelled)
          ends.add(outcome);
      }
    // Whoever terminates it does not ask what it would have come to.
    if (outcome instanceof Outcome.Terminated) return;
    Violation.require(
        ends.equals(List.of(outcome)),
        "I3",
        "%s ended with %s, and anew with %s: %s".formatted(id, outcome, ends, compared));
  }
}
