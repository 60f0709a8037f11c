package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.CancellationScope;
import dev.tenure.workflow.CancelledException;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowFailure;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A block of workflow code is over when the branches that it started are. */
class BranchesTest {
  private static final StepOptions ONCE = StepOptions.retry(RetryPolicy.NONE);

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

  @Test
  void aSagaUndoesTheStepThatWasUnderWayInABranch() {
    StepGate hotel = new StepGate();
    AtomicInteger cancelledHotels = new AtomicInteger();
    begin(
        "trip",
        ctx ->
            ctx.saga(
                saga -> {
                  Handle<String> booked =
                      ctx.async(
                          "hotel",
                          () ->
                              saga.step(
                                  "book", hotel::pass, made -> cancelledHotels.incrementAndGet()));
                  Handle<String> flight =
                      ctx.async(
                          "flight",
                          () -> {
                            ctx.step(
                                "book",
                                ONCE,
                                () -> {
                                  hotel.awaitArrival();
                                  throw new IllegalStateException("no seat");
                                });
                            return "flown";
                          });
                  return ctx.all(List.of(booked, flight));
                }));
    awaitCompleted("trip", "flight#1/book#1");
    hotel.open();
    assertThat(node.end("trip").status()).isEqualTo(Status.FAILED);
    assertThat(hotel.passed).hasValue(1);
    assertThat(cancelledHotels).hasValue(1);
  }

  @Test
  void aSagaUndoesWhatABranchDidThatNobodyWaitedFor() {
    StepGate hotel = new StepGate();
    AtomicInteger cancelledHotels = new AtomicInteger();
    begin(
        "trip alone",
        ctx -> {
          try {
            return ctx.saga(
                saga -> {
                  ctx.async(
                      "hotel",
                      () ->
                          saga.step(
                              "book", hotel::pass, made -> cancelledHotels.incrementAndGet()));
                  ctx.step("arrive", hotel::awaitArrival);
                  throw WorkflowFailure.permanent("no", "no");
                });
          } catch (WorkflowFailure no) {
            return "undone " + cancelledHotels.get();
          }
        });
    awaitCompleted("trip alone", "arrive#1");
    hotel.open();
    assertThat(node.result("trip alone")).isEqualTo("\"undone 1\"");
  }

  @Test
  void aScopeThatEndsCancelsItsBranchesAndWaitsForThem() {
    AtomicInteger unlocked = new AtomicInteger();
    String result =
        run(
            "prepare",
            ctx -> {
              ctx.scope(
                  "prepare",
                  scope -> {
                    ctx.async(
                        "lock",
                        () ->
                            ctx.saga(
                                saga -> {
                                  saga.step("lock", () -> "l", lock -> unlocked.incrementAndGet());
                                  return ctx.awaitSignal("release", String.class);
                                }));
                    ctx.sleep(Duration.ofMillis(50));
                    return null;
                  });
              return "done, unlocked " + unlocked.get();
            });
    assertThat(result).isEqualTo("\"done, unlocked 1\"");
  }

  @Test
  void aBranchThatEndsEndsTheBranchesThatItStarted() {
    List<String> seen = Collections.synchronizedList(new ArrayList<>());
    String result =
        run(
            "grandchildren",
            ctx -> {
              Handle<String> child =
                  ctx.async(
                      "child",
                      () -> {
                        ctx.async(
                            "grandchild",
                            () -> {
                              try {
                                return ctx.awaitSignal("never", String.class);
                              } catch (CancelledException cancelled) {
                                seen.add("cancelled");
                                throw cancelled;
                              }
                            });
                        ctx.sleep(Duration.ofMillis(20));
                        return "child";
                      });
              return child.get() + seen;
            });
    assertThat(result).isEqualTo("\"child[cancelled]\"");
  }

  @Test
  void aShieldedBlockWaitsForItsBranchesAndDoesNotCancelThem() {
    assertThat(
            run(
                "shielded-block",
                ctx -> {
                  List<String> seen = new ArrayList<>();
                  ctx.shielded(
                      () -> {
                        ctx.async(
                            "part",
                            () -> {
                              ctx.sleep(Duration.ofMillis(30));
                              return seen.add(ctx.step("part", () -> "part"));
                            });
                      });
                  return seen;
                }))
        .isEqualTo("[\"part\"]");
  }

