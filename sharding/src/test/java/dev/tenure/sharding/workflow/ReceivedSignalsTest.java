package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.signal.InboxRead;
import dev.tenure.persistence.signal.PendingSignal;
import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.CancelledException;
import dev.tenure.workflow.ChildCall;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.UndeliverableException;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Status;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A signal counts as consumed when the code has received it, and not before. */
class ReceivedSignalsTest {
  private static final AtomicReference<GatedStorage> GATED = new AtomicReference<>();
  private static TestNode node;

  /** Works, until it is told to roll over; then the next run works. */
  @Workflow(name = "rolling")
  public static class Rolling {
    public String run(WorkflowContext ctx, int run) {
      Handle<String> roll = ctx.signals("roll", String.class).receiveAsync();
      Handle<String> work = ctx.signals("work", String.class).receiveAsync();
      String id = ctx.info().id().value();
      if (run == 0) ctx.step("busy", () -> busy(id));
      return ctx.any(List.of(roll, work)) == roll
          ? ctx.continueAsNew(run + 1)
          : run + " " + work.get();
    }
  }

  /** One for each workflow: its step is over when the test says so. */
  private static final ConcurrentMap<String, CountDownLatch> STEPS = new ConcurrentHashMap<>();

  private static CountDownLatch step(String id) {
    return STEPS.computeIfAbsent(id, key -> new CountDownLatch(1));
  }

  private static int busy(String id) {
    Await.until("the step may end", TestNode.SOON, () -> step(id).getCount() == 0);
    return 1;
  }

