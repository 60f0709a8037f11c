package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.Handle;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowFailure;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Limits;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The same owners as on a node, with nothing under them but a loop. */
class LoopNodeTest {
  private final TestLoopNode node = new TestLoopNode();

  private String coded(String id, Function<WorkflowContext, Object> code) {
    Coded.put(id, code);
    return node.run(id, "coded", null);
  }

  @Test
  void aMonthPassesAtOnce() {
    String result =
        coded(
            "sleeper",
            ctx -> {
              ctx.step("before", () -> 1);
              ctx.sleep(Duration.ofDays(30));
              return ctx.now().toString();
            });

    assertThat(result).isEqualTo("\"" + TestLoopNode.BEGIN.plus(Duration.ofDays(30)) + "\"");
  }

  /** Its owner of the earlier tenure is at work while the node takes the shard. */
  @Test
  void aWorkflowWhoseLastCommitTheNextTenureRefusesIsWokenByThatTenure() {
    Coded.put("taken", ctx -> ctx.step("only", () -> 1) + 1);
    node.workflows().start(StartRequest.of("taken", "coded", Payload.NONE));
    node.quietUntil("taken takes Ahead");

    node.takesAnew();
    // Before the commit.
    assertThat(node.loop.doNext(count -> count - 1).orElseThrow()).endsWith("a scan of shard 0");
    node.quiet();

    // A question for its result would wake it.
    assertThat(node.storage.workflows().find(WorkflowId.of("taken")).orElseThrow().status())
        .isEqualTo(Status.COMPLETED);
  }

  @Test
  void stepsRunOneAfterTheOtherAlsoWhereTheyCouldRunAtOnce() {
    List<Integer> order = new ArrayList<>();
    coded(
        "parallel",
        ctx -> {
          List<Handle<Integer>> all = new ArrayList<>();
          for (int i = 0; i < 20; i++) {
            int number = i;
            all.add(
                ctx.stepAsync(
                    "s",
                    StepOptions.key("k" + i),
                    () -> {
                      order.add(number);
                      return number;
                    }));
          }
          return ctx.all(all).size();
        });

    assertThat(order).hasSize(20).isSorted();
  }

  @Test
  void tenThousandItemsAreWorkedThroughTwentyAtATime() {
    int items = 10_000;
    int limit = 20;
    AtomicInteger inWork = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    String result =
        coded(
            "each",
            ctx -> {
              List<Integer> numbers = IntStream.range(0, items).boxed().toList();
              List<Integer> squares =
                  ctx.forEach(
                      numbers,
                      limit,
                      number -> "k" + number,
                      number -> {
                        most.accumulateAndGet(inWork.incrementAndGet(), Math::max);
                        int square = ctx.step("square", () -> number % 100 * (number % 100));
                        inWork.decrementAndGet();
                        return square;
                      });
              return squares.size() + " " + squares.get(4_711);
            });

    assertThat(result).isEqualTo("\"10000 121\"");
    assertThat(most).hasValue(limit);
  }

  @Test
  void theFirstFailureOfAnItemEndsThoseInWorkAndBeginsNoOther() {
    List<String> ended = new ArrayList<>();
    String result =
        coded(
            "each-fails",
            ctx -> {
              try {
                return ctx.forEach(
                    List.of("a", "b", "c", "d", "e"),
                    3,
                    key -> key,
                    key -> {
                      try {
                        ctx.sleep(Duration.ofDays(key.equals("b") ? 1 : 2));
                        throw WorkflowFailure.permanent("no", key);
                      } finally {
                        ctx.shielded(() -> ended.add(ctx.step("end", () -> key)));
                      }
                    });
              } catch (WorkflowFailure failed) {
                return failed.getMessage() + ended;
              }
            });

    assertThat(result).isEqualTo("\"b[b, a, c]\"");
    assertThat(node.loop.instant()).isEqualTo(TestLoopNode.BEGIN.plus(Duration.ofDays(1)));
  }

  @Test
  void twoItemsWithOneKeyAreRefusedBeforeAnythingBegins() {
    String result =
        coded(
            "each-twice",
            ctx -> {
              try {
                return ctx.forEach(List.of(1, 2), 2, number -> "same", number -> number);
              } catch (IllegalArgumentException refused) {
                return refused.getMessage();
              }
            });

    assertThat(result).contains("two items with the key");
  }

  @Test
  void aCompensationIsTriedForSomeNineMinutesBeforeAPersonHasToLook() {
    AtomicInteger tries = new AtomicInteger();
    String result =
        coded(
            "bank",
            ctx -> {
              try {
                return ctx.saga(
                    saga -> {
                      saga.step(
                          "charge",
                          () -> "paid",
                          paid -> {
                            if (tries.incrementAndGet() < 10)
                              throw new IllegalStateException("the bank is away");
                          });
                      throw WorkflowFailure.permanent("no", "no");
                    });
              } catch (WorkflowFailure undone) {
                return Duration.between(TestLoopNode.BEGIN, ctx.now()).toMinutes();
              }
            });

    assertThat(result).isIn("7", "8");
    assertThat(tries).hasValue(10);
  }

  @Test
  void aSagaStepThatOutlivesTheGraceOfATimeoutIsUndone() {
    List<String> undone = new ArrayList<>();
    AtomicInteger tries = new AtomicInteger();
    Duration longer = Limits.EXECUTION_TIMEOUT_GRACE.multipliedBy(2);
    node.begin(
        StartRequest.of("slow", "coded", Payload.NONE).executionTimeout(Duration.ofMinutes(1)),
        ctx ->
            ctx.saga(
                saga -> {
                  saga.step("reserve", () -> "reserve", undone::add);
                  saga.step(
                      "charge",
                      StepOptions.retry(RetryPolicy.DEFAULT.backoff(longer, 1, longer)),
                      () -> {
                        if (tries.incrementAndGet() == 1)
                          throw new IllegalStateException("the bank is away");
                        return "charge";
                      },
                      undone::add);
                  return ctx.step("ship", () -> "ship");
                }));

    assertThat(node.end("slow").status()).isEqualTo(Status.TIMED_OUT);
    assertThat(undone).containsExactly("charge", "reserve");
  }

  @Test
  void whatAnotherNodeTakesOverGoesOnWhereItStood() {
    node.begin(
        "moves",
        ctx -> {
          int first = ctx.step("first", () -> 20);
          ctx.awaitSignal("go", String.class);
          return first + ctx.step("second", () -> 22);
        });
    node.dies();
    node.signal("moves", "go", "now");

    assertThat(node.result("moves")).isEqualTo("42");
  }

  @Test
  void generatedWorkflowsComeOutTheSameEachTime() {
    for (int seed = 0; seed < 40; seed++) {
      GeneratedWorkflow.Plan plan = new GeneratedWorkflow.Plan(seed, 5, 0);
      assertThat(new TestLoopNode().run("g", "generated", plan))
          .isEqualTo(new TestLoopNode().run("g", "generated", plan));
    }
  }
}
