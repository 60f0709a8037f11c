package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.CancelledException;
import dev.tenure.workflow.ChildCall;
import dev.tenure.workflow.ChildFailedException;
import dev.tenure.workflow.ChildHandle;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.TypeRef;
import dev.tenure.workflow.UndeliverableException;
import dev.tenure.workflow.UpdateRejectedException;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the context promises, one promise after the other, on a real database. */
class ContextTest {
  /** The code of a test, found by the workflow's id. */
  private static final Map<String, Function<WorkflowContext, Object>> CODE =
      new java.util.concurrent.ConcurrentHashMap<>();

  private static TestNode node;

  @Workflow(name = "coded")
  public static class Coded {
    public Object run(WorkflowContext ctx) {
      return CODE.get(ctx.info().id().value()).apply(ctx);
    }
  }

  @Workflow(name = "doubling")
  public static class Doubling {
    public int run(WorkflowContext ctx, int number) {
      if (number < 0) throw new IllegalArgumentException("negative: " + number);
      return ctx.step("double", () -> number * 2);
    }
  }

  @Workflow(name = "waiting")
  public static class Waiting {
    public String run(WorkflowContext ctx) {
      return ctx.awaitSignal("go", String.class);
    }
  }

  record Order(String id, List<Line> lines, Optional<Instant> paid) {}

  record Line(String article, int count) {}

  static final ActivityDefinition<Integer, Integer> SQUARE =
      ActivityDefinition.of("square", Integer.class, Integer.class);
  static final ActivityDefinition<String, String> FLAKY =
      ActivityDefinition.of("flaky", String.class, String.class)
          .withRetry(RetryPolicy.DEFAULT.backoff(Duration.ofMillis(10), 1, Duration.ofMillis(10)));
  static final AtomicInteger FLAKY_CALLS = new AtomicInteger();

