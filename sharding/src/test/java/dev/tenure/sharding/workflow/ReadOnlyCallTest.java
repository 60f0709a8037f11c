package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.ChildCall;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.TypeRef;
import dev.tenure.workflow.UpdateRejectedException;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Queries and validators look: whatever else they try is an error to the one who asked. */
class ReadOnlyCallTest {
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

  private static String query(String id, String name) {
    return TestNode.text(
        TestNode.await(node.workflows().query(WorkflowId.of(id), name, TestNode.json(null))));
  }

  private static Outcome update(String id, String updateId, String name, Object value) {
    return TestNode.await(
        node.workflows().update(WorkflowId.of(id), updateId, name, TestNode.json(value)));
  }

  private static void assertOnlyLooks(String id, String query) {
    assertThatThrownBy(() -> query(id, query))
        .as(query)
        .hasCauseInstanceOf(WorkflowError.QueryFailed.class)
        .hasMessageContaining("only reads");
  }

  private static void awaitWaiting(String id) {
    Await.until(id + " waits", TestNode.SOON, () -> node.describe(id).status() == Status.WAITING);
  }

  @Test
  void aQueryThatWouldWaitFailsAndNothingRunsAgain() {
    AtomicInteger runs = new AtomicInteger();
    CountDownLatch release = new CountDownLatch(1);
    begin(
        "nosy",
        ctx -> {
          Handle<Integer> invoice =
              ctx.stepAsync(
                  "invoice",
                  StepOptions.DEFAULT,
                  () -> {
                    runs.incrementAndGet();
                    release.await();
                    return 7;
                  });
          ctx.onQuery("nosy", invoice::get);
          ctx.onQuery("done", invoice::isDone);
          return ctx.awaitSignal("go", String.class);
        });
    Await.until("the step runs", TestNode.SOON, () -> runs.get() == 1);
    for (int i = 0; i < 3; i++) assertOnlyLooks("nosy", "nosy");
    assertThat(query("nosy", "done")).isEqualTo("false");

    release.countDown();
    Await.until("it is done", TestNode.SOON, () -> query("nosy", "done").equals("true"));
    assertThat(query("nosy", "nosy")).isEqualTo("7");
    Coded.signal(node, "nosy", "go", "bye");
    assertThat(node.result("nosy")).isEqualTo("\"bye\"");
    assertThat(runs).hasValue(1);
  }

  @Test
  void aQueryCancelsSendsAndSchedulesNothing() {
    List<String> forbidden =
        List.of("cancel", "scope", "tell child", "tell", "undo", "await", "receive", "record");
    begin(
        "meddling",
        ctx -> {
          Handle<Void> timer = ctx.timer("t", Duration.ofDays(1));
          ctx.onQuery("cancel", () -> cancelled(() -> timer.cancel("a query said so")));
          ctx.onQuery("await", () -> cancelled(() -> ctx.await(() -> true)));
          ctx.onQuery("record", () -> ctx.record("r", Integer.class, () -> 1));
          ctx.onQuery("receive", () -> ctx.signals("go", String.class).receiveAsync().isDone());
          ctx.onQuery(
              "tell", () -> cancelled(() -> ctx.signalWorkflow(WorkflowId.of("x"), "y", 1)));
          return ctx.saga(
              saga -> {
                ctx.onQuery("undo", () -> cancelled(() -> saga.compensateWith("u", () -> {})));
                return ctx.scope(
                    "inner",
                    scope -> {
                      var child = ctx.childAsync(ChildCall.to("nobody", String.class));
                      ctx.onQuery("tell child", () -> cancelled(() -> child.signal("y", 1)));
                      ctx.onQuery("scope", () -> cancelled(() -> scope.cancel("a query said so")));
                      return ctx.awaitSignal("go", String.class);
                    });
              });
        });
    Await.until(
        "it waits", TestNode.SOON, () -> node.describe("meddling").status() == Status.WAITING);
    for (String query : forbidden) assertOnlyLooks("meddling", query);
    Coded.signal(node, "meddling", "go", "bye");
    assertThat(node.result("meddling")).isEqualTo("\"bye\"");
  }

  private static String cancelled(Runnable attempt) {
    attempt.run();
    return "done";
  }

  @Test
  void aQueryThatChangesAFieldMovesNothing() {
    begin(
        "wakes",
        ctx -> {
          boolean[] open = {false};
          boolean[] passed = {false};
          ctx.onQuery("open", () -> open[0] = true);
          ctx.onQuery("passed", () -> passed[0]);
          ctx.onUpdate("nothing", Integer.class, number -> number);
          ctx.await(() -> open[0]);
          passed[0] = true;
          return ctx.awaitSignal("go", String.class);
        });
    awaitWaiting("wakes");
    assertThat(query("wakes", "open")).isEqualTo("true");
    assertThat(query("wakes", "passed")).isEqualTo("false");
    assertThat(update("wakes", "u", "nothing", 1)).isInstanceOf(Outcome.Succeeded.class);
    Coded.signal(node, "wakes", "go", "bye");
    assertThat(node.result("wakes")).isEqualTo("\"bye\"");
  }