  @BeforeAll
  static void start() {
    node =
        TestNode.start(
            new TestNode.Plan()
                .with(Coded.class, Coded::new)
                .with(Rolling.class, Rolling::new)
                .storage(
                    inner -> {
                      GATED.set(new GatedStorage(inner));
                      return GATED.get();
                    }));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static List<PendingSignal> unconsumed(String id) {
    return node.storage
        .signals()
        .unconsumed(List.of(new InboxRead(WorkflowId.of(id), 0, 10)))
        .getFirst();
  }

  /** Both are in the inbox when the step ends, so one commit takes both. */
  private static void signalWhileBusy(String id, String... names) {
    Await.until("it runs", TestNode.SOON, () -> node.describe(id).status() == Status.RUNNING);
    for (String name : names) Coded.signal(node, id, name, name);
    step(id).countDown();
  }

  @Test
  void whatCameWithTheCommitThatContinuesAsNewIsForTheNextRun() {
    node.begin("rolling", "rolling", 0);
    signalWhileBusy("rolling", "roll", "work");
    assertThat(node.result("rolling")).isEqualTo("\"1 work\"");
    assertThat(unconsumed("rolling")).isEmpty();
  }

  private static String code(String id, Function<WorkflowContext, Object> after) {
    Coded.begin(
        node,
        id,
        ctx -> {
          ctx.step("busy", () -> busy(id));
          return after.apply(ctx);
        });
    signalWhileBusy(id, "roll", "work");
    return node.result(id);
  }

  @Test
  void whatCameWithTheEndIsRecordedAsUnconsumed() {
    code(
        "ends",
        ctx -> {
          Handle<String> roll = ctx.signals("roll", String.class).receiveAsync();
          ctx.signals("work", String.class).receiveAsync();
          return roll.get();
        });
    assertThat(unconsumed("ends")).extracting(PendingSignal::name).containsExactly("work");
    assertThat(unconsumed("ends").getFirst().payload()).isEqualTo(TestNode.json("work"));
  }

  @Test
  void whatWasCancelledBeforeTheCodeLookedIsForTheNextWait() {
    assertThat(
            code(
                "drops",
                ctx -> {
                  Handle<String> roll = ctx.signals("roll", String.class).receiveAsync();
                  Handle<String> work = ctx.signals("work", String.class).receiveAsync();
                  ctx.any(List.of(roll, work));
                  work.cancel("not now");
                  return ctx.awaitSignal("work", String.class);
                }))
        .isEqualTo("\"work\"");
  }

  /** The wait was over in an earlier commit, and its handle was never asked. */
  @Test
  void aHandleThatWasDoneAndNeverAskedGivesItsSignalBack() {
    assertThat(
            code(
                "never-asked",
                ctx -> {
                  Handle<String> work = ctx.signals("work", String.class).receiveAsync();
                  ctx.awaitSignal("roll", String.class);
                  ctx.step("another commit", () -> 1);
                  work.cancel("not now");
                  return ctx.awaitSignal("work", String.class);
                }))
        .isEqualTo("\"work\"");
    assertThat(Journal.whole(node.storage, "never-asked"))
        .filteredOn(Event.SignalReturned.class::isInstance)
        .hasSize(1);
  }

  private static void signalAndAwaitTaking(String id, String name) {
    Await.until("it runs", TestNode.SOON, () -> node.describe(id).status() == Status.RUNNING);
    Coded.signal(node, id, name, name);
    Await.until(
        "the signal is taken",
        TestNode.SOON,
        () ->
            Journal.whole(node.storage, id).stream()
                .anyMatch(Event.SignalConsumed.class::isInstance));
  }

  @Test
  void whatAllDidNotReturnIsForTheNextRound() {
    AtomicInteger round = new AtomicInteger();
    Coded.begin(
        node,
        "rounds",
        ctx -> {
          for (; ; ) {
            Handle<String> approval = ctx.signals("approval", String.class).receiveAsync();
            Handle<String> check =
                ctx.stepAsync(
                    "check",
                    StepOptions.retry(RetryPolicy.NONE),
                    () -> {
                      busy("rounds");
                      if (round.getAndIncrement() == 0) throw new IllegalStateException("red");
                      return "green";
                    });
            try {
              return ctx.all(List.of(approval, check));
            } catch (IllegalStateException red) {
              ctx.info();
            }
          }
        });
    signalAndAwaitTaking("rounds", "approval");
    step("rounds").countDown();
    assertThat(node.result("rounds")).isEqualTo("[\"approval\",\"green\"]");
  }

  @Test
  void whatACancelledBranchHasNotReceivedIsForTheNextWait() {
    Coded.begin(
        node,
        "branch",
        ctx -> {
          Handle<String> branch =
              ctx.async(
                  "branch",
                  () -> {
                    Handle<String> work = ctx.signals("work", String.class).receiveAsync();
                    ctx.step("busy", () -> busy("branch"));
                    return work.get();
                  });
          ctx.awaitSignal("stop", String.class);
          branch.cancel("not now");
          try {
            branch.get();
          } catch (CancelledException cancelled) {
            return ctx.awaitSignal("work", String.class);
          }
          return "not cancelled";
        });
    signalAndAwaitTaking("branch", "work");
    Coded.signal(node, "branch", "stop", "stop");
    assertThat(node.result("branch")).isEqualTo("\"work\"");
    step("branch").countDown();
  }

  /** The block that asked for it is over; the block around it has it. */
  @Test
  void whatACancelledScopeTookOverIsForTheNextWait() {
    Coded.begin(
        node,
        "outlives",
        ctx -> {
          Handle<String> work =
              ctx.scope(
                  "outer",
                  outer -> {
                    Handle<String> inner =
                        ctx.scope(
                            "inner", scope -> ctx.signals("work", String.class).receiveAsync());
                    ctx.step("busy", () -> busy("outlives"));
                    outer.cancel("not now");
                    return inner;
                  });
          try {
            return work.get();
          } catch (CancelledException cancelled) {
            return "again " + ctx.awaitSignal("work", String.class);
          }
        });
    signalAndAwaitTaking("outlives", "work");
    step("outlives").countDown();
    assertThat(node.result("outlives")).isEqualTo("\"again work\"");
  }

  @Test
  void aBugGivesNothingBack() {
    AtomicBoolean bug = new AtomicBoolean(true);
    Coded.begin(
        node,
        "bug",
        ctx -> {
          Handle<String> work = ctx.signals("work", String.class).receiveAsync();
          Handle<String> branch =
              ctx.async(
                  "branch",
                  () -> {
                    ctx.step("busy", () -> busy("bug"));
                    if (bug.get()) throw new IllegalStateException("a bug");
                    return "mended";
                  });
          return ctx.all(List.of(work, branch));
        });
    signalAndAwaitTaking("bug", "work");
    step("bug").countDown();
    Await.until("it stops", TestNode.SOON, () -> node.describe("bug").status() == Status.INCIDENT);
    bug.set(false);
    TestNode.await(node.workflows().resolveIncident(WorkflowId.of("bug"), "mended"));
    assertThat(node.result("bug")).isEqualTo("[\"work\",\"mended\"]");
    assertThat(Journal.whole(node.storage, "bug"))
        .noneMatch(Event.SignalReturned.class::isInstance);
  }

  @Test
  void aHandleThatSaidItIsDoneHasBeenReceived() {
    assertThat(
            code(
                "asked",
                ctx -> {
                  Handle<String> work = ctx.signals("work", String.class).receiveAsync();
                  ctx.await(work::isDone);
                  work.cancel("too late");
                  return work.get();
                }))
        .isEqualTo("\"work\"");
    assertThat(unconsumed("asked")).extracting(PendingSignal::name).containsExactly("roll");
  }

  @Test
  void whatCameWhileItWasPausedIsGivenBackAsWell() {
    node.begin("paused", "rolling", 1);
    Await.until(
        "it waits", TestNode.SOON, () -> node.describe("paused").status() == Status.WAITING);
    TestNode.await(node.workflows().pause(WorkflowId.of("paused"), "look"));
    Coded.signal(node, "paused", "roll", "roll");
    Coded.signal(node, "paused", "work", "work");
    Await.until(
        "both are taken in",
        TestNode.SOON,
        () ->
            Journal.whole(node.storage, "paused").stream()
                    .filter(Event.SignalConsumed.class::isInstance)
                    .count()
                == 2);
    TestNode.await(node.workflows().resume(WorkflowId.of("paused")));
    assertThat(node.result("paused")).isEqualTo("\"2 work\"");
  }

  /** Its parent has not heard of it yet, so it is not closed. */
  @Test
  void aWorkflowThatHasEndedRefusesSignalsAtOnce() {
    Coded.put("ended/child", ctx -> "over");
    GatedStorage.Gate gate =
        GATED.get().hold("ended", event -> event instanceof Event.Completed done && isChild(done));
    Coded.begin(
        node, "ended", ctx -> ctx.child(ChildCall.to("coded", String.class).id("ended/child")));
    gate.awaitArrival();
    assertThat(
            TestNode.await(
                node.workflows()
                    .signal(
                        WorkflowId.of("ended/child"),
                        "go",
                        TestNode.json("late"),
                        Optional.empty())))
        .isInstanceOf(SignalResult.Closed.class);
    gate.open();
    assertThat(node.result("ended")).isEqualTo("\"over\"");
    assertThat(
            Coded.run(
                node,
                "ended-other",
                ctx -> {
                  try {
                    ctx.signalWorkflow(WorkflowId.of("ended/child"), "go", "late");
                    return "delivered";
                  } catch (UndeliverableException e) {
                    return "undeliverable";
                  }
                }))
        .isEqualTo("\"undeliverable\"");
  }

  private static boolean isChild(Event.Completed done) {
    return done.operation().value().startsWith("child:");
  }
}
