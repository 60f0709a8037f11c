package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.CancelledException;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.TypeRef;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowFailure;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the context promises, one promise after the other, on a real database. */
class ContextTest {

  private static TestNode node;

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
    return Coded.run(node, id, code);
  }

  private static void begin(String id, Function<WorkflowContext, Object> code) {
    Coded.begin(node, id, code);
  }

  private static void signal(String id, String name, Object value) {
    Coded.signal(node, id, name, value);
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
                  Handle<Void> timer = ctx.timer("bell", Duration.ofSeconds(2));
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
                            throw WorkflowFailure.permanent("no", "no");
                          });
                  try {
                    ctx.all(List.of(sleeper, failer));
                    return "all well";
                  } catch (WorkflowFailure e) {
                    return e.getMessage() + cancelled;
                  }
                }))
        .isEqualTo("\"no[yes]\"");
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
}