  @BeforeAll
  static void start() {
    node =
        TestNode.start(
            new TestNode.Plan()
                .with(Coded.class, Coded::new)
                .with(Doubling.class, Doubling::new)
                .with(Waiting.class, Waiting::new)
                .with(ActivityRegistration.of(SQUARE, (context, number) -> number * number))
                .with(
                    ActivityRegistration.of(
                        FLAKY,
                        (context, text) -> {
                          if (FLAKY_CALLS.incrementAndGet() % 3 != 0)
                            throw new IllegalStateException("try " + context.attempt());
                          return text + context.attempt();
                        })));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static String run(String id, Function<WorkflowContext, Object> code) {
    begin(id, code);
    return node.result(id);
  }

  private static void begin(String id, Function<WorkflowContext, Object> code) {
    CODE.put(id, code);
    node.begin(id, "coded", null);
  }

  private static void signal(String id, String name, Object value) {
    assertThat(
            TestNode.await(
                node.workflows()
                    .signal(WorkflowId.of(id), name, TestNode.json(value), Optional.empty())))
        .isInstanceOf(SignalResult.Accepted.class);
  }

  @Test
  void aStepReturnsRecordsAndListsOfThem() {
    Order order =
        new Order("o", List.of(new Line("a", 1), new Line("b", 2)), Optional.of(Instant.EPOCH));
    assertThat(
            run(
                "records",
                ctx -> {
                  Order same = ctx.step("order", () -> order);
                  List<Line> lines = ctx.step("lines", () -> same.lines());
                  Optional<Line> first = ctx.step("first", () -> Optional.of(lines.getFirst()));
                  Map<String, List<Line>> byName =
                      ctx.step(
                          "typed",
                          new TypeRef<Map<String, List<Line>>>() {},
                          () -> Map.of("all", lines));
                  assertThat(same).isEqualTo(order);
                  return first.get().article() + byName.get("all").get(1).article();
                }))
        .isEqualTo("\"ab\"");
  }

  @Test
  void aStepIsTriedAgainAndThrowsWhatTheLastAttemptThrew() {
    AtomicInteger calls = new AtomicInteger();
    StepOptions quick =
        StepOptions.retry(
            RetryPolicy.DEFAULT.backoff(Duration.ofMillis(5), 1, Duration.ofMillis(5)));
    assertThat(
            run(
                "retries",
                ctx -> {
                  try {
                    return ctx.<String, java.io.IOException>step(
                        "fails",
                        quick,
                        () -> {
                          throw new java.io.IOException("call " + calls.incrementAndGet());
                        });
                  } catch (java.io.IOException e) {
                    return e.getMessage();
                  }
                }))
        .isEqualTo("\"call 3\"");
  }

  @Test
  void anActivityReturnsAndIsRetried() {
    assertThat(run("activity", ctx -> ctx.activity(SQUARE, 7))).isEqualTo("49");
    assertThat(run("flaky", ctx -> ctx.activity(FLAKY, "at "))).isEqualTo("\"at 3\"");
  }

  @Test
  void timeIsThatOfTheHistory() {
    assertThat(
            run(
                "time",
                ctx -> {
                  Instant before = ctx.now();
                  ctx.sleep(Duration.ofMillis(120));
                  Duration slept = Duration.between(before, ctx.now());
                  assertThat(slept).isGreaterThanOrEqualTo(Duration.ofMillis(120));
                  return slept.toMillis() < 1_500;
                }))
        .isEqualTo("true");
  }

  @Test
  void aTimerRunsWhileOtherThingsHappen() {
    assertThat(
            run(
                "timer",
                ctx -> {
                  Handle<Void> timer = ctx.timer("bell", Duration.ofMillis(50));
                  Handle<Integer> step = ctx.stepAsync("quick", StepOptions.DEFAULT, () -> 1);
                  List<Handle<?>> both = List.of(timer, step);
                  boolean stepFirst = ctx.any(both) == step;
                  timer.get();
                  return stepFirst && timer.isDone();
                }))
        .isEqualTo("true");
  }

  @Test
  void conditionsAreWaitedForWithAndWithoutATimeout() {
    assertThat(
            run(
                "conditions",
                ctx -> {
                  List<String> seen = new ArrayList<>();
                  ctx.async(
                      "worker",
                      () -> {
                        ctx.step("work", () -> 1);
                        seen.add("worked");
                        return null;
                      });
                  ctx.await(() -> !seen.isEmpty());
                  boolean never = ctx.await(Duration.ofMillis(30), () -> seen.size() > 1);
                  boolean already = ctx.await(Duration.ofDays(1), () -> true);
                  return never + " " + already;
                }))
        .isEqualTo("\"false true\"");
  }

  @Test
  void signalsComeInTheOrderOfTheirAcceptance() {
    begin(
        "signals",
        ctx -> {
          ctx.step("first", () -> 1);
          String all = ctx.awaitSignal("word", String.class);
          var words = ctx.signals("word", String.class);
          all += words.receive();
          all += words.receive(Duration.ofDays(1)).orElse("?");
          all += ctx.awaitSignal("never", String.class, Duration.ofMillis(20)).orElse("-");
          return all;
        });
    signal("signals", "word", "a");
    signal("signals", "word", "b");
    signal("signals", "word", "c");
    assertThat(node.result("signals")).isEqualTo("\"abc-\"");
  }

  @Test
  void aSignalThatCameBeforeTheWorkflowAskedIsNotLost() {
    begin(
        "early",
        ctx -> {
          ctx.awaitSignal("second", String.class);
          return ctx.awaitSignal("first", String.class);
        });
    signal("early", "first", "kept");
    signal("early", "second", "go");
    assertThat(node.result("early")).isEqualTo("\"kept\"");
  }

  @Test
  void aChildsResultAndFailureComeBack() {
    assertThat(
            run(
                "parent",
                ctx -> {
                  int twice = ctx.child(Doubling.class, "parent/child", 21, Integer.class);
                  try {
                    ctx.child("doubling", "parent/bad", -1, Integer.class);
                    return "no failure";
                  } catch (ChildFailedException e) {
                    return twice + " " + e.failure().message();
                  }
                }))
        .isEqualTo("\"42 negative: -1\"");
  }

  @Test
  void aChildCanBeSignalledAndNeedsNoName() {
    assertThat(
            run(
                "signalling",
                ctx -> {
                  ChildHandle<String> child =
                      ctx.childAsync(ChildCall.to(Waiting.class, String.class));
                  child.signal("go", "gone");
                  return child.get();
                }))
        .isEqualTo("\"gone\"");
  }

  @Test
  void anIdThatIsTakenIsNoChild() {
    node.begin("taken", "waiting", null);
    assertThat(
            run(
                "usurper",
                ctx -> {
                  try {
                    return ctx.child("waiting", "taken", null, String.class);
                  } catch (ChildFailedException e) {
                    return e.failure().type();
                  }
                }))
        .isEqualTo("\"tenure.Undeliverable\"");
  }

  @Test
  void otherWorkflowsAreSignalledAndCancelled() {
    node.begin("other", "waiting", null);
    node.begin("doomed", "waiting", null);
    assertThat(
            run(
                "meddler",
                ctx -> {
                  ctx.signalWorkflow(WorkflowId.of("other"), "go", "from afar");
                  ctx.cancelWorkflow(WorkflowId.of("doomed"), "because");
                  try {
                    ctx.signalWorkflow(WorkflowId.of("nobody"), "go", 1);
                    return "delivered";
                  } catch (UndeliverableException e) {
                    return "undelivered";
                  }
                }))
        .isEqualTo("\"undelivered\"");
    assertThat(node.result("other")).isEqualTo("\"from afar\"");
    assertThat(node.end("doomed").status()).isEqualTo(Status.CANCELLED);
  }

  @Test
  void branchesRunAndAllWaitsForThem() {
    assertThat(
            run(
                "branches",
                ctx -> {
                  List<Handle<Integer>> handles = new ArrayList<>();
                  for (int i = 0; i < 5; i++) {
                    int number = i;
                    handles.add(
                        ctx.async(
                            "branch",
                            Integer.toString(i),
                            () -> {
                              int one = ctx.step("one", () -> number);
                              return ctx.step("two", () -> one * 10);
                            }));
                  }
                  return ctx.all(handles);
                }))
        .isEqualTo("[0,10,20,30,40]");
  }

  @Test
  void whenOneOfAllFailsTheOthersAreCancelled() {
    assertThat(
            run(
                "one-fails",
                ctx -> {
                  List<String> cancelled = new ArrayList<>();
                  Handle<Object> sleeper =
                      ctx.async(
                          "sleeper",
                          () -> {
                            try {
                              ctx.sleep(Duration.ofDays(1));
                              return null;
                            } catch (CancelledException e) {
                              cancelled.add("yes");
                              throw e;
                            }
                          });
                  Handle<Object> failer =
                      ctx.async(
                          "failer",
                          () -> {
                            ctx.step("ok", () -> 1);
                            throw new IllegalStateException("no");
                          });
                  try {
                    ctx.all(List.of(sleeper, failer));
                    return "all well";
                  } catch (IllegalStateException e) {
                    ctx.await(() -> !cancelled.isEmpty());
                    return e.getMessage();
                  }
                }))
        .isEqualTo("\"no\"");
  }

  @Test
  void aThousandParallelStepsAreAllDone() {
    assertThat(
            run(
                "fanout",
                ctx -> {
                  List<Handle<Integer>> handles = new ArrayList<>();
                  for (int i = 0; i < 1_000; i++) {
                    int number = i;
                    handles.add(
                        ctx.stepAsync("part", StepOptions.key(Integer.toString(i)), () -> number));
                  }
                  return ctx.all(handles).stream().mapToInt(Integer::intValue).sum();
                }))
        .isEqualTo("499500");
  }

  @Test
  void aSagaUndoesInReverseOrderAlsoWhenItIsCancelled() {
    List<String> undone = java.util.Collections.synchronizedList(new ArrayList<>());
    begin(
        "saga",
        ctx ->
            ctx.saga(
                saga -> {
                  saga.step("book flight", () -> "f1", id -> undone.add(id));
                  saga.step("book hotel", () -> "h1", id -> undone.add(id));
                  ctx.awaitSignal("never", String.class);
                  return "booked";
                }));
    Await.until("it waits", TestNode.SOON, () -> node.describe("saga").status() == Status.WAITING);
    assertThat(TestNode.await(node.workflows().cancel(WorkflowId.of("saga"), "rain"))).isTrue();
    Workflows.Ended ended = node.end("saga");
    assertThat(ended.outcome()).isEqualTo(new Outcome.Cancelled("rain"));
    assertThat(undone).containsExactly("h1", "f1");
  }

  @Test
  void whatIsShieldedRunsToItsEnd() {
    begin(
        "shielded",
        ctx -> {
          String done =
              ctx.shielded(
                  () -> {
                    ctx.awaitSignal("go", String.class);
                    return ctx.step("still", () -> "done");
                  });
          return done + ctx.isCancelRequested();
        });
    TestNode.await(node.workflows().cancel(WorkflowId.of("shielded"), "now"));
    signal("shielded", "go", "x");
    assertThat(node.result("shielded")).isEqualTo("\"donetrue\"");
  }

  @Test
  void aScopeIsCancelledByItself() {
    assertThat(
            run(
                "scope",
                ctx -> {
                  try {
                    return ctx.scope(
                        "part",
                        scope -> {
                          ctx.async(
                              "watch",
                              () -> {
                                ctx.sleep(Duration.ofMillis(30));
                                scope.cancel("too long");
                                return null;
                              });
                          ctx.sleep(Duration.ofDays(1));
                          return "slept";
                        });
                  } catch (CancelledException e) {
                    return e.getMessage() + ctx.step("after", () -> "!");
                  }
                }))
        .isEqualTo("\"too long!\"");
  }

  @Test
  void valuesAreRecorded() {
    assertThat(
            run(
                "values",
                ctx -> {
                  UUID uuid = ctx.uuid();
                  int number = ctx.random().nextInt(10);
                  String word = ctx.record("word", String.class, () -> "w" + System.nanoTime());
                  ctx.step("one", () -> 1);
                  return uuid.version() == 4 && number < 10 && word.startsWith("w");
                }))
        .isEqualTo("true");
  }

  @Test
  void queriesSeeWhatTheCodeKnows() {
    begin(
        "queried",
        ctx -> {
          int[] count = {0};
          ctx.onQuery("count", () -> count[0]);
          ctx.onQuery("plus", TypeRef.of(Integer.class), more -> count[0] + more);
          ctx.onQuery("nosy", () -> ctx.step("forbidden", () -> 1));
          count[0] = ctx.step("three", () -> 3);
          return ctx.awaitSignal("go", String.class);
        });
    signal("queried", "other", 1);
    WorkflowId id = WorkflowId.of("queried");
    Await.until(
        "it waits", TestNode.SOON, () -> node.describe("queried").status() == Status.WAITING);
    assertThat(
            TestNode.text(TestNode.await(node.workflows().query(id, "count", TestNode.json(null)))))
        .isEqualTo("3");
    assertThat(TestNode.text(TestNode.await(node.workflows().query(id, "plus", TestNode.json(4)))))
        .isEqualTo("7");
    assertThatThrownBy(
            () -> TestNode.await(node.workflows().query(id, "none", TestNode.json(null))))
        .hasCauseInstanceOf(WorkflowError.NoSuchQuery.class);
    assertThatThrownBy(
            () -> TestNode.await(node.workflows().query(id, "nosy", TestNode.json(null))))
        .hasCauseInstanceOf(WorkflowError.QueryFailed.class)
        .hasMessageContaining("only looks");
    signal("queried", "go", "bye");
    assertThat(node.result("queried")).isEqualTo("\"bye\"");
  }

  @Test
  void updatesAreValidatedAnsweredAndNeverDoubled() {
    begin(
        "updated",
        ctx -> {
          int[] sum = {0};
          ctx.onUpdate(
              "add",
              Integer.class,
              number -> {
                if (number < 0) throw new UpdateRejectedException("negative");
              },
              number -> {
                sum[0] += ctx.step("add", () -> number);
                return sum[0];
              });
          ctx.await(() -> sum[0] >= 10);
          return sum[0];
        });
    WorkflowId id = WorkflowId.of("updated");
    assertThat(update(id, "u1", 4)).isEqualTo("4");
    assertThat(update(id, "u1", 4)).isEqualTo("4");
    Outcome refused = TestNode.await(node.workflows().update(id, "u2", "add", TestNode.json(-1)));
    assertThat(((Outcome.Failed) refused).failure().message()).isEqualTo("negative");
    assertThat(update(id, "u3", 6)).isEqualTo("10");
    assertThat(node.result("updated")).isEqualTo("10");
  }

  private static String update(WorkflowId id, String updateId, int number) {
    Outcome outcome =
        TestNode.await(node.workflows().update(id, updateId, "add", TestNode.json(number)));
    return TestNode.text(((Outcome.Succeeded) outcome).value());
  }

  @Test
  void attributesFindAWorkflow() {
    run(
        "found",
        ctx -> {
          ctx.attribute("customer", "c-77");
          ctx.step("one", () -> 1);
          ctx.attributes(Map.of("size", 3));
          return null;
        });
    var filter =
        dev.tenure.persistence.visibility.WorkflowFilter.ALL
            .withType("coded")
            .with(dev.tenure.persistence.visibility.Attributes.of("customer", "c-77"));
    var page =
        TestNode.await(
            node.workflows().list(filter, dev.tenure.persistence.visibility.PageRequest.first(10)));
    assertThat(page.rows()).hasSize(1);
    assertThat(page.rows().getFirst().status()).isEqualTo(Status.COMPLETED);
    assertThat(page.rows().getFirst().attributes().values()).containsKey("size");
  }

  @Test
  void aPausedWorkflowGoesOnWhenItIsResumed() {
    begin(
        "paused",
        ctx -> {
          String word = ctx.awaitSignal("go", String.class);
          return ctx.step("after", () -> word + "!");
        });
    WorkflowId id = WorkflowId.of("paused");
    assertThat(TestNode.await(node.workflows().pause(id, "look"))).isTrue();
    signal("paused", "go", "on");
    Await.until(
        "the signal is recorded", TestNode.SOON, () -> node.describe("paused").open().isEmpty());
    assertThat(node.describe("paused").status()).isEqualTo(Status.PAUSED);
    assertThat(TestNode.await(node.workflows().resume(id))).isTrue();
    assertThat(node.result("paused")).isEqualTo("\"on!\"");
  }

  @Test
  void aTerminatedWorkflowIsOverAtOnce() {
    node.begin("stopped", "waiting", null);
    assertThat(TestNode.await(node.workflows().terminate(WorkflowId.of("stopped"), "enough")))
        .isTrue();
    assertThat(node.end("stopped").outcome()).isEqualTo(new Outcome.Terminated("enough"));
    assertThatThrownBy(
            () -> TestNode.await(node.workflows().cancel(WorkflowId.of("stopped"), "again")))
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(WorkflowError.HasEnded.class);
  }

  @Test
  void anExecutionTimeoutEndsIt() {
    CODE.put("late", ctx -> ctx.awaitSignal("never", String.class));
    TestNode.await(
        node.workflows()
            .start(
                StartRequest.of("late", "coded", TestNode.json(null))
                    .executionTimeout(Duration.ofMillis(150))));
    assertThat(node.end("late").status()).isEqualTo(Status.TIMED_OUT);
  }

  @Test
  void aFailureSaysWhatFailed() {
    begin(
        "failing",
        ctx -> {
          throw new IllegalStateException("on purpose");
        });
    Outcome outcome = node.end("failing").outcome();
    assertThat(((Outcome.Failed) outcome).failure().type())
        .isEqualTo(IllegalStateException.class.getName());
    assertThat(((Outcome.Failed) outcome).failure().message()).isEqualTo("on purpose");
  }

  @Test
  void whoAsksForAnUnknownWorkflowIsTold() {
    assertThatThrownBy(() -> node.describe("no-such"))
        .hasCauseInstanceOf(WorkflowError.NotFound.class);
    assertThatThrownBy(() -> TestNode.await(node.workflows().cancel(WorkflowId.of("nix"), "x")))
        .hasCauseInstanceOf(WorkflowError.NotFound.class);
  }

  @Test
  void aTypeWithoutCodeBlocksVisibly() {
    node.begin("codeless", "no-such-type", null);
    Await.until(
        "it is blocked", TestNode.SOON, () -> node.describe("codeless").status() == Status.BLOCKED);
    assertThat(node.describe("codeless").blockReason().orElse(""))
        .contains("no-worker")
        .contains("no-such-type v1");
    TestNode.await(node.workflows().terminate(WorkflowId.of("codeless"), "enough"));
  }
}
