package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.OperationTimedOutException;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.StepFailedException;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WrongThreadException;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Code that does what it should not: one workflow suffers, and says why; the node does not. */
class CodeFaultsTest {
  private static final StepOptions ONCE = StepOptions.retry(RetryPolicy.NONE);

  private static TestNode node;

  @BeforeAll
  static void start() {
    node =
        TestNode.start(
            new TestNode.Plan()
                .with(Coded.class, Coded::new)
                .settings(given -> given.withCodeLimit(Duration.ofSeconds(1))));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static void begin(String id, Function<WorkflowContext, Object> code) {
    Coded.begin(node, id, code);
  }

  private static Failure failure(String id) {
    return ((Outcome.Failed) node.end(id).outcome()).failure();
  }

  private static void awaitStatus(String id, Status status) {
    Await.until(
        id + " is " + status + ", it is " + node.describe(id).status(),
        TestNode.SOON,
        () -> node.describe(id).status() == status);
  }

  /** Says that the node still does what nodes do. */
  private static void assertAlive(String id) {
    begin(id, ctx -> ctx.step("fine", () -> "fine"));
    assertThat(node.result(id)).isEqualTo("\"fine\"");
  }

  @Test
  void aMethodThatBlocksIsAnIncidentThatNamesThePlace() {
    AtomicBoolean mended = new AtomicBoolean();
    CountDownLatch never = new CountDownLatch(1);
    begin(
        "blocks",
        ctx -> {
          String one = ctx.step("one", () -> "one");
          if (!mended.get()) awaitUninterruptibly(never);
          return ctx.step("two", () -> one + " two");
        });
    awaitStatus("blocks", Status.INCIDENT);
    Incident incident = node.describe("blocks").incident().orElseThrow();
    assertThat(incident).isInstanceOf(Incident.Stuck.class);
    assertThat(incident.message()).contains("awaitUninterruptibly").contains("WAITING");
    assertAlive("beside-blocks");

    mended.set(true);
    assertThat(TestNode.await(node.workflows().resolveIncident(WorkflowId.of("blocks"), "mended")))
        .isTrue();
    assertThat(node.result("blocks")).isEqualTo("\"one two\"");
    never.countDown();
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        // Code that is as bad as this exists.
        Thread.interrupted();
      }
    }
  }

  @Test
  void methodsThatSpinDoNotTakeTheThreadsOfTheOthers() {
    AtomicBoolean end = new AtomicBoolean();
    int spinners = Runtime.getRuntime().availableProcessors() + 2;
    for (int i = 0; i < spinners; i++)
      begin(
          "spins-" + i,
          ctx -> {
            while (!end.get()) Thread.onSpinWait();
            return null;
          });
    for (int i = 0; i < spinners; i++) awaitStatus("spins-" + i, Status.INCIDENT);
    assertAlive("beside-spinners");
    end.set(true);
    for (int i = 0; i < spinners; i++)
      TestNode.await(node.workflows().terminate(WorkflowId.of("spins-" + i), "enough"));
  }

  @Test
  void aThreadOfItsOwnGetsAClearError() {
    AtomicReference<Throwable> seen = new AtomicReference<>();
    begin(
        "threads",
        ctx -> {
          Thread own =
              Thread.ofPlatform()
                  .start(
                      () -> {
                        try {
                          ctx.step("stray", () -> 1);
                        } catch (Throwable thrown) {
                          seen.set(thrown);
                        }
                      });
          try {
            own.join();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return ctx.step("ok", () -> "ok");
        });
    assertThat(node.result("threads")).isEqualTo("\"ok\"");
    assertThat(seen.get()).isInstanceOf(WrongThreadException.class).hasMessageContaining("async");
  }

  @Test
  void theContextIsClosedInsideAStep() {
    begin("inside", ctx -> ctx.step("outer", ONCE, () -> ctx.step("inner", () -> 1)));
    assertThat(failure("inside").type()).isEqualTo(WrongThreadException.class.getName());
  }

  @Test
  void aStepThatTimesOutIsInterruptedAndTheCodeLearnsIt() {
    CountDownLatch interrupted = new CountDownLatch(1);
    begin(
        "slow",
        ctx -> {
          try {
            ctx.step(
                "slow",
                ONCE.withTimeout(Duration.ofMillis(100)),
                () -> {
                  try {
                    new CountDownLatch(1).await();
                  } catch (InterruptedException e) {
                    interrupted.countDown();
                    throw e;
                  }
                  return 1;
                });
            return "came";
          } catch (OperationTimedOutException e) {
            return ctx.step("after", () -> "timed out");
          } catch (InterruptedException e) {
            return "interrupted";
          }
        });
    assertThat(node.result("slow")).isEqualTo("\"timed out\"");
    assertThat(interrupted.getCount()).isZero();
  }

  @Test
  void aStepThatDoesNotHeedItsInterruptDoesNotHoldTheWorkflow() {
    CountDownLatch never = new CountDownLatch(1);
    AtomicInteger runs = new AtomicInteger();
    begin(
        "deaf",
        ctx -> {
          try {
            return ctx.step(
                "deaf",
                ONCE.withTimeout(Duration.ofMillis(100)),
                () -> {
                  runs.incrementAndGet();
                  awaitUninterruptibly(never);
                  return "came";
                });
          } catch (OperationTimedOutException e) {
            return ctx.step("after", () -> "timed out");
          }
        });
    assertThat(node.result("deaf")).isEqualTo("\"timed out\"");
    assertThat(runs).hasValue(1);
    never.countDown();
  }

  @Test
  void aResultThatCannotBeWrittenNamesTheStepAndItsType() {
    begin("odd", ctx -> ctx.step("odd one", () -> new Object()) != null);
    awaitStatus("odd", Status.INCIDENT);
    assertThat(node.describe("odd").incident().orElseThrow().message())
        .contains("odd one#1")
        .contains("after 1 attempts")
        .contains("java.lang.Object")
        .contains("JSON");
  }

  @Test
  void aResultOfTwentyMegabytesNamesTheLimit() {
    begin(
        "large",
        ctx -> {
          try {
            return ctx.step("large", () -> "x".repeat(20 * 1024 * 1024)).length();
          } catch (RuntimeException e) {
            return e.getClass().getSimpleName() + " " + e.getMessage();
          }
        });
    assertThat(node.result("large")).contains("KEPT_BYTES_MAX").contains("large#1");
  }

  @Test
  void anExceptionIsMadeAgainFromWhatWasRecorded() {
    Failure failure =
        Failure.retryable(IllegalStateException.class.getName(), "as it was")
            .as(Failure.Form.EXCEPTION);
    assertThat(CodeFaults.again(failure))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("as it was")
        .hasCauseInstanceOf(StepFailedException.class);
    assertThat(CodeFaults.again(Failure.retryable("no.such.Type", "lost")))
        .isInstanceOf(StepFailedException.class)
        .hasMessageContaining("no.such.Type: lost");
  }

  /** What the runner makes of a recorded failure. */
  private static final class CodeFaults {
    static Throwable again(Failure failure) {
      return dev.tenure.sharding.payload.Exceptions.toThrowable(
          failure, "Step s#1", CodeFaultsTest.class.getClassLoader());
    }
  }

  @Test
  void cancellingAStepThatRunsInterruptsIt() {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    begin(
        "cancelled",
        ctx ->
            ctx.step(
                "long",
                () -> {
                  running.countDown();
                  try {
                    new CountDownLatch(1).await();
                  } catch (InterruptedException e) {
                    interrupted.countDown();
                    throw new IllegalStateException("interrupted");
                  }
                  return 1;
                }));
    Await.until("it runs", TestNode.SOON, () -> running.getCount() == 0);
    TestNode.await(node.workflows().cancel(WorkflowId.of("cancelled"), "no need"));
    assertThat(node.end("cancelled").outcome()).isEqualTo(new Outcome.Cancelled("no need"));
    Await.until("the step heard of it", TestNode.SOON, () -> interrupted.getCount() == 0);
  }

  @Test
  void moreIsAskedForThanMayBeOpen() {
    begin(
        "greedy",
        ctx -> {
          for (int i = 0; i < 10_001; i++) ctx.timer("t", Duration.ofDays(1));
          ctx.sleep(Duration.ofDays(1));
          return null;
        });
    awaitStatus("greedy", Status.INCIDENT);
    assertThat(node.describe("greedy").incident().orElseThrow().message())
        .contains("OPEN_OPERATIONS_MAX");
    assertThat(TestNode.await(node.workflows().terminate(WorkflowId.of("greedy"), "enough")))
        .isTrue();
  }
}
