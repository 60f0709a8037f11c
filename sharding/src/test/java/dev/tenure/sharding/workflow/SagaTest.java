package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Saga;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowFailure;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.audit.HistoryAudit;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a saga did is undone, whatever happens to it. */
class SagaTest {
  private static final StepOptions ONCE = StepOptions.retry(RetryPolicy.NONE);
  private static final StepOptions QUICK =
      StepOptions.retry(
          RetryPolicy.COMPENSATION.backoff(Duration.ofMillis(1), 1, Duration.ofMillis(1)));

  private static TestNode node;

  private final List<String> undone = Collections.synchronizedList(new ArrayList<>());

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

  private static void audit(String id) {
    HistoryAudit audit = new HistoryAudit(id);
    for (JournalEntry entry : Journal.steps(node.storage, id)) audit.commit(entry.events());
  }

  private static void pass(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void nothingIsStartedAfterACancellation() {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger others = new AtomicInteger();
    begin(
        "cancelled",
        ctx ->
            ctx.saga(
                saga -> {
                  saga.step(
                      "a",
                      () -> {
                        running.countDown();
                        pass(go);
                        return "a";
                      },
                      undone::add);
                  saga.step("b", others::incrementAndGet, b -> undone.add("b"));
                  saga.step("c", others::incrementAndGet, c -> undone.add("c"));
                  return "ok";
                }));
    pass(running);
    TestNode.await(node.workflows().cancel(WorkflowId.of("cancelled"), "rain"));
    go.countDown();
    assertThat(node.end("cancelled").outcome()).isEqualTo(new Outcome.Cancelled("rain"));
    assertThat(others).hasValue(0);
    assertThat(undone).containsExactly("a");
    audit("cancelled");
  }

  @Test
  void nothingIsStartedAfterAnExecutionTimeout() {
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger others = new AtomicInteger();
    Coded.put(
        "timed-out",
        ctx ->
            ctx.saga(
                saga -> {
                  saga.step(
                      "a",
                      () -> {
                        pass(go);
                        return "a";
                      },
                      undone::add);
                  saga.step("b", others::incrementAndGet, b -> undone.add("b"));
                  return "ok";
                }));
    TestNode.await(
        node.workflows()
            .start(
                StartRequest.of("timed-out", "coded", TestNode.json(null))
                    .executionTimeout(Duration.ofMillis(300))));
    Await.until(
        "its time is over",
        TestNode.SOON,
        () -> node.events("timed-out").stream().anyMatch(Event.DeadlinePassed.class::isInstance));
    go.countDown();
    assertThat(node.end("timed-out").status()).isEqualTo(Status.TIMED_OUT);
    assertThat(others).hasValue(0);
    assertThat(undone).containsExactly("a");
  }

  @Test
  void aCompensationThatCannotSucceedIsAnIncidentOfACancelledWorkflow() {
    AtomicBoolean bankIsAway = new AtomicBoolean(true);
    AtomicInteger tries = new AtomicInteger();
    begin(
        "refund",
        ctx ->
            ctx.saga(
                saga -> {
                  saga.step("reserve", () -> "r", undone::add);
                  saga.step(
                      "charge",
                      StepOptions.DEFAULT,
                      () -> "p",
                      // Of a policy that gives up, too.
                      QUICK.withRetry(QUICK.retry().attempts(3)),
                      payment -> {
                        tries.incrementAndGet();
                        if (bankIsAway.get()) throw new IllegalStateException("the bank is away");
                        undone.add(payment);
                      });
                  return ctx.awaitSignal("never", String.class);
                }));
    Await.until(
        "it waits", TestNode.SOON, () -> node.describe("refund").status() == Status.WAITING);
    TestNode.await(node.workflows().cancel(WorkflowId.of("refund"), "rain"));
    Await.until(
        "it is an incident",
        TestNode.SOON,
        () -> node.describe("refund").status() == Status.INCIDENT);
    assertThat(tries).hasValue(3);
    assertThat(node.describe("refund").incident())
        .hasValueSatisfying(
            incident -> {
              assertThat(incident).isInstanceOf(Incident.OperationFailed.class);
              assertThat(incident.about()).contains(new OperationId("undo charge#1"));
              assertThat(incident.message()).contains("the bank is away");
            });
    assertThat(undone).isEmpty();

    bankIsAway.set(false);
    TestNode.await(node.workflows().resolveIncident(WorkflowId.of("refund"), "it is back"));
    assertThat(node.end("refund").outcome()).isEqualTo(new Outcome.Cancelled("rain"));
    assertThat(undone).containsExactly("p", "r");
    audit("refund");
  }

  @Test
  void aFinalFailureOfACompensationIsAnIncidentAtOnce() {
    begin(
        "final",
        ctx ->
            ctx.saga(
                saga -> {
                  saga.compensateWith(
                      "undo",
                      () -> {
                        throw WorkflowFailure.permanent("E1", "no such payment");
                      });
                  throw WorkflowFailure.permanent("E2", "failed");
                }));
    Await.until(
        "it is an incident",
        TestNode.SOON,
        () -> node.describe("final").status() == Status.INCIDENT);
    TestNode.await(node.workflows().terminate(WorkflowId.of("final"), "undone by hand"));
    assertThat(node.end("final").status()).isEqualTo(Status.TERMINATED);
  }

  @Test
  void aStepThatFailedIsUndoneWhenItSaysSo() {
    StepOptions quick = StepOptions.retry(RetryPolicy.NONE).withTimeout(Duration.ofMillis(50));
    CountDownLatch never = new CountDownLatch(1);
    String result =
        run(
            "unknown",
            ctx -> {
              try {
                return ctx.saga(
                    saga -> {
                      saga.stepUndoneEvenIfFailed(
                          "known", ONCE, () -> "k", got -> undone.add("known " + got));
                      try {
                        saga.stepUndoneEvenIfFailed(
                            "failed",
                            ONCE,
                            () -> {
                              throw new IllegalStateException("the answer was lost");
                            },
                            got -> undone.add("failed " + got));
                      } catch (IllegalStateException lost) {
                        // The next bank may take it.
                      }
                      saga.stepUndoneEvenIfFailed(
                          "timed out",
                          quick,
                          () -> {
                            pass(never);
                            return "late";
                          },
                          got -> undone.add("timed out " + got));
                      return "never";
                    });
              } catch (dev.tenure.workflow.OperationTimedOutException late) {
                return "undone";
              }
            });
    never.countDown();
    assertThat(result).isEqualTo("\"undone\"");
    assertThat(undone)
        .containsExactly("timed out Optional.empty", "failed Optional.empty", "known Optional[k]");
    audit("unknown");
  }

  @Test
  void aSagaThatIsOverTakesNoStepAnyMore() {
    AtomicInteger late = new AtomicInteger();
    String result =
        run(
            "over",
            ctx -> {
              List<Saga> kept = new ArrayList<>();
              ctx.saga(
                  saga -> {
                    kept.add(saga);
                    return null;
                  });
              try {
                return kept.getFirst().step("late", late::incrementAndGet, one -> {});
              } catch (IllegalStateException over) {
                return over.getMessage();
              }
            });
    assertThat(result).contains("This saga is over");
    assertThat(late).hasValue(0);
  }

  @Test
  void aNameThatIsTooLongForTheCompensationIsRefusedBeforeTheStep() {
    AtomicInteger done = new AtomicInteger();
    String name = "x".repeat(OperationId.NAME_BYTES_MAX);
    String result =
        run(
            "long name",
            ctx ->
                ctx.saga(
                    saga -> {
                      try {
                        saga.step(name, done::incrementAndGet, one -> {});
                        return "done";
                      } catch (RuntimeException tooLong) {
                        return "refused";
                      }
                    }));
    assertThat(result).isEqualTo("\"refused\"");
    assertThat(done).hasValue(0);
  }

  @Test
  void noBranchIsCancelledForABugAndTheMendedCodeGoesOn() {
    AtomicBoolean isMended = new AtomicBoolean();
    begin(
        "bug",
        ctx ->
            ctx.saga(
                saga -> {
                  Handle<String> side =
                      ctx.async(
                          "side",
                          () -> {
                            saga.step("a", () -> "a", undone::add);
                            return ctx.awaitSignal("go", String.class);
                          });
                  ctx.sleep(Duration.ofMillis(50));
                  return ctx.scope(
                      "inner",
                      scope -> {
                        ctx.async("other", () -> ctx.awaitSignal("go", String.class));
                        if (!isMended.get()) throw new IllegalStateException("a bug");
                        return side.get();
                      });
                }));
    Await.until(
        "it is an incident", TestNode.SOON, () -> node.describe("bug").status() == Status.INCIDENT);
    assertThat(undone).isEmpty();
    isMended.set(true);
    TestNode.await(node.workflows().resolveIncident(WorkflowId.of("bug"), "mended"));
    Coded.signal(node, "bug", "go", "on");
    assertThat(node.result("bug")).isEqualTo("\"on\"");
    assertThat(undone).isEmpty();
  }
}
