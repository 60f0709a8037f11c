package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.sharding.loop.Loop;
import dev.tenure.workflow.ChildCall;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.ParentClosePolicy;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.StartPolicy;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a run leaves to be delivered may be more than the commit holds that begins the next. */
class CarriedSizesTest {
  private static final int PARTS = 100;
  private static final String INPUT = "x".repeat(60_000);

  private final TestLoopNode node = new TestLoopNode();
  private final AtomicInteger runs = new AtomicInteger();
  private final AtomicInteger begun = new AtomicInteger();

  @BeforeEach
  void partsEndAtOnce() {
    for (int i = 0; i < PARTS; i++) Coded.put("part-" + i, ctx -> "done");
  }

  /** One commit holds two thirds of the inputs at most. */
  private static void beginParts(WorkflowContext ctx) {
    for (int i = 0; i < PARTS; i++)
      ctx.childAsync(
          ChildCall.to("coded", String.class)
              .id("part-" + i)
              .input(INPUT)
              .onParentClose(ParentClosePolicy.ABANDON));
  }

  private Object continuing(WorkflowContext ctx) {
    if (ctx.step("run", runs::incrementAndGet) > 1) return "next";
    begun.incrementAndGet();
    beginParts(ctx);
    return ctx.continueAsNew(null);
  }

  private void doUntil(BooleanSupplier done) {
    while (!done.getAsBoolean()) assertThat(node.loop.doNext(Loop.Choice.OLDEST)).isPresent();
  }

  /** Stops where the code has continued as new, and nothing is delivered. */
  private void waits() {
    Coded.put("parent", this::continuing);
    node.workflows().start(StartRequest.of("parent", "coded", Payload.NONE));
    doUntil(() -> exists("parent") && count(Event.Scheduled.class) == PARTS + 1);
    assertThat(count(Event.ChildStarted.class)).isZero();
    assertThat(count(Event.ContinuedAsNew.class)).isZero();
  }

  private boolean exists(String id) {
    return node.storage.workflows().find(WorkflowId.of(id)).isPresent();
  }

  private long count(Class<? extends Event> type) {
    return node.events("parent").stream().filter(type::isInstance).count();
  }

  private void allPartsEnd() {
    for (int i = 0; i < PARTS; i++)
      assertThat(node.end("part-" + i).status()).isEqualTo(Status.COMPLETED);
  }

  private void continuedOnce() {
    assertThat(node.result("parent")).isEqualTo("\"next\"");
    assertThat(count(Event.ContinuedAsNew.class)).isEqualTo(1);
    assertThat(count(Event.IncidentRaised.class)).isZero();
    allPartsEnd();
  }

  @Test
  void aRunContinuesAsNewWhenEnoughIsDelivered() {
    waits();
    continuedOnce();
    assertThat(begun).hasValue(1);
  }

  @Test
  void aRunThatWaitsForThatGoesOnWaitingOnAnotherNode() {
    waits();
    node.dies();
    continuedOnce();
    assertThat(begun).hasValue(2);
  }

  @Test
  void aRunThatWaitsForThatIsCancelled() {
    waits();
    node.workflows().cancel(WorkflowId.of("parent"), "enough");
    assertThat(node.end("parent").status()).isEqualTo(Status.CANCELLED);
    assertThat(count(Event.ContinuedAsNew.class)).isZero();
  }

  private static StartRequest again() {
    return StartRequest.of("again", "coded", Payload.NONE).ifTaken(StartPolicy.ALLOW_IF_CLOSED);
  }

  /** Stops where the run has ended, and nothing is delivered. */
  private void leavesAll() {
    Coded.put(
        "again",
        ctx -> {
          beginParts(ctx);
          return "first";
        });
    node.workflows().start(again());
    doUntil(
        () ->
            node.storage
                .workflows()
                .find(WorkflowId.of("again"))
                .filter(row -> row.status().isFinal())
                .isPresent());
    Coded.put("again", ctx -> "second");
  }

  @Test
  void anotherStartIsRefusedUntilEnoughIsDelivered() {
    leavesAll();
    CompletableFuture<StartResult> early = node.workflows().start(again()).toCompletableFuture();
    doUntil(early::isDone);
    assertThatThrownBy(early::join)
        .hasCauseInstanceOf(WorkflowError.OverLimit.class)
        .hasMessageContaining("CARRIED_BYTES_MAX = 2097152")
        .hasMessageContaining("Start it again when more");
    node.quiet();
    node.workflows().start(again());
    assertThat(node.result("again")).isEqualTo("\"second\"");
    allPartsEnd();
  }

  @Test
  void aParentStartsSuchAChildAgainUntilEnoughIsDelivered() {
    leavesAll();
    node.begin(
        "starter",
        ctx ->
            ctx.child(
                ChildCall.to("coded", String.class)
                    .id("again")
                    .ifTaken(StartPolicy.ALLOW_IF_CLOSED)));
    assertThat(node.result("starter")).isEqualTo("\"second\"");
  }

  @Test
  void whatIsOpenForOtherReasonsIsAnIncidentUntilTheCodeGivesItUp() {
    AtomicBoolean mended = new AtomicBoolean();
    node.begin(
        "open",
        ctx -> {
          if (ctx.step("run", runs::incrementAndGet) > 1) return "next";
          List<Handle<Void>> timers = new ArrayList<>();
          for (int i = 0; i < 9_000; i++)
            timers.add(ctx.timer("t".repeat(200), Duration.ofDays(1)));
          if (mended.get()) timers.forEach(timer -> timer.cancel("not needed"));
          return ctx.continueAsNew(null);
        });
    assertThat(node.storage.workflows().find(WorkflowId.of("open")).orElseThrow().status())
        .isEqualTo(Status.INCIDENT);
    assertThat(node.events("open"))
        .filteredOn(Event.IncidentRaised.class::isInstance)
        .singleElement()
        .satisfies(raised -> assertThat(raised.toString()).contains("CARRIED_BYTES_MAX = 2097152"));
    mended.set(true);
    node.workflows().resolveIncident(WorkflowId.of("open"), "it gives up its timers");
    assertThat(node.result("open")).isEqualTo("\"next\"");
  }
}
