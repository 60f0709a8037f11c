package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.storage.MemoryStorage;
import dev.tenure.sharding.loop.Loop;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowFailure;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowRegistration;
import dev.tenure.workflow.kernel.Kernel;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The same owners as on a node, with nothing under them but a loop. */
class LoopNodeTest {
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  private final Loop loop = new Loop(BEGIN, Duration.ofSeconds(30));
  private final MemoryStorage storage = MemoryStorage.create(loop);
  private final SplittableRandom random = new SplittableRandom(7);
  private LoopNode node = node("first", 1);

  private LoopNode node(String name, long incarnation) {
    LoopNode made =
        new LoopNode(
            name,
            loop,
            new LoopNode.Around() {
              @Override
              public void carry(String what, Runnable arrival) {
                loop.soon(what, arrival);
              }

              @Override
              public Optional<LoopNode> holderOf(int shard) {
                return Optional.of(node);
              }

              @Override
              public void defect(WorkflowId id, RuntimeException defect) {
                throw defect;
              }
            },
            storage,
            1,
            WorkflowSettings.of(loop, random::nextLong, () -> "id" + random.nextLong()),
            new LoopNode.Program(
                List.of(
                    WorkflowRegistration.of(Coded.class, Coded::new),
                    WorkflowRegistration.of(GeneratedWorkflow.class, GeneratedWorkflow::new)),
                List.of(),
                Kernel.standard()),
            loop);
    if (storage
            .leases()
            .acquire(0, new Holder(name, incarnation), holder -> true, Duration.ofDays(1))
        instanceof Leases.Claim.Granted granted) made.holds(0, granted.epoch(), false);
    return made;
  }

  private void quiet() {
    while (loop.doNext(Loop.Choice.OLDEST).isPresent()) {}
  }

  /** Turns the clock to whatever comes next, until the workflow has ended. */
  private String result(String id) {
    WorkflowId workflow = WorkflowId.of(id);
    while (true) {
      quiet();
      if (storage.workflows().find(workflow).orElseThrow().status().isFinal()) break;
      Instant next = node.nextDue().orElseThrow();
      loop.passTo(loop.nextTimer().filter(next::isAfter).orElse(next));
      node.look();
    }
    CompletionStage<Optional<Workflows.Ended>> asked =
        node.workflows().result(workflow, Duration.ofSeconds(1));
    quiet();
    Workflows.Ended ended = asked.toCompletableFuture().join().orElseThrow();
    return ended.outcome() instanceof Outcome.Succeeded(Payload value)
        ? TestNode.text(value)
        : ended.toString();
  }

  private String run(String id, String type, Object input) {
    node.workflows().start(StartRequest.of(id, type, TestNode.json(input)));
    return result(id);
  }

  private String coded(String id, Function<WorkflowContext, Object> code) {
    Coded.put(id, code);
    return run(id, "coded", null);
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

    assertThat(result).isEqualTo("\"" + BEGIN.plus(Duration.ofDays(30)) + "\"");
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
    assertThat(loop.instant()).isEqualTo(BEGIN.plus(Duration.ofDays(1)));
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
                return Duration.between(BEGIN, ctx.now()).toMinutes();
              }
            });

    assertThat(result).isIn("7", "8");
    assertThat(tries).hasValue(10);
  }

  @Test
  void whatAnotherNodeTakesOverGoesOnWhereItStood() {
    Coded.put(
        "moves",
        ctx -> {
          int first = ctx.step("first", () -> 20);
          ctx.awaitSignal("go", String.class);
          return first + ctx.step("second", () -> 22);
        });
    node.workflows().start(StartRequest.of("moves", "coded", Payload.NONE));
    quiet();
    node.crash();
    node = node("second", 2);
    node.workflows().signal(WorkflowId.of("moves"), "go", TestNode.json("now"), Optional.of("s1"));

    assertThat(result("moves")).isEqualTo("42");
  }

  @Test
  void generatedWorkflowsComeOutTheSameEachTime() {
    for (int seed = 0; seed < 40; seed++) {
      GeneratedWorkflow.Plan plan = new GeneratedWorkflow.Plan(seed, 5, 0);
      assertThat(new LoopNodeTest().run("g", "generated", plan))
          .isEqualTo(new LoopNodeTest().run("g", "generated", plan));
    }
  }
}
