package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.entry.JournalEntryCodec;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.memory.MemoryStorage;
import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.sharding.host.WorkflowSettings;
import dev.tenure.sharding.loop.Loop;
import dev.tenure.sharding.loop.LoopNode;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.UndeliverableException;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowRegistration;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Kernel;
import dev.tenure.workflow.operation.OperationSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** A node dies right after a commit, and nobody asks for the workflow: its row alone wakes it. */
class SleepersTest {
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
  private static final WorkflowId ID = WorkflowId.of("w");
  private static final Predicate<Event> BEGINS_TO_WAIT =
      event ->
          event instanceof Event.Scheduled scheduled
              && scheduled.spec() instanceof OperationSpec.SignalWait;

  private final Loop loop = new Loop(BEGIN, Duration.ofSeconds(30));
  private final MemoryStorage memory = MemoryStorage.create(loop);
  private final SplittableRandom random = new SplittableRandom(7);
  private Predicate<Event> deadly = event -> false;
  private int commitsToLive;
  private LoopNode node;

  private final ForwardingStorage storage =
      new ForwardingStorage(memory) {
        @Override
        public List<CommitResult> commit(List<Commit> batch) {
          List<CommitResult> results = super.commit(batch);
          boolean meant =
              batch.stream()
                  .flatMap(commit -> JournalEntryCodec.decode(commit.payload()).events().stream())
                  .anyMatch(deadly);
          if (meant && --commitsToLive == 0) node.crash();
          return results;
        }
      };

  private LoopNode node(String name, long incarnation) {
    LoopNode made =
        new LoopNode(
            name,
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
            storage,
            1,
            WorkflowSettings.of(loop, random::nextLong, () -> "id" + random.nextLong()),
            new LoopNode.Program(
                List.of(WorkflowRegistration.of(Coded.class, Coded::new)),
                List.of(),
                Kernel.standard()),
            loop);
    if (memory
            .leases()
            .acquire(0, new Holder(name, incarnation), holder -> true, Duration.ofDays(1))
        instanceof Leases.Claim.Granted granted) made.holds(0, granted.epoch(), true);
    return made;
  }

  private void quiet() {
    while (loop.doNext(Loop.Choice.OLDEST).isPresent()) {}
  }

  private void pass(Duration span) {
    loop.passTo(loop.instant().plus(span));
    node.look();
    node.scan();
    quiet();
  }

  private WorkflowRow row() {
    return memory.workflows().find(ID).orElseThrow();
  }

  private void start(Function<WorkflowContext, Object> code) {
    node = node("first", 1);
    Coded.put(ID.value(), code);
    node.workflows().start(StartRequest.of(ID.value(), "coded", Payload.NONE));
    quiet();
  }

  private void signal(String name) {
    node.workflows().signal(ID, name, TestNode.json("now"), Optional.empty());
    quiet();
  }

  private void diesAt(int which, Predicate<Event> event) {
    deadly = event;
    commitsToLive = which;
  }

  private void assertThatItGoesOnElsewhere() {
    assertThat(node.isCrashed()).isTrue();
    deadly = event -> false;
    node = node("second", 2);
    quiet();
    for (int i = 0; i < 60 && row().closedAt().isEmpty(); i++) pass(Duration.ofSeconds(1));
    assertThat(row().status().isFinal()).as("it went on by itself").isTrue();
  }

  @Test
  void aWaitThatBeginsAfterItsSignalWasAcceptedIsNotSleptOver() {
    start(
        ctx -> {
          ctx.sleep(Duration.ofSeconds(1));
          return ctx.awaitSignal("go", String.class);
        });
    signal("go");
    diesAt(1, BEGINS_TO_WAIT);
    pass(Duration.ofSeconds(2));
    assertThatItGoesOnElsewhere();
  }

  /** The newest position that was consumed lies behind the one that is left. */
  @Test
  void norIsASignalOfAnotherNameThatWasLeftBefore() {
    start(
        ctx -> {
          ctx.awaitSignal("second", String.class);
          ctx.sleep(Duration.ofSeconds(1));
          return ctx.awaitSignal("first", String.class);
        });
    signal("first");
    signal("second");
    diesAt(1, BEGINS_TO_WAIT);
    pass(Duration.ofSeconds(2));
    assertThatItGoesOnElsewhere();
  }

  /** An owner that took over has not looked yet when the wait begins. */
  @Test
  void norOneThatAnEarlierOwnerLeft() {
    start(
        ctx -> {
          ctx.awaitSignal("second", String.class);
          ctx.sleep(Duration.ofHours(1));
          return ctx.awaitSignal("first", String.class);
        });
    signal("first");
    signal("second");
    for (int i = 0; i < 20; i++) pass(Duration.ofSeconds(2));
    assertThat(node.resident()).as("it is out of memory").isZero();
    diesAt(1, BEGINS_TO_WAIT);
    pass(Duration.ofHours(1));
    assertThatItGoesOnElsewhere();
  }

  @Test
  void aWorkflowThatContinuesAsNewInItsFirstCommitIsDue() {
    deadly = Event.ContinuedAsNew.class::isInstance;
    commitsToLive = 1;
    int[] runs = new int[1];
    start(ctx -> runs[0]++ == 0 ? ctx.continueAsNew(1) : "done");
    assertThatItGoesOnElsewhere();
  }

  @Test
  void aSignalThatWasGivenBackIsNotSleptOver() {
    start(
        ctx -> {
          var roll = ctx.signals("roll", String.class).receiveAsync();
          var work = ctx.signals("work", String.class).receiveAsync();
          ctx.sleep(Duration.ofSeconds(1));
          roll.get();
          work.cancel("not now");
          return ctx.awaitSignal("work", String.class);
        });
    signal("work");
    signal("roll");
    diesAt(1, Event.SignalReturned.class::isInstance);
    pass(Duration.ofSeconds(2));
    assertThatItGoesOnElsewhere();
  }

  /** The first commit holds nothing but timers of a month: what follows them is on no record. */
  @Test
  void whatOneCommitDidNotHoldIsNotSleptOver() {
    deadly = Event.Scheduled.class::isInstance;
    commitsToLive = 1;
    start(
        ctx -> {
          for (int i = 0; i < 200; i++) ctx.timer("later", Duration.ofDays(30));
          List<Handle<String>> sent = new ArrayList<>();
          for (int i = 0; i < 100; i++) sent.add(ctx.async("send", () -> send(ctx)));
          return ctx.all(sent).size();
        });
    assertThat(Journal.steps(memory, ID.value()).getLast().events())
        .filteredOn(Event.Scheduled.class::isInstance)
        .as("the first commit holds a part")
        .hasSizeBetween(1, 200);
    assertThatItGoesOnElsewhere();
  }

  private static String send(WorkflowContext ctx) {
    try {
      ctx.signalWorkflow(WorkflowId.of("nobody"), "hello", "x".repeat(60_000));
      return "sent";
    } catch (UndeliverableException nobody) {
      return "nobody is there";
    }
  }

  /** Once nothing in the inbox concerns it, its row does not keep it awake. */
  @Test
  void whatWaitsForNothingThatIsThereSleeps() {
    start(
        ctx -> {
          ctx.awaitSignal("second", String.class);
          return ctx.awaitSignal("third", String.class);
        });
    signal("first");
    signal("second");
    for (int i = 0; i < 30; i++) pass(Duration.ofSeconds(2));
    assertThat(row().wakeAt()).isEmpty();
    assertThat(node.resident()).isZero();
  }
}
