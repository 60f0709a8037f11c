package dev.tenure.simulation;

import dev.tenure.persistence.memory.MemoryStorage;
import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.persistence.visibility.StoredTime;
import dev.tenure.persistence.visibility.WakeUp;
import dev.tenure.persistence.visibility.WorkflowFilter;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.sharding.loop.Loop;
import dev.tenure.sharding.loop.LoopNode;
import dev.tenure.workflow.audit.Violation;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.kernel.WorkflowState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * One seed: some workflows, a time of troubles, and a calm in which all of them must come to their
 * end. It does the same each time.
 */
public final class Simulation {
  /** How one seed came out. */
  public record Report(
      long seed, Optional<Throwable> violation, long moves, int workflows, Plan plan, Lived lived) {
    @Override
    public String toString() {
      return "seed %d, %d moves, %d workflows: %s"
          .formatted(seed, moves, workflows, violation.map(Throwable::toString).orElse("whole"));
    }
  }

  /** What happened in a life: the kinds of events and of faults, and the limits that it came to. */
  public record Lived(Set<String> events, Set<? extends Enum<?>> faults, Set<String> limits) {}

  private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration HELP_EVERY = Duration.ofMillis(100);
  private static final int ROOTS = 3;
  private static final int TROUBLES = 350;

  /** Of a life with keyed calls, whose outcomes and proofs come late. */
  private static final int MORE_TROUBLES = 600;

  private static final int CALM_MAX = 60_000;
  private static final int LISTED_MAX = 500;
  private static final int TWIN_EVERY = 1;
  private static final Duration TASK_LIMIT = Duration.ofMinutes(1);
  private static final Duration ANSWERED_WITHIN = Duration.ofMinutes(2);

  private final long seed;
  private final Consumer<String> trace;
  private final Chance chance;
  private final LifeLimits limits;
  private final Loop loop = new Loop(BEGIN, PATIENCE);
  private final MemoryStorage memory = MemoryStorage.create(loop);
  private final Checker checker;
  private final World world;
  private final Cluster cluster;
  private final People people;
  private final Doubts doubts;
  private final Standstill standstill;
  private final DueScans scans;
  private final Map<String, Program> programs = new TreeMap<>();
  private Instant helpedAt = BEGIN;
  private boolean scanned;

  private Simulation(long seed, Chance chance, Flaw flaw, Consumer<String> trace) {
    this(seed, chance, SmallLimits.drawn(chance), flaw, trace);
  }

  private Simulation(
      long seed, Chance chance, LifeLimits limits, Flaw flaw, Consumer<String> trace) {
    this.limits = limits;
    this.seed = seed;
    this.trace = trace;
    this.chance = chance;
    this.world = new World(seed, SmallLimits.inPortions(limits.owner()));
    this.checker = new Checker(memory, loop, world, limits.kernel(), trace);
    world.seenBy(checker);
    this.cluster = new Cluster(loop, memory, chance, flaw, checker, world, limits, trace);
    this.standstill = new Standstill(loop, cluster, checker, this::rows);
    this.scans = new DueScans(limits.looksSeldom(), loop, cluster, standstill);
    this.people =
        new People(
            cluster.gateway(),
            cluster::nodeOf,
            chance,
            new OddTexts(chance, limits.owner()),
            checker,
            this::rows,
            cluster::crashOf,
            cluster::now);
    this.doubts = new Doubts(world.outside(), cluster, checker, people, chance, loop);
  }

  public static Report run(long seed) {
    return run(seed, Flaw.NONE);
  }

  public static Report run(long seed, Flaw flaw) {
    return run(seed, flaw, line -> {});
  }

  /**
   * @param trace told everything that happens
   */
  public static Report run(long seed, Flaw flaw, Consumer<String> trace) {
    Simulation troubled = new Simulation(seed, new Chance(seed, null), flaw, trace);
    Generator generator = new Generator(troubled.chance);
    for (int i = 0; i < ROOTS; i++) troubled.programs.put("w" + i, generator.root());
    return troubled.report(flaw);
  }

  /** The programs of a seed, without any trouble. */
  public static Report calm(long seed, Consumer<String> trace) {
    Chance chance = new Chance(seed, null);
    chance.calms();
    Simulation calm = new Simulation(seed, chance, Flaw.NONE, trace);
    Generator generator = new Generator(chance);
    for (int i = 0; i < ROOTS; i++) calm.programs.put("w" + i, generator.root());
    return calm.report(calm.attempt(calm::liveInCalm));
  }

