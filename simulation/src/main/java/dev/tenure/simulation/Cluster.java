package dev.tenure.simulation;

import dev.tenure.persistence.membership.DeployedCode;
import dev.tenure.persistence.memory.MemoryStorage;
import dev.tenure.sharding.deployment.ClusterCode;
import dev.tenure.sharding.host.WorkflowSettings;
import dev.tenure.sharding.loop.Loop;
import dev.tenure.sharding.loop.LoopNode;
import dev.tenure.sharding.program.Interpreter;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowRegistration;
import dev.tenure.workflow.audit.Violation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Nodes that die and come back, and shards that change hands: the old holder learns of it late, and
 * messages go to either of them.
 */
final class Cluster implements LoopNode.Around {
  static final int SHARDS = 2;
  private static final int NODES = 2;
  private static final int RESTING_MAX = 10_000;
  private static final Duration USUAL_REST = Duration.ofSeconds(10);
  private static final Duration LONG_REST = Duration.ofDays(30);

  /** Of the nodes with old code one in so many has none of the type. */
  private static final int CODELESS_ONE_IN = 4;

  private static final Duration DOWN_MAX = Duration.ofSeconds(6);
  private static final Duration DELAY_MAX = Duration.ofSeconds(8);

  /** The longest delay of an answer of the store. */
  private static final Duration LATE_MAX = Duration.ofSeconds(6);

  /** How long an owner waits for an answer of the store. */
  private static final Duration SILENCE = Duration.ofSeconds(10);

  private final Loop loop;
  private final MemoryStorage memory;
  private final Chance chance;
  private final Flaw flaw;
  private final Checker checker;
  private final World world;
  private final Consumer<String> trace;
  private final LifeLimits limits;
  private final ReachedLimits reached;
  private final List<Interpreter> interpreters;
  private final List<LoopNode> nodes = new ArrayList<>();

  /** By the name of a node, the tasks as its worker knows them. */
  private final Map<String, SimulatedTasks> workers = new HashMap<>();

  private final Shards shards;
  private final Requests requests = new Requests();
  private final LoopNode gateway;
  private final Set<LoopNode> old = new HashSet<>();
  private final Map<LoopNode, Senders.Moment> crashes = new HashMap<>();
  private int incarnations;
  private long ids;

  Cluster(
      Loop loop,
      MemoryStorage memory,
      Chance chance,
      Flaw flaw,
      Checker checker,
      World world,
      LifeLimits limits,
      Consumer<String> trace) {
    this(loop, memory, chance, flaw, checker, world, limits, List.of(), trace);
  }

  /**
   * @param interpreters of programs besides code; a node that has no code runs none of them
   */
  Cluster(
      Loop loop,
      MemoryStorage memory,
      Chance chance,
      Flaw flaw,
      Checker checker,
      World world,
      LifeLimits limits,
      List<Interpreter> interpreters,
      Consumer<String> trace) {
    this.loop = loop;
    this.memory = memory;
    this.chance = chance;
    this.flaw = flaw;
    this.checker = checker;
    this.world = world;
    this.trace = trace;
    this.limits = limits;
    this.reached = new ReachedLimits(limits);
    this.interpreters = interpreters;
    this.shards = new Shards(loop, memory, chance, checker, flaw, trace);
    world.outside().reachedFrom(this::mayCall);
    this.gateway = node("gateway", List.of(), machine(), () -> {});
    for (int i = 0; i < NODES; i++) nodes.add(newNode());
    for (int shard = 0; shard < SHARDS; shard++) move(shard, nodes.get(shard % NODES));
  }

  /**
   * The code of a version.
   *
   * @param node where it runs
   */
  WorkflowRegistration<? extends SimulatedWorkflow> code(int version, String node) {
    return version == 1
        ? WorkflowRegistration.of(
            SimulatedWorkflow.class, () -> new SimulatedWorkflow(flaw, world, node))
        : WorkflowRegistration.of(
            SimulatedWorkflow.Revised.class,
            () -> new SimulatedWorkflow.Revised(flaw, world, node));
  }

