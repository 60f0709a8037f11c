package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.memory.MemoryStorage;
import dev.tenure.persistence.signal.SignalRequest;
import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.sharding.host.WorkflowSettings;
import dev.tenure.sharding.loop.Loop;
import dev.tenure.sharding.loop.LoopNode;
import dev.tenure.workflow.Handle;
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
import org.junit.jupiter.api.Test;

/** A signal that was accepted before a wait's time was over ends the wait, whatever happens. */
class SignalTimeoutsTest {
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
  private static final WorkflowId ID = WorkflowId.of("w");
  private static final Duration LIMIT = Duration.ofHours(1);

  private final Loop loop = new Loop(BEGIN, Duration.ofSeconds(30));
  private final MemoryStorage storage = MemoryStorage.create(loop);
  private final SplittableRandom random = new SplittableRandom(7);
  private LoopNode node = node("first", 1);

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
    if (storage
            .leases()
            .acquire(0, new Holder(name, incarnation), holder -> true, Duration.ofDays(1))
        instanceof Leases.Claim.Granted granted) made.holds(0, granted.epoch(), false);
    return made;
  }

  private void quiet() {
    while (loop.doNext(Loop.Choice.OLDEST).isPresent()) {}
  }

  private static Object waits(WorkflowContext ctx) {
    return ctx.awaitSignal("go", String.class, LIMIT).orElse("timed out");
  }

  private void start() {
    Coded.put(ID.value(), SignalTimeoutsTest::waits);
    node.workflows().start(StartRequest.of(ID.value(), "coded", Payload.NONE));
    quiet();
  }

  /** The store has it; its owner is not told. */
  private void acceptUnheard() throws Exception {
    SignalRequest request =
        new SignalRequest(ID.value(), "go", Optional.of("s1"), TestNode.json("now"));
    List<SignalResult> results =
        storage.signals().accept(List.of(request.toSignal(() -> "id" + random.nextLong())), LIMIT);
    assertThat(results.getFirst()).isInstanceOf(SignalResult.Accepted.class);
  }

  private void pass(Duration span) {
    loop.passTo(loop.instant().plus(span));
    node.look();
    quiet();
  }

  private String result() {
    CompletionStage<Optional<Workflows.Ended>> asked =
        node.workflows().result(ID, Duration.ofSeconds(1));
    quiet();
    Outcome outcome = asked.toCompletableFuture().join().orElseThrow().outcome();
    return TestNode.text(((Outcome.Succeeded) outcome).value());
  }

  @Test
  void alsoWhenItsOwnerWasNotTold() throws Exception {
    start();
    acceptUnheard();
    pass(LIMIT);
    assertThat(result()).isEqualTo("\"now\"");
  }

  @Test
  void alsoWhenNoNodeHadTheWorkflowUntilItsTimeWasOver() throws Exception {
    start();
    node.crash();
    acceptUnheard();
    loop.passTo(loop.instant().plus(LIMIT.multipliedBy(2)));
    node = node("second", 2);
    quiet();
    pass(Duration.ofSeconds(1));
    assertThat(result()).isEqualTo("\"now\"");
  }

  @Test
  void alsoWhenTheWorkflowWasPausedUntilItsTimeWasOver() throws Exception {
    start();
    node.workflows().pause(ID, "a moment");
    quiet();
    acceptUnheard();
    pass(LIMIT.multipliedBy(2));
    node.workflows().resume(ID);
    quiet();
    pass(Duration.ofSeconds(1));
    assertThat(result()).isEqualTo("\"now\"");
  }

  /** It was given back after the last look, which found nothing, and before the next. */
  @Test
  void alsoWhenItWasGivenBackAfterThatTime() {
    Coded.put(ID.value(), SignalTimeoutsTest::waitsInASecondPlace);
    node.workflows().start(StartRequest.of(ID.value(), "coded", Payload.NONE));
    quiet();
    signal("go", "now");
    node.workflows().pause(ID, "a moment");
    quiet();
    pass(LIMIT.multipliedBy(2));
    signal("stop", "stop");
    node.workflows().resume(ID);
    while (loop.doNext(Loop.Choice.OLDEST).isPresent()) node.look();
    pass(Duration.ofSeconds(1));
    assertThat(result()).isEqualTo("\"now\"");
  }

  private static Object waitsInASecondPlace(WorkflowContext ctx) {
    Handle<String> first = ctx.signals("go", String.class).receiveAsync();
    Handle<Object> second = ctx.async("second", () -> waits(ctx));
    ctx.awaitSignal("stop", String.class);
    first.cancel("not now");
    return second.get();
  }

  private void signal(String name, String value) {
    node.workflows().signal(ID, name, TestNode.json(value), Optional.empty());
    quiet();
  }

  /** They wait for their turn, and what takes them goes on with one after the other. */
  @Test
  void aWaitTimesOutWhileSignalsOfAnotherNameAreLeft() {
    int items = 1_500;
    Coded.put(ID.value(), ctx -> beside(ctx, items));
    node.workflows().start(StartRequest.of(ID.value(), "coded", Payload.NONE));
    quiet();
    for (int i = 0; i < items; i++) signal("item", "i");
    pass(LIMIT);
    assertThat(result()).isEqualTo("\"timed out\"");
    assertThat(Journal.whole(storage, ID.value()))
        .as("items that came in before it timed out")
        .filteredOn(Event.SignalConsumed.class::isInstance)
        .hasSizeLessThan(10);
  }

  /** Takes one item after the other, from when the wait is due. */
  private static Object beside(WorkflowContext ctx, int items) {
    Handle<Object> wait = ctx.async("wait", () -> waits(ctx));
    ctx.async(
        "items",
        () -> {
          ctx.sleep(LIMIT);
          for (int i = 0; i < items; i++) ctx.awaitSignal("item", String.class);
          return items;
        });
    return wait.get();
  }

  @Test
  void withoutASignalTheWaitTimesOut() {
    start();
    pass(LIMIT);
    assertThat(result()).isEqualTo("\"timed out\"");
  }
}
