package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.signal.Signal;
import dev.tenure.persistence.signal.SignalRequest;
import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.sharding.loop.Loop;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A signal that was accepted before a wait's time was over ends the wait, whatever happens. */
class SignalTimeoutsTest {
  private static final String ID = "w";
  private static final Duration LIMIT = Duration.ofHours(1);

  private final TestLoopNode node = new TestLoopNode();

  private static Object waits(WorkflowContext ctx) {
    return ctx.awaitSignal("go", String.class, LIMIT).orElse("timed out");
  }

  private void start() {
    node.begin(ID, SignalTimeoutsTest::waits);
  }

  /** The store has it; its owner is not told. */
  private void acceptUnheard() throws Exception {
    Signal signal =
        new SignalRequest(ID, "go", Optional.of("s1"), TestNode.json("now")).toSignal(() -> "id");
    List<SignalResult> results = node.storage.signals().accept(List.of(signal), LIMIT);
    assertThat(results.getFirst()).isInstanceOf(SignalResult.Accepted.class);
  }

  private String result() {
    return TestLoopNode.text(node.ended(ID));
  }

  @Test
  void alsoWhenItsOwnerWasNotTold() throws Exception {
    start();
    acceptUnheard();
    node.jump(LIMIT);
    assertThat(result()).isEqualTo("\"now\"");
  }

  @Test
  void alsoWhenNoNodeHadTheWorkflowUntilItsTimeWasOver() throws Exception {
    start();
    node.node().crash();
    acceptUnheard();
    node.loop.passTo(node.loop.instant().plus(LIMIT.multipliedBy(2)));
    node.takesOver();
    node.quiet();
    node.jump(Duration.ofSeconds(1));
    assertThat(result()).isEqualTo("\"now\"");
  }

  @Test
  void alsoWhenTheWorkflowWasPausedUntilItsTimeWasOver() throws Exception {
    start();
    node.workflows().pause(WorkflowId.of(ID), "a moment");
    node.quiet();
    acceptUnheard();
    node.jump(LIMIT.multipliedBy(2));
    node.workflows().resume(WorkflowId.of(ID));
    node.quiet();
    node.jump(Duration.ofSeconds(1));
    assertThat(result()).isEqualTo("\"now\"");
  }

  /** It was given back after the last look, which found nothing, and before the next. */
  @Test
  void alsoWhenItWasGivenBackAfterThatTime() {
    node.begin(ID, SignalTimeoutsTest::waitsInASecondPlace);
    node.signal(ID, "go", "now");
    node.workflows().pause(WorkflowId.of(ID), "a moment");
    node.quiet();
    node.jump(LIMIT.multipliedBy(2));
    node.signal(ID, "stop", "stop");
    node.workflows().resume(WorkflowId.of(ID));
    while (node.loop.doNext(Loop.Choice.OLDEST).isPresent()) node.node().look();
    node.jump(Duration.ofSeconds(1));
    assertThat(result()).isEqualTo("\"now\"");
  }

  private static Object waitsInASecondPlace(WorkflowContext ctx) {
    Handle<String> first = ctx.signals("go", String.class).receiveAsync();
    Handle<Object> second = ctx.async("second", () -> waits(ctx));
    ctx.awaitSignal("stop", String.class);
    first.cancel("not now");
    return second.get();
  }

  /** They wait for their turn, and what takes them goes on with one after the other. */
  @Test
  void aWaitTimesOutWhileSignalsOfAnotherNameAreLeft() {
    int items = 1_500;
    node.begin(ID, ctx -> beside(ctx, items));
    for (int i = 0; i < items; i++) node.signal(ID, "item", "i");
    node.jump(LIMIT);
    assertThat(result()).isEqualTo("\"timed out\"");
    assertThat(node.events(ID))
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
    node.jump(LIMIT);
    assertThat(result()).isEqualTo("\"timed out\"");
  }
}