  /** A node with the old code, with old and new code, or with none. */
  private LoopNode newNode() {
    LoopNode[] made = new LoopNode[1];
    boolean today = !chance.strikes(Fault.OLD_CODE);
    String name = "node" + ++incarnations;
    List<WorkflowRegistration<?>> types = new ArrayList<>();
    if (today || chance.below("codeless", CODELESS_ONE_IN) != 0) types.add(code(1, name));
    if (today) types.add(code(2, name));
    Machine machine = machine();
    made[0] = node(name, types, machine, () -> crash(made[0]));
    shards.joins(made[0], machine);
    if (!today) old.add(made[0]);
    return made[0];
  }

  private Machine machine() {
    return new Machine(new DatabaseLink(), new NodeClock(loop, chance, memory::time));
  }

  private LoopNode node(
      String name, List<WorkflowRegistration<?>> types, Machine machine, Runnable die) {
    LoopNode.Program program =
        new LoopNode.Program(
            types,
            types.isEmpty() ? List.of() : world.activities(name, flaw),
            new Portions(reached.watching(FlawedKernel.with(flaw, limits.kernel())), world, name));
    WorkflowSettings settings =
        WorkflowSettings.of(
                machine.clock().engines(flaw), () -> chance.anyLong("seeds"), () -> "id" + ++ids)
            .withCodeLimit(Duration.ofDays(1))
            .withLimits(limits.owner())
            .withStoredPrograms(limits.storedPrograms())
            .withRest(limits.looksSeldom() ? LONG_REST : USUAL_REST, RESTING_MAX)
            .withInterpreters(types.isEmpty() ? List.of() : interpreters);
    SimulatedStorage storage =
        new SimulatedStorage(
            name,
            machine.link(),
            memory,
            chance,
            flaw,
            checker,
            loop,
            world,
            reached,
            die,
            shard -> move(shard, anyNode()),
            fence -> shards.fenced(name, fence));
    workers.put(name, storage.tasks());
    return new LoopNode(
        name, loop, this, storage, SHARDS, settings, program, new SimulatedGate(loop, world));
  }

  ReachedLimits reached() {
    return reached;
  }

  LoopNode gateway() {
    return gateway;
  }

  List<LoopNode> nodes() {
    return List.copyOf(nodes);
  }

  // --- faults

  /** When the node died, if it did. */
  Optional<Senders.Moment> crashOf(LoopNode node) {
    return Optional.ofNullable(crashes.get(node));
  }

  /** When the last node died. */
  Optional<Instant> lastCrash() {
    return crashes.values().stream().map(Senders.Moment::at).max(Instant::compareTo);
  }

  /** When a node learned last that it does not hold the workflow's shard any more. */
  Optional<Instant> lastLoss(WorkflowId id) {
    return shards.lastLoss(id);
  }

  /** Whether the node has not died since it was made, and reaches the store. */
  boolean mayRecord(String node) {
    return nodes.stream().filter(this::reachesStore).anyMatch(one -> one.name().equals(node));
  }

  /** Whether the node holds the shard of the call's workflow, or its worker the task. */
  private boolean mayCall(String node, KeyedParts.Kind kind, Outside.Call call) {
    if (!kind.isQueued())
      return nodeOf(WorkflowId.of(call.workflow()))
          .filter(one -> one.name().equals(node))
          .isPresent();
    return workers.get(node).isHeld(call.task());
  }

  Senders.Moment now() {
    return new Senders.Moment(loop.done(), loop.instant());
  }

  LoopNode anyNode() {
    return nodes.get(chance.below("node", nodes.size()));
  }

  void crash(LoopNode node) {
    if (node.isCrashed()) return;
    trace.accept("CRASH of " + node.name());
    node.crash();
    crashes.put(node, now());
    requests.died(node);
    int at = nodes.indexOf(node);
    nodes.set(at, newNode());
    for (int shard : shards.died(node))
      loop.after(
          chance.upTo("down", DOWN_MAX),
          "shard " + shard + " finds a node",
          () -> {
            if (!shards.hasHome(shard)) move(shard, anyNode());
          });
  }

  /** Another node takes the lease over; the old holder hears of it late. */
  void move(int shard, LoopNode to) {
    ids++; // as tenures once did: the plans that are kept count on

    shards.move(shard, to);
  }

