package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What other systems recognise an operation by: one key for one operation of one run. */
class IdempotencyKeysTest {
  private static final RetryPolicy AT_ONCE =
      RetryPolicy.DEFAULT.backoff(Duration.ofMillis(1), 1, Duration.ofMillis(1));
  private static final ActivityDefinition<String, String> CHARGE =
      ActivityDefinition.of("charge", String.class, String.class).withRetry(AT_ONCE);

  /** The keys that attempts saw, by what they were asked for. */
  private static final Map<String, List<String>> SEEN = new ConcurrentHashMap<>();

  private static TestNode node;

  private static TestNode.Plan plan() {
    return new TestNode.Plan()
        .with(Coded.class, Coded::new)
        .with(Monthly.class, Monthly::new)
        .with(
            ActivityRegistration.of(
                CHARGE,
                (call, what) -> {
                  saw(what, call.idempotencyKey());
                  if (what.endsWith("!") && call.attempt() < 3)
                    throw new IllegalStateException("not yet");
                  return call.idempotencyKey();
                }));
  }

  @BeforeAll
  static void start() {
    node = TestNode.start(plan());
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static String saw(String what, String key) {
    SEEN.computeIfAbsent(what, any -> new CopyOnWriteArrayList<>()).add(key);
    return key;
  }

  private static String key(TestNode of, String workflow, String operation) {
    return "tenure:" + workflow + ":" + of.describe(workflow).runId() + ":" + operation;
  }

  private static void awaitInterrupt(CountDownLatch never) {
    try {
      never.await();
    } catch (InterruptedException stopped) {
      throw new IllegalStateException("This owner is no more.", stopped);
    }
  }

  private static String json(String... texts) {
    return "[\"" + String.join("\",\"", texts) + "\"]";
  }

  /** Charges once in each of its runs, and tells which keys it did that with. */
  @Workflow(name = "monthly")
  public static class Monthly {
    public record Bill(int month, List<String> keys) {}

    public Bill run(WorkflowContext ctx, Bill bill) {
      List<String> keys = new ArrayList<>(bill.keys);
      keys.add(ctx.activity(CHARGE, "monthly"));
      keys.add(ctx.step("charge", () -> ctx.idempotencyKey("charge")));
      return bill.month < 3
          ? ctx.continueAsNew(new Bill(bill.month + 1, keys))
          : new Bill(bill.month, keys);
    }
  }

  @Test
  void eachRunHasItsOwn() {
    node.run("sub-1", "monthly", new Monthly.Bill(1, List.of()));
    List<String> keys = SEEN.get("monthly");
    assertThat(keys).hasSize(3).doesNotHaveDuplicates();
    assertThat(keys.getLast()).isEqualTo(key(node, "sub-1", "charge#1"));
    // Activity and step of one name are counted together: charge#1 and charge#2, in each run.
    List<String> all =
        Pattern.compile("tenure:[^\"]+")
            .matcher(node.result("sub-1"))
            .results()
            .map(MatchResult::group)
            .toList();
    assertThat(all).hasSize(6).doesNotHaveDuplicates().containsAll(keys);
  }

  @Test
  void allAttemptsHaveTheSame() {
    List<String> ofSteps = new CopyOnWriteArrayList<>();
    Coded.run(
        node,
        "attempts",
        ctx -> {
          ctx.activity(CHARGE, "tries!");
          return ctx.step(
              "pay",
              StepOptions.retry(AT_ONCE),
              () -> {
                ofSteps.add(ctx.idempotencyKey("pay"));
                if (ofSteps.size() < 3) throw new IllegalStateException("not yet");
                return 1;
              });
        });
    assertThat(SEEN.get("tries!")).hasSize(3).containsOnly(key(node, "attempts", "charge#1"));
    assertThat(ofSteps).hasSize(3).containsOnly(key(node, "attempts", "pay#1"));
  }

  @Test
  void aStepsKeyIsThatOfItsOwnOccurrenceKeyAndBranch() {
    String result =
        Coded.run(
            node,
            "places",
            ctx -> {
              List<String> keys = new ArrayList<>();
              String before = ctx.idempotencyKey("pay");
              keys.add(ctx.step("pay", () -> ctx.idempotencyKey("pay")));
              assertThat(keys.getFirst()).isEqualTo(before);
              keys.add(ctx.step("pay", () -> ctx.idempotencyKey("pay")));
              assertThat(ctx.idempotencyKey("pay", "a/b")).endsWith(":pay[a%252Fb]#1");
              keys.add(ctx.step("pay", StepOptions.key("a"), () -> ctx.idempotencyKey("pay", "a")));
              keys.add(ctx.step("pay", StepOptions.key("b"), () -> ctx.idempotencyKey("pay")));
              Handle<String> branch =
                  ctx.async("side", () -> ctx.step("pay", () -> ctx.idempotencyKey("pay")));
              keys.add(branch.get());
              Handle<String> beside =
                  ctx.stepAsync("pay", StepOptions.DEFAULT, () -> ctx.idempotencyKey("pay"));
              assertThat(ctx.idempotencyKey("pay")).endsWith(":pay#4");
              keys.add(beside.get());
              return keys;
            });
    assertThat(result)
        .isEqualTo(
            json(
                key(node, "places", "pay#1"),
                key(node, "places", "pay#2"),
                key(node, "places", "pay[a]#1"),
                key(node, "places", "pay[b]#1"),
                key(node, "places", "side#1/pay#1"),
                key(node, "places", "pay#3")));
  }

  @Test
  void insideAStepOnlyItsOwnCanBeAskedFor() {
    Coded.run(
        node,
        "foreign",
        ctx ->
            ctx.step(
                "pay",
                () -> {
                  assertThatThrownBy(() -> ctx.idempotencyKey("refund"))
                      .isInstanceOf(IllegalArgumentException.class)
                      .hasMessageContaining("pay#1")
                      .hasMessageContaining("refund");
                  assertThatThrownBy(() -> ctx.idempotencyKey("pay", "a"))
                      .isInstanceOf(IllegalArgumentException.class);
                  return 1;
                }));
  }

  @Test
  void noTwoOperationsShareOneWhateverTheyAreCalled() {
    String result =
        Coded.run(
            node, "a:b% ü", ctx -> ctx.step("x:y/z#1é", () -> ctx.idempotencyKey("x:y/z#1é")));
    assertThat(result)
        .isEqualTo(
            "\"tenure:a%3Ab%25%20%C3%BC:"
                + node.describe("a:b% ü").runId()
                + ":x%3Ay%252Fz%25231%C3%A9#1\"");
  }

  @Test
  void aForkHasItsOwn() {
    String here = Coded.run(node, "original", ctx -> ctx.activity(CHARGE, "forked"));
    Coded.put("fork", ctx -> ctx.activity(CHARGE, "forked"));
    TestNode.await(node.workflows().fork(ForkRequest.of("original", "charge#1", "fork")));
    String there = node.result("fork");
    assertThat(there).isNotEqualTo(here).isEqualTo('"' + key(node, "fork", "charge#1") + '"');
  }

  @Test
  void anotherOwnerUsesTheSame() {
    List<String> keys = new CopyOnWriteArrayList<>();
    CountDownLatch never = new CountDownLatch(1);
    Coded.put(
        "moves",
        ctx ->
            ctx.step(
                "pay",
                () -> {
                  keys.add(ctx.idempotencyKey("pay"));
                  if (keys.size() == 1) awaitInterrupt(never);
                  return 1;
                }));
    try (TestDatabase database = TestDatabase.migrated()) {
      String expected;
      try (TestNode first = TestNode.start(database, plan())) {
        first.begin("moves", "coded", null);
        Await.until("it runs", TestNode.SOON, () -> keys.size() == 1);
        assertThat(first.describe("moves").status()).isEqualTo(Status.RUNNING);
        expected = key(first, "moves", "pay#1");
      }
      try (TestNode second = TestNode.start(database, plan())) {
        assertThat(second.result("moves")).isEqualTo("1");
      }
      assertThat(keys).hasSize(2).containsOnly(expected);
    }
  }
}