  @Test
  void anOperationThatOutlivesItsScopeIsCancelledWithTheOneAround() {
    assertThat(
            run(
                "outlives",
                ctx ->
                    ctx.scope(
                        "outer",
                        outer -> {
                          Handle<Void> timer =
                              ctx.scope("inner", inner -> ctx.timer("long", Duration.ofDays(1)));
                          boolean before = timer.isDone();
                          outer.cancel("enough");
                          return before + " " + timer.isDone();
                        })))
        .isEqualTo("\"false true\"");
  }

  @Test
  void allWaitsForThoseThatItCancelled() {
    assertThat(
            run(
                "all-waits",
                ctx -> {
                  List<String> seen = new ArrayList<>();
                  Handle<String> cleans =
                      ctx.async(
                          "cleans",
                          () -> {
                            try {
                              return ctx.awaitSignal("never", String.class);
                            } finally {
                              ctx.shielded(() -> seen.add(ctx.step("clean", () -> "clean")));
                            }
                          });
                  Handle<String> fails =
                      ctx.async(
                          "fails",
                          () -> {
                            ctx.step("ok", () -> 1);
                            throw WorkflowFailure.permanent("no", "no");
                          });
                  try {
                    ctx.all(List.of(cleans, fails));
                    return "all well";
                  } catch (WorkflowFailure no) {
                    return no.getMessage() + seen;
                  }
                }))
        .isEqualTo("\"no[clean]\"");
  }

  @Test
  void branchesThatWaitForEachOtherEndWithTheirWorkflow() {
    begin(
        "circle",
        ctx -> {
          List<Handle<Object>> handles = new ArrayList<>();
          for (int i = 0; i < 2; i++) {
            int other = 1 - i;
            handles.add(
                ctx.async(
                    "b",
                    "" + i,
                    () -> {
                      ctx.sleep(Duration.ofMillis(10));
                      return ctx.all(List.of(handles.get(other)));
                    }));
          }
          return ctx.all(handles);
        });
    Await.until(
        "it waits", TestNode.SOON, () -> node.describe("circle").status() == Status.WAITING);
    TestNode.await(node.workflows().cancel(WorkflowId.of("circle"), "a circle"));
    assertThat(node.end("circle").outcome()).isEqualTo(new Outcome.Cancelled("a circle"));
  }

  @Test
  void aWaitForAConditionIsCancelledWithItsScope() {
    // Nothing else happens that could wake the second: it has looked at its condition before the
    // method cancels its scope.
    begin(
        "conditions",
        ctx -> {
          List<CancellationScope> inner = new ArrayList<>();
          Handle<String> second =
              ctx.async(
                  "second",
                  () ->
                      ctx.shielded(
                          () ->
                              ctx.scope(
                                  "inner",
                                  scope -> {
                                    inner.add(scope);
                                    try {
                                      ctx.await(() -> false);
                                      return "never";
                                    } catch (CancelledException cancelled) {
                                      return cancelled.getMessage();
                                    }
                                  })));
          ctx.step("one", () -> 1);
          try {
            ctx.await(() -> false);
          } catch (CancelledException cancelled) {
            inner.getFirst().cancel("the method says so");
          }
          return ctx.shielded(() -> second.get());
        });
    Await.until(
        "it waits", TestNode.SOON, () -> node.describe("conditions").status() == Status.WAITING);
    TestNode.await(node.workflows().cancel(WorkflowId.of("conditions"), "rain"));
    assertThat(node.result("conditions")).isEqualTo("\"the method says so\"");
  }

  @Test
  void aConditionSeesWhatCodeDidThatWasCancelled() {
    assertThat(
            run(
                "condition-sees",
                ctx -> {
                  List<String> seen = new ArrayList<>();
                  Handle<Object> worker =
                      ctx.async(
                          "worker",
                          () -> {
                            try {
                              ctx.await(() -> false);
                              return null;
                            } catch (CancelledException cancelled) {
                              seen.add("cancelled");
                              return null;
                            }
                          });
                  ctx.step("one", () -> 1);
                  worker.cancel("enough");
                  ctx.await(() -> !seen.isEmpty());
                  return seen;
                }))
        .isEqualTo("[\"cancelled\"]");
  }
}