  /** Keeps a node from its database or from a shard, if chance has it so. */
  boolean mayDisturb() {
    if (chance.strikes(Fault.DATABASE_CUT_OFF)) shards.losesDatabase(anyNode());
    else if (chance.strikes(Fault.SHARD_HANDED_OVER))
      shards.handOver(chance.below("shard", SHARDS), anyNode());
    else if (chance.strikes(Fault.CLOCK_SET)) shards.setsClock(anyNode());
    else return false;
    return true;
  }

  /** In the calm, when no node dies before its leases run out. */
  void disturbOnceMore() {
    switch (chance.below("once more", 4)) {
      case 1 -> shards.losesDatabase(anyNode());
      case 2 -> shards.stalls(anyNode());
      case 3 -> shards.handsOverWhileCutOff(chance.below("shard", SHARDS));
      default -> {}
    }
  }

  boolean reachesStore(LoopNode node) {
    return shards.reachesStore(node);
  }

  /** Turns the clock. */
  void passTo(Instant time) {
    shards.passTo(time);
  }

  /** When something becomes due for a lease; empty while all are kept. */
  Optional<Instant> nextMoment() {
    return shards.nextMoment();
  }

  /** The life is over. */
  void close() {
    for (LoopNode node : nodes) {
      node.crash();
      shards.died(node);
    }
  }

  /**
   * Every node has all code, and every shard a node. One that is cut off from its database stays so
   * for its time.
   */
  void heal() {
    for (LoopNode node : nodes()) if (old.contains(node)) crash(node);
    for (int shard = 0; shard < SHARDS; shard++) if (!shards.hasHome(shard)) move(shard, anyNode());
  }

  /** No workflow that has ended is suspected of taking nodes down. */
  void requireNobodySuspected() {
    shards.requireNobodySuspected(memory);
  }

  boolean owesAnswers() {
    return !requests.areSettled();
  }

  void requireAllAnswered() {
    requests.require();
  }

  @Override
  public void ended(WorkflowId id, int waiting) {
    Violation.require(
        waiting == 0, "I1", waiting + " requests wait for the owner of " + id + ", which ended");
  }

  @Override
  public void arrived(LoopNode node, WorkflowId id, Object request) {
    requests.arrived(node, id, request);
    checker.rounds().moves(id.value());
  }

  @Override
  public void settled(Object request) {
    requests.settled(request);
  }

  @Override
  public void busy(int limit) {
    reached.busy(limit);
  }

  @Override
  public void takenUp(LoopNode node, WorkflowId id) {
    checker.takenUp(node.name(), id);
  }

  // --- the network

  @Override
  public void carry(String what, Runnable arrival) {
    if (chance.strikes(Fault.MESSAGE_LOST)) {
      trace.accept("LOST " + what);
      return;
    }
    if (chance.strikes(Fault.MESSAGE_DOUBLED)) {
      trace.accept("DOUBLED " + what);
      loop.soon(what, arrival);
    }
    if (chance.strikes(Fault.MESSAGE_LATE))
      loop.after(chance.upTo("delay", DELAY_MAX), what, arrival);
    else loop.soon(what, arrival);
  }

  @Override
  public void answers(String what, Runnable answer, Runnable silence) {
    if (chance.strikes(Fault.ANSWER_NEVER)) {
      trace.accept("NEVER " + what);
      loop.after(SILENCE, what, silence);
    } else if (chance.strikes(Fault.ANSWER_LATE)) {
      if (chance.half("answer")) loop.soon(what, answer);
      else loop.after(chance.upTo("answer", LATE_MAX), what, answer);
    } else answer.run();
  }

  @Override
  public Optional<LoopNode> holderOf(int shard) {
    return shards.holderOf(shard);
  }

  /** The living node that holds the workflow's shard; empty when none does. */
  Optional<LoopNode> nodeOf(WorkflowId id) {
    return shards.nodeOf(id);
  }

  /** Every second node knows the code of all nodes that live; the others know only their own. */
  @Override
  public ClusterCode code(LoopNode node) {
    if (node.name().hashCode() % 2 == 0) return node.ownCode();
    TreeMap<String, DeployedCode> all = new TreeMap<>(node.ownCode().nodes());
    for (LoopNode other : nodes) all.putAll(other.ownCode().nodes());
    return new ClusterCode(node.name(), all);
  }

  @Override
  public void defect(WorkflowId id, RuntimeException defect) {
    throw defect;
  }
}
