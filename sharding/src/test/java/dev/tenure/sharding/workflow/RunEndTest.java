package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.CancelledException;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A run is over when its branches and its update handlers are, however it comes to its end. */
class RunEndTest {
  private static TestNode node;

  @BeforeAll
  static void start() {
    node = TestNode.start(new TestNode.Plan().with(Coded.class, Coded::new));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static String run(String id, Function<WorkflowContext, Object> code) {
    return Coded.run(node, id, code);
  }

  private static void begin(String id, Function<WorkflowContext, Object> code) {
    Coded.begin(node, id, code);
  }

  private static void awaitCompleted(String id, String operation) {
    StepGate.awaitCompleted(node, id, operation);
  }

  /** Its branch is in a shielded step when the workflow's own method comes to {@code end}. */
  private static StepGate shieldedBranch(String id, Function<WorkflowContext, Object> end) {
    StepGate charge = new StepGate();
    begin(
        id,
        ctx -> {
          if (charge.passed.get() > 0) return "the next run";
          ctx.async("pay", () -> ctx.shielded(() -> ctx.step("charge", charge::pass)));
          ctx.step("arrive", charge::awaitArrival);
          return end.apply(ctx);
        });
    awaitCompleted(id, "arrive#1");
    charge.open();
    return charge;
  }

  private static void isCharged(String id) {
    assertThat(node.events(id))
        .filteredOn(
            event ->
                event instanceof Event.Completed completed
                    && completed.operation().equals(new OperationId("pay#1/charge#1")))
        .singleElement()
        .satisfies(
            event ->
                assertThat(((Event.Completed) event).outcome())
                    .isInstanceOf(Outcome.Succeeded.class));
  }

  @Test
  void theShieldedPartOfABranchRunsToItsEndWhenTheMethodReturns() {
    shieldedBranch("shielded-returns", ctx -> "returned");
    assertThat(node.result("shielded-returns")).isEqualTo("\"returned\"");
    isCharged("shielded-returns");
  }

  @Test
  void theShieldedPartOfABranchRunsToItsEndWhenTheMethodThrows() {
    shieldedBranch(
        "shielded-throws",
        ctx -> {
          throw dev.tenure.workflow.WorkflowFailure.permanent("E1", "no");
        });
    assertThat(node.end("shielded-throws").status()).isEqualTo(Status.FAILED);
    isCharged("shielded-throws");
  }

  @Test
  void theShieldedPartOfABranchRunsToItsEndBeforeTheNextRunBegins() {
    shieldedBranch("shielded-continues", ctx -> ctx.continueAsNew(null));
    assertThat(node.result("shielded-continues")).isEqualTo("\"the next run\"");
    isCharged("shielded-continues");
  }

  @Test
  void aSagaInABranchIsUndoneBeforeTheNextRunBegins() {
    AtomicInteger undone = new AtomicInteger();
    AtomicInteger undoneBefore = new AtomicInteger(-1);
    AtomicInteger runs = new AtomicInteger();
    String result =
        run(
            "saga-continues",
            ctx -> {
              if (ctx.step("count", runs::incrementAndGet) > 1) {
                undoneBefore.set(undone.get());
                return "done";
              }
              ctx.async(
                  "side",
                  () ->
                      ctx.saga(
                          saga -> {
                            saga.step("do", () -> 1, did -> undone.incrementAndGet());
                            return ctx.awaitSignal("never", String.class);
                          }));
              ctx.sleep(Duration.ofMillis(100));
              return ctx.continueAsNew(null);
            });
    assertThat(result).isEqualTo("\"done\"");
    assertThat(undoneBefore).hasValue(1);
  }

  @Test
  void aCancellationThatComesBeforeTheNextRunBeginsIsSeenByTheSagaAroundIt() {
    AtomicInteger undone = new AtomicInteger();
    StepGate charge = new StepGate();
    begin(
        "cancelled-continues",
        ctx ->
            ctx.saga(
                saga -> {
                  saga.step("do", () -> 1, did -> undone.incrementAndGet());
                  ctx.async("pay", () -> ctx.shielded(() -> ctx.step("charge", charge::pass)));
                  ctx.step("arrive", charge::awaitArrival);
                  return ctx.continueAsNew(null);
                }));
    awaitCompleted("cancelled-continues", "arrive#1");
    TestNode.await(node.workflows().cancel(WorkflowId.of("cancelled-continues"), "rain"));
    charge.open();
    assertThat(node.end("cancelled-continues").outcome()).isEqualTo(new Outcome.Cancelled("rain"));
    assertThat(undone).hasValue(1);
    assertThat(charge.passed).hasValue(1);
  }

  @Test
  void aRunWaitsForItsUpdateHandlersWhenItSaysSo() {
    begin(
        "handlers",
        ctx -> {
          List<String> added = new ArrayList<>();
          ctx.onUpdate(
              "add",
              String.class,
              word -> {
                ctx.sleep(Duration.ofMillis(100));
                added.add(ctx.step("add", () -> word));
                return added.size();
              });
          ctx.awaitSignal("end", String.class);
          ctx.awaitHandlers();
          return added;
        });
    var answer =
        node.workflows().update(WorkflowId.of("handlers"), "u1", "add", TestNode.json("a"));
    Await.until(
        "it is admitted",
        TestNode.SOON,
        () -> node.events("handlers").stream().anyMatch(Event.UpdateAdmitted.class::isInstance));
    Coded.signal(node, "handlers", "end", "now");
    assertThat(node.result("handlers")).isEqualTo("[\"a\"]");
    assertThat(TestNode.await(answer).toString()).contains("Succeeded");
  }

  @Test
  void aHandlerIsToldThatTheRunEndsAndHasItsShieldedPartDone() {
    StepGate charge = new StepGate();
    begin(
        "handler-cut",
        ctx -> {
          ctx.onUpdate(
              "pay",
              String.class,
              word -> {
                ctx.shielded(() -> ctx.step("charge", charge::pass));
                return ctx.awaitSignal("never", String.class);
              });
          ctx.awaitSignal("end", String.class);
          return "ended";
        });
    node.workflows().update(WorkflowId.of("handler-cut"), "u1", "pay", TestNode.json("a"));
    charge.awaitArrival();
    Coded.signal(node, "handler-cut", "end", "now");
    charge.open();
    assertThat(node.result("handler-cut")).isEqualTo("\"ended\"");
    assertThat(charge.passed).hasValue(1);
    assertThat(node.events("handler-cut"))
        .filteredOn(Event.UpdateAnswered.class::isInstance)
        .singleElement()
        .satisfies(
            event ->
                assertThat(((Event.UpdateAnswered) event).outcome())
                    .isInstanceOf(Outcome.Failed.class));
  }

  @Test
  void terminatingEndsAtOnceWhateverIsShielded() {
    StepGate charge = waitingForAShieldedBranch("terminated-shielded");
    TestNode.await(node.workflows().terminate(WorkflowId.of("terminated-shielded"), "enough"));
    assertThat(node.end("terminated-shielded").outcome())
        .isEqualTo(new Outcome.Terminated("enough"));
    charge.open();
  }

  private static StepGate waitingForAShieldedBranch(String id) {
    StepGate charge = new StepGate();
    begin(
        id,
        ctx -> {
          ctx.async("pay", () -> ctx.shielded(() -> ctx.step("charge", charge::pass)));
          ctx.step("arrive", charge::awaitArrival);
          return "returned";
        });
    awaitCompleted(id, "arrive#1");
    return charge;
  }

  @Test
  void aBranchThatIgnoresItsCancellationIsAnIncident() {
    begin(
        "ignores",
        ctx -> {
          ctx.async(
              "deaf",
              () -> {
                while (true) {
                  try {
                    ctx.sleep(Duration.ofDays(1));
                  } catch (CancelledException ignored) {
                    // Goes on waiting, as it should not.
                  }
                }
              });
          ctx.sleep(Duration.ofMillis(20));
          return "returned";
        });
    Await.until(
        "it is an incident",
        TestNode.SOON,
        () -> node.describe("ignores").status() == Status.INCIDENT);
    assertThat(node.describe("ignores").incident().orElseThrow().kind()).isEqualTo("stuck");
    TestNode.await(node.workflows().terminate(WorkflowId.of("ignores"), "enough"));
    assertThat(node.end("ignores").status()).isEqualTo(Status.TERMINATED);
  }
}