  /** Lives a life again that was written down. */
  public static Report run(Plan plan, Flaw flaw, Consumer<String> trace) {
    Simulation troubled =
        new Simulation(plan.seed(), new Chance(plan.seed(), plan.draws()), flaw, trace);
    troubled.programs.putAll(plan.programs());
    return troubled.report(flaw);
  }

  private Report report(Flaw flaw) {
    Optional<Throwable> violation = attempt(this::live);
    if (violation.isEmpty() && flaw == Flaw.NONE && seed % TWIN_EVERY == 0)
      violation = attempt(this::compareWithTwin);
    return report(violation);
  }

  private Report report(Optional<Throwable> violation) {
    String found = violation.map(Throwable::toString).orElse("");
    return new Report(
        seed,
        violation,
        loop.done(),
        rows().size(),
        new Plan(seed, found, programs, chance.drawn()),
        new Lived(checker.eventsSeen(), chance.struck(), cluster.reached().names()));
  }

  private Optional<Throwable> attempt(Runnable life) {
    try {
      Watchdog.run(loop, life, TASK_LIMIT);
      return Optional.empty();
    } catch (RuntimeException | AssertionError broken) {
      return Optional.of(broken);
    } finally {
      cluster.close();
    }
  }

  /**
   * Without trouble the same programs come to the same result, unless people interfered with them.
   */
  private void compareWithTwin() {
    Chance calm = new Chance(seed, null);
    calm.calms();
    Simulation twin = new Simulation(seed, calm, limits, Flaw.NONE, line -> {});
    twin.programs.putAll(programs);
    Optional<Throwable> violation = twin.attempt(twin::liveInCalm);
    violation.ifPresent(
        broken -> {
          String what = "without any trouble: " + broken.getMessage();
          if (broken instanceof Violation one) throw new Violation(one.invariant(), what);
          throw new IllegalStateException(what, broken);
        });
    checker.toCompare().requireSameAs(twin.checker.toCompare());
  }

  private void live() {
    programs.forEach(people::start);
    boolean keyed = programs.values().stream().anyMatch(Program::callsWithKeys);
    for (int i = 0; i < (keyed ? MORE_TROUBLES : TROUBLES); i++) trouble();
    trace.accept("CALM");
    chance.calms();
    standstill.calms();
    checker.calms(!scans.areSeldom());
    world.outside().movesOnceMore();
    cluster.heal();
    cluster.disturbOnceMore();
    rest();
    if (people.forks().besideAChild()) rest();
    if (people.forks().afterASignalThatWentBack()) rest();
    judge();
  }

  private void liveInCalm() {
    programs.forEach(people::start);
    rest();
    judge();
  }

  /** Runs until all workflows have ended and all requests are answered. */
  private void rest() {
    do {
      comeToRest();
      awaitAnswers();
    } while (!areClosed());
  }

  private void judge() {
    people.answers().require();
    checker.finalCheck(version -> cluster.code(version, Checker.REPLAY));
    cluster.requireNobodySuspected();
    cluster.requireAllAnswered();
  }

  private boolean areClosed() {
    return rows().stream().allMatch(row -> row.closedAt().isPresent());
  }

  private List<WorkflowRow> rows() {
    return memory.workflows().list(WorkflowFilter.ALL, PageRequest.first(LISTED_MAX)).rows();
  }

  // --- what goes wrong

  private void trouble() {
    switch (chance.below("trouble", 24)) {
      case 0, 1 -> people.request();
      case 2 -> cluster.anyNode().look();
      case 3 -> scans.once(cluster.anyNode());
      case 4 -> pass(loop.instant().plus(chance.upTo("pause", Duration.ofMillis(800))));
      case 5 -> next().ifPresent(this::pass);
      case 6 -> {
        if (chance.strikes(Fault.NODE_DIES)) cluster.crash(cluster.anyNode());
      }
      case 7 -> {
        if (chance.strikes(Fault.SHARD_MOVES))
          cluster.move(chance.below("shard", Cluster.SHARDS), cluster.anyNode());
      }
      case 8 -> decidesAboutADoubt();
      case 9 -> {
        if (!cluster.mayDisturb()) goesOn();
      }
      default -> goesOn();
    }
  }

  private void goesOn() {
    if (!step()) next().ifPresent(this::pass);
  }

