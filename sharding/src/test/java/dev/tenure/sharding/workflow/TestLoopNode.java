package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.memory.MemoryStorage;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.host.OwnerLimits;
import dev.tenure.sharding.host.WorkflowSettings;
import dev.tenure.sharding.loop.Loop;
import dev.tenure.sharding.loop.LoopNode;
import dev.tenure.sharding.program.ListInterpreter;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowRegistration;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Kernel;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** A node with nothing under it but a loop, whose clock the test turns. */
final class TestLoopNode {
  static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  final Loop loop = new Loop(BEGIN, Duration.ofSeconds(30));
  final MemoryStorage storage = MemoryStorage.create(loop);
  private final SplittableRandom random = new SplittableRandom(7);
  private final List<ActivityRegistration<?, ?>> activities;
  private OwnerLimits limits;
  private Kernel kernel = Kernel.standard();

  /** The storage as the node sees it. */
  private final Storage seen;

  /** By how much the clock that workflows go by was set. */
  Duration set = Duration.ZERO;

  private LoopNode node;
  private long incarnations;

  TestLoopNode(ActivityRegistration<?, ?>... activities) {
    this(OwnerLimits.DEFAULT, given -> given, activities);
  }

  TestLoopNode(OwnerLimits limits, ActivityRegistration<?, ?>... activities) {
    this(limits, given -> given, activities);
  }

  TestLoopNode(UnaryOperator<Storage> storage, ActivityRegistration<?, ?>... activities) {
    this(OwnerLimits.DEFAULT, storage, activities);
  }

  /**
   * @param storage what is between the node and its storage
   */
  private TestLoopNode(
      OwnerLimits limits,
      UnaryOperator<Storage> storage,
      ActivityRegistration<?, ?>... activities) {
    this.limits = limits;
    this.seen = storage.apply(this.storage);
    this.activities = List.of(activities);
    node = node(false);
  }

  /** The nodes from the next one on work so; the one that there is dies. */
  void works(OwnerLimits with, Kernel by) {
    limits = with;
    kernel = by;
    dies();
  }

  private LoopNode node(boolean lost) {
    incarnations++;
    LoopNode made =
        new LoopNode(
            "node-" + incarnations,
            loop,
            new LoopNode.Around() {
              @Override
              public void carry(String what, Runnable arrival) {
                loop.soon(what, arrival);
              }

              @Override
              public Optional<LoopNode> holderOf(int shard) {
                return Optional.of(node);
              }

              @Override
              public void defect(WorkflowId id, RuntimeException defect) {
                throw defect;
              }
            },
            seen,
            1,
            WorkflowSettings.of(
                    () -> loop.instant().plus(set),
                    random::nextLong,
                    () -> "id" + random.nextLong())
                .withLimits(limits)
                .withInterpreters(List.of(new ListInterpreter())),
            new LoopNode.Program(
                List.of(
                    WorkflowRegistration.of(Coded.class, Coded::new),
                    WorkflowRegistration.of(GeneratedWorkflow.class, GeneratedWorkflow::new)),
                activities,
                kernel),
            loop);
    holds(made, lost);
    return made;
  }

  private void holds(LoopNode taker, boolean lost) {
    if (storage
            .leases()
            .acquire(0, new Holder(taker.name(), incarnations), holder -> true, Duration.ofDays(1))
        instanceof Leases.Claim.Granted granted)
      taker.holds(new Fence(0, granted.epoch(), incarnations), lost);
  }

  /** The node takes its shard anew, and has not heard that it had lost it. */
  void takesAnew() {
    incarnations++;
    holds(node, true);
  }

  /** It dies, and another one takes over. */
  void dies() {
    node.crash();
    node = node(false);
  }

  /** Another one takes over from one that died, and knows that it did. */
  void takesOver() {
    node = node(true);
  }

  /** The one that there is now. */
  LoopNode node() {
    return node;
  }

  Workflows workflows() {
    return node.workflows();
  }

  /** Does all that can be done without turning the clock. */
  void quiet() {
    while (loop.doNext(Loop.Choice.OLDEST).isPresent()) {}
  }

  /** Does one thing after the other, up to the first whose name ends so. */
  void quietUntil(String what) {
    while (!loop.doNext(Loop.Choice.OLDEST).orElseThrow().endsWith(what)) {}
  }

  /** Turns the clock to whatever comes next, until the time has passed. */
  void pass(Duration span) {
    Instant end = loop.instant().plus(span);
    quiet();
    while (loop.instant().isBefore(end)) {
      Instant now = loop.instant();
      Instant next = next().filter(now::isBefore).filter(end::isAfter).orElse(end);
      turnTo(next);
      quiet();
    }
  }

  /** Turns the clock at once: what became due meanwhile comes late. No scan finds it. */
  void jump(Duration span) {
    loop.passTo(loop.instant().plus(span));
    node.look();
    quiet();
  }

  private void turnTo(Instant time) {
    loop.passTo(time);
    node.look();
    node.scan();
  }

  private Optional<Instant> next() {
    Optional<Instant> due = node.nextDue();
    Optional<Instant> timer = loop.nextTimer();
    if (due.isEmpty() || timer.isEmpty()) return due.or(() -> timer);
    return due.get().isBefore(timer.get()) ? due : timer;
  }

  /** Turns the clock to whatever comes next, until the workflow has ended. */
  Workflows.Ended end(String id) {
    WorkflowId workflow = WorkflowId.of(id);
    while (true) {
      quiet();
      WorkflowRow row = storage.workflows().find(workflow).orElseThrow();
      if (row.status().isFinal()) break;
      // One that rests has left the memory: its row says when it is due.
      Instant due = node.nextDue().or(row::wakeAt).orElseThrow();
      turnTo(loop.nextTimer().filter(due::isAfter).orElse(due));
    }
    return ended(id);
  }

  /** How it ended, without turning the clock. */
  Workflows.Ended ended(String id) {
    CompletionStage<Optional<Workflows.Ended>> asked =
        workflows().result(WorkflowId.of(id), Duration.ofSeconds(1));
    quiet();
    assertThat(asked.toCompletableFuture()).as("%s has ended", id).isDone();
    return asked.toCompletableFuture().join().orElseThrow();
  }

  /** The JSON of its result. */
  String result(String id) {
    return text(end(id));
  }

  static String text(Workflows.Ended ended) {
    return ended.outcome() instanceof Outcome.Succeeded(Payload value)
        ? TestNode.text(value)
        : ended.toString();
  }

  String run(String id, String type, Object input) {
    workflows().start(StartRequest.of(id, type, TestNode.json(input)));
    return result(id);
  }

  /** Starts it, and does what can be done at once. */
  void begin(String id, Function<WorkflowContext, Object> code) {
    begin(StartRequest.of(id, "coded", Payload.NONE), code);
  }

  void begin(StartRequest request, Function<WorkflowContext, Object> code) {
    Coded.put(request.id().value(), code);
    workflows().start(request);
    quiet();
  }

  void signal(String id, String name, Object value) {
    workflows().signal(WorkflowId.of(id), name, TestNode.json(value), Optional.empty());
    quiet();
  }

  /** All that is on record, whole. */
  List<Event> events(String id) {
    List<Event> events = Journal.whole(storage, id);
    assertThat(events).isNotEmpty();
    return events;
  }
}