  @Test
  void aRefusedUpdateLeavesNoTrace() {
    begin(
        "refuses",
        ctx -> {
          Instant begun = ctx.now();
          AtomicInteger asked = new AtomicInteger();
          ctx.onUpdate(
              "never",
              TypeRef.of(Integer.class),
              number -> {
                throw new UpdateRejectedException("never");
              },
              number -> number);
          ctx.onUpdate("add", Integer.class, number -> number);
          ctx.onQuery("moved", () -> !ctx.now().equals(begun));
          ctx.onQuery("asked", asked::get);
          ctx.await(
              () -> {
                asked.incrementAndGet();
                return ctx.now().isAfter(begun);
              });
          return "moved";
        });
    awaitWaiting("refuses");
    String asked = query("refuses", "asked");
    assertThat(update("refuses", "u1", "never", 1)).isInstanceOf(Outcome.Failed.class);
    assertThat(update("refuses", "u2", "unknown", 1)).isInstanceOf(Outcome.Failed.class);
    assertThat(node.describe("refuses").status()).isEqualTo(Status.WAITING);
    assertThat(query("refuses", "moved")).isEqualTo("false");
    assertThat(query("refuses", "asked")).isEqualTo(asked);
    update("refuses", "u3", "add", 1);
    assertThat(node.result("refuses")).isEqualTo("\"moved\"");
  }

  @Test
  void aValidatorThatDoesMoreThanLookRefusesTheUpdate() {
    begin(
        "checks",
        ctx -> {
          Handle<Void> timer = ctx.timer("t", Duration.ofDays(1));
          ctx.onUpdate(
              "cancel", TypeRef.of(Integer.class), number -> timer.cancel("no"), number -> number);
          ctx.onUpdate("wait", TypeRef.of(Integer.class), number -> timer.get(), number -> number);
          ctx.onQuery("cancelled", timer::isDone);
          return ctx.awaitSignal("go", String.class);
        });
    for (String name : List.of("cancel", "wait")) {
      Outcome refused = update("checks", name, name, 1);
      assertThat(refused).isInstanceOf(Outcome.Failed.class);
      assertThat(((Outcome.Failed) refused).failure().type())
          .isEqualTo("dev.tenure.workflow.ReadOnlyContextException");
    }
    assertThat(query("checks", "cancelled")).isEqualTo("false");
    Coded.signal(node, "checks", "go", "bye");
    assertThat(node.result("checks")).isEqualTo("\"bye\"");
  }

  @Test
  void whatDoesNotComeBackIsAnErrorToTheOneWhoAskedAndNoIncident() {
    AtomicBoolean end = new AtomicBoolean();
    AtomicInteger runs = new AtomicInteger();
    CountDownLatch release = new CountDownLatch(1);
    begin(
        "endless",
        ctx -> {
          ctx.onQuery("fine", () -> "fine");
          ctx.onQuery(
              "spins",
              () -> {
                while (!end.get()) Thread.onSpinWait();
                return "came";
              });
          ctx.onQuery(
              "blocks",
              () -> {
                try {
                  new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
                return "came";
              });
          ctx.onUpdate(
              "checks",
              TypeRef.of(Integer.class),
              number -> {
                while (!end.get()) Thread.onSpinWait();
              },
              number -> number);
          Handle<Integer> slow =
              ctx.stepAsync(
                  "slow",
                  StepOptions.DEFAULT,
                  () -> {
                    runs.incrementAndGet();
                    release.await();
                    return 7;
                  });
          return slow.get();
        });
    for (String query : List.of("spins", "blocks"))
      assertThatThrownBy(() -> query("endless", query))
          .hasCauseInstanceOf(WorkflowError.QueryFailed.class)
          .hasMessageContaining("did not come back");
    // As long as it has not come back it is not asked again.
    assertThatThrownBy(() -> query("endless", "spins"))
        .hasCauseInstanceOf(WorkflowError.QueryFailed.class)
        .hasMessageContaining("still runs");
    Outcome refused = update("endless", "u", "checks", 1);
    assertThat(((Outcome.Failed) refused).failure().type()).isEqualTo(Failure.TIMEOUT);
    assertThatThrownBy(() -> update("endless", "u2", "checks", 1))
        .hasCauseInstanceOf(WorkflowError.NotNow.class)
        .hasMessageContaining("still runs");
    assertThat(query("endless", "fine")).isEqualTo("\"fine\"");
    assertThat(node.describe("endless").incident()).isEmpty();

    end.set(true);
    Await.until("it came back", TestNode.SOON, () -> comesBack("endless", "spins"));
    release.countDown();
    assertThat(node.result("endless")).isEqualTo("7");
    assertThat(runs).hasValue(1);
  }

  private static boolean comesBack(String id, String query) {
    try {
      return query(id, query).equals("\"came\"");
    } catch (CompletionException stillRuns) {
      return false;
    }
  }

  @Test
  void stepsBesideCodeThatIsGivenUpAreInterrupted() {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    begin(
        "gives-up",
        ctx -> {
          ctx.stepAsync(
              "beside",
              StepOptions.DEFAULT,
              () -> {
                running.countDown();
                try {
                  never.await();
                } catch (InterruptedException e) {
                  interrupted.countDown();
                  throw e;
                }
                return 1;
              });
          ctx.awaitSignal("go", String.class);
          while (never.getCount() > 0) Thread.onSpinWait();
          return null;
        });
    Await.until("it runs", TestNode.SOON, () -> running.getCount() == 0);
    Coded.signal(node, "gives-up", "go", "bye");
    Await.until("it is interrupted", TestNode.SOON, () -> interrupted.getCount() == 0);
    assertThat(node.describe("gives-up").incident()).isPresent();
    never.countDown();
    TestNode.await(node.workflows().terminate(WorkflowId.of("gives-up"), "enough"));
  }
}