  private void decidesAboutADoubt() {
    for (WorkflowRow row : rows()) {
      if (row.status() != Status.INCIDENT) continue;
      WorkflowState state = Checker.fold(checker.events(row.id().value()));
      Optional<Incident.Indeterminate> doubt = Doubts.of(state);
      if (doubt.isEmpty()) continue;
      doubts.decide(row.id(), state, doubt.get(), false);
      return;
    }
    goesOn();
  }

  /** Runs one task; false when there is none. */
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
      cluster.passTo(time);
      trace.accept("TIME is " + time);
    }
    cluster.nodes().forEach(LoopNode::look);
  }

  /** The next time at which a node, a timer, a limit or a workflow's row has something due. */
  private Optional<Instant> next() {
    return Stream.concat(
            cluster.nodes().stream().map(LoopNode::nextDue),
            Stream.of(loop.nextTimer(), loop.nextLimit(), nextRow(), cluster.nextMoment()))
        .flatMap(Optional::stream)
        // What is overdue is in the way of nothing else, while nobody looks for it.
        .filter(due -> !scans.areSeldom() || due.isAfter(loop.instant()))
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
      if (areClosed()) return;
      if (scanned) checker.inboxes().quiet();
      scanned = scans.scan();
      // Nodes look several times a second at what is in memory, and not only when the clock jumps.
      if (scans.areSeldom()) cluster.nodes().forEach(LoopNode::look);
      if (loop.hasNext()) continue;
      // Help needs time to arrive: without a pause its own retries would be all that happens.
      boolean helped = !loop.instant().isBefore(helpedAt.plus(HELP_EVERY)) && help();
      Optional<Instant> next = next();
      if (!helped && next.isEmpty() && (scanned || !scans.areSeldom()) && idle++ > 3) break;
      // A workflow that is due and does not move is scanned for again a moment later.
      if (!helped) pass(scans.until(next));
    }
    for (WorkflowRow row : rows())
      checker
          .inboxes()
          .missed(row.id().value())
          .ifPresent(
              key -> {
                throw new Violation("I13", "asleep beside " + key + ": " + stuck());
              });
    throw new Violation("I8", "stuck: " + stuck());
  }

  /** Each caller is answered within the time limit of a request. */
  private void awaitAnswers() {
    Instant last = loop.instant().plus(ANSWERED_WITHIN);
    while (!people.answers().areComplete() || cluster.owesAnswers()) {
      if (step() || scans.scan()) continue;
      if (loop.instant().isAfter(last)) return;
      pass(loop.instant().plus(DueScans.EVERY));
    }
  }

  /** Does what only people can do for a workflow, such as resolving an incident. */
  private boolean help() {
    boolean helped = false;
    helpedAt = loop.instant();
    for (WorkflowRow row : rows()) {
      if (row.closedAt().isPresent()) continue;
      WorkflowState state = Checker.fold(checker.events(row.id().value()));
      if (state.phase().isOver()) continue;
      String id = row.id().value();
      if (row.status() == Status.PAUSED) people.resume(row.id());
      else if (row.status() == Status.INCIDENT) {
        if (!chance.half("help")) world.mend(id);
        if (asksTooMuch(state) || world.kills(id) && chance.below("help", 4) == 3)
          people.terminate(row.id(), "enough of " + id);
        else if (Doubts.of(state).orElse(null) instanceof Incident.Indeterminate doubt)
          doubts.decide(row.id(), state, doubt, true);
        else people.resolve(row.id());
      } else if (state.awaitsSignal("x")
          && (state.nextDue().isEmpty() || chance.half("early"))
          // A workflow that sleeps beside an x in its inbox must not be woken by another x.
          && checker.inboxes().pending(id, "x").findFirst().isEmpty())
        people.senders().help(row.id(), "help" + loop.done());
      else continue;
      helped = true;
    }
    return helped;
  }

  /** Its code would ask for the same again, and no other is deployed. */
  static boolean asksTooMuch(WorkflowState state) {
    return state.incident().filter(Incident.InvalidWish.class::isInstance).isPresent();
  }

  private List<String> stuck() {
    return rows().stream()
        .filter(row -> row.closedAt().isEmpty())
        .map(row -> standing(row, Checker.fold(checker.events(row.id().value()))))
        .toList();
  }

  private static String standing(WorkflowRow row, WorkflowState state) {
    List<String> open =
        state.openOperations().stream().map(one -> one.id() + " " + one.phase()).toList();
    return "%s %s %s, wakes %s, %s"
        .formatted(row.id(), row.status(), state.incident(), row.wakeAt(), open);
  }
}
