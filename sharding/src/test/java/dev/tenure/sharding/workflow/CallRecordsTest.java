package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.activity.ActivityRecord;
import dev.tenure.persistence.activity.ActivityStatus;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.message.Answer;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Failure.OutsideEffect;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Reply;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What stands in the record of a keyed call after each way in which it can come out. */
class CallRecordsTest {
  private static final ActivityDefinition<String, String> PAY =
      ActivityDefinition.of("pay", String.class, String.class).keyed().withRetry(RetryPolicy.NONE);

  /** The next attempt is far away. */
  private static final ActivityDefinition<String, String> PAY_LATER =
      ActivityDefinition.of("pay-later", String.class, String.class)
          .keyed()
          .withRetry(
              RetryPolicy.DEFAULT.attempts(2).backoff(Duration.ofHours(1), 1, Duration.ofHours(1)));

  private static final ActivityDefinition<String, String> PAY_AGAIN =
      ActivityDefinition.of("pay-again", String.class, String.class)
          .keyed()
          .withRetry(
              RetryPolicy.DEFAULT
                  .attempts(2)
                  .backoff(Duration.ofMillis(1), 1, Duration.ofMillis(1)));

  /** By the key of the call: lets its code come back. */
  private static final Map<String, CountDownLatch> GATES = new ConcurrentHashMap<>();

  /** By the workflow: how often its code began. */
  private static final Map<String, AtomicInteger> CALLS = new ConcurrentHashMap<>();

  private static TestNode node;

  @BeforeAll
  static void start() {
    TestNode.Plan plan = new TestNode.Plan().with(Coded.class, Coded::new);
    for (ActivityDefinition<String, String> one : List.of(PAY, PAY_LATER, PAY_AGAIN))
      plan.with(
          ActivityRegistration.of(
              one,
              (call, what) -> {
                gate(call.idempotencyKey());
                calls(call.workflowId().value()).incrementAndGet();
                gate(call.idempotencyKey()).await();
                return "receipt for " + what;
              }));
    node = TestNode.start(plan);
  }

  @AfterAll
  static void stop() {
    GATES.values().forEach(CountDownLatch::countDown);
    node.close();
  }

  private static CountDownLatch gate(String key) {
    return GATES.computeIfAbsent(key, any -> new CountDownLatch(1));
  }

  private static AtomicInteger calls(String id) {
    return CALLS.computeIfAbsent(id, any -> new AtomicInteger());
  }

  private static void awaitCalls(String id, int count) {
    Await.until(id + " is called", TestNode.SOON, () -> calls(id).get() == count);
  }

  private static void begin(String id, Function<WorkflowContext, Object> code) {
    Coded.begin(node, id, code);
    awaitCalls(id, 1);
  }

  private static List<ActivityRecord> records(String id) {
    return node.storage.activities().of(WorkflowId.of(id), 10);
  }

  private static ActivityRecord record(String id) {
    assertThat(records(id)).hasSize(1);
    return records(id).getFirst();
  }

  private static void tell(String id, Command command) {
    Answer answer =
        TestNode.await(
            node.node
                .transport()
                .ask(
                    WorkflowId.of(id),
                    replyTo -> new Message.Tell(command, replyTo),
                    TestNode.SOON));
    assertThat(answer).isEqualTo(new Answer.Said(Reply.DONE));
  }

  private static OperationId first(ActivityDefinition<?, ?> activity) {
    return new OperationId(activity.name() + "#1");
  }

  /** One row of the matrix: what comes out, and what the record says then. */
  private record Row(
      String name,
      ActivityDefinition<String, String> activity,
      Outcome outcome,
      ActivityStatus status) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Outcome failed(boolean retryable, OutsideEffect effect) {
    Failure failure =
        retryable
            ? Failure.retryable("shop.Refused", "no")
            : Failure.permanent("shop.Refused", "no");
    return new Outcome.Failed(failure.with(effect));
  }

  private static Outcome unproven() {
    return new Outcome.Failed(
        Failure.permanent(Failure.INDETERMINATE, "silence").with(OutsideEffect.UNPROVEN));
  }

  static Stream<Row> rows() {
    return Stream.of(
        new Row(
            "success", PAY, new Outcome.Succeeded(TestNode.json("paid")), ActivityStatus.COMPLETED),
        new Row("before-the-effect", PAY, failed(false, OutsideEffect.NONE), ActivityStatus.FAILED),
        new Row(
            "before-the-effect-and-tried-again",
            PAY_LATER,
            failed(true, OutsideEffect.NONE),
            ActivityStatus.FAILED),
        new Row("after-a-possible-effect", PAY, unproven(), ActivityStatus.INDETERMINATE),
        new Row(
            "found-not-completed",
            PAY,
            failed(false, OutsideEffect.POSSIBLE),
            ActivityStatus.FAILED),
        new Row(
            "found-not-completed-and-tried-again",
            PAY_LATER,
            failed(true, OutsideEffect.POSSIBLE),
            ActivityStatus.INDETERMINATE),
        new Row("timeout", PAY, new Outcome.TimedOut("late"), ActivityStatus.TIMED_OUT),
        new Row(
            "timeout-and-tried-again",
            PAY_LATER,
            new Outcome.TimedOut("late"),
            ActivityStatus.TIMED_OUT),
        new Row(
            "no-result",
            PAY,
            new Outcome.Failed(Failure.permanent(Failure.RESULT_UNAVAILABLE, "gone")),
            ActivityStatus.COMPLETED));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void eachOutcomeHasItsStatus(Row row) {
    begin(row.name, ctx -> ctx.activity(row.activity, "x"));
    assertThat(record(row.name).status()).isEqualTo(ActivityStatus.STARTED);
    assertThat(record(row.name).error()).isEmpty();
    tell(row.name, new Command.AttemptEnded(first(row.activity), 1, row.outcome));
    ActivityRecord record = record(row.name);
    assertThat(record.status()).isEqualTo(row.status);
    switch (row.outcome) {
      case Outcome.Succeeded(var result) -> {
        assertThat(record.result()).contains(result);
        assertThat(record.error()).isEmpty();
      }
      case Outcome.Failed(Failure failure) -> {
        assertThat(record.result()).isEmpty();
        assertThat(record.error().orElseThrow().type()).isEqualTo(failure.type());
        assertThat(record.error().orElseThrow().message()).isEqualTo(failure.message());
      }
      default -> assertThat(record.error().orElseThrow().type()).isEqualTo(Failure.TIMEOUT);
    }
  }

  @Test
  void aCallThatTheWorkflowGivesUpIsCancelled() {
    begin(
        "gives-up",
        ctx -> {
          Handle<String> paid = ctx.activityAsync(PAY, "x");
          ctx.awaitSignal("enough", String.class);
          paid.cancel("too slow");
          return ctx.awaitSignal("end", String.class);
        });
    Coded.signal(node, "gives-up", "enough", "now");
    Await.until(
        "it is cancelled",
        TestNode.SOON,
        () -> record("gives-up").status() == ActivityStatus.CANCELLED);
    assertThat(record("gives-up").result()).isEmpty();
  }

  @Test
  void aCallOfAWorkflowThatIsTerminatedIsCancelled() {
    begin("terminated", ctx -> ctx.activity(PAY, "x"));
    TestNode.await(node.workflows().terminate(WorkflowId.of("terminated"), "enough"));
    assertThat(record("terminated").status()).isEqualTo(ActivityStatus.CANCELLED);
  }

  @Test
  void whatAPersonConcludesIsItsOutcome() {
    for (String id : List.of("paid-by-hand", "failed-by-hand")) {
      begin(id, ctx -> ctx.activity(PAY, "x"));
      tell(id, new Command.AttemptEnded(first(PAY), 1, unproven()));
      assertThat(node.describe(id).status()).isEqualTo(Status.INCIDENT);
    }
    conclude("paid-by-hand", new Outcome.Succeeded(TestNode.json("seen")));
    assertThat(record("paid-by-hand").status()).isEqualTo(ActivityStatus.COMPLETED);
    assertThat(record("paid-by-hand").result()).contains(TestNode.json("seen"));
    conclude("failed-by-hand", failed(false, OutsideEffect.POSSIBLE));
    assertThat(record("failed-by-hand").status()).isEqualTo(ActivityStatus.FAILED);
  }

  private static void conclude(String id, Outcome outcome) {
    assertThat(
            TestNode.await(
                node.workflows().conclude(WorkflowId.of(id), first(PAY), outcome, "looked up")))
        .isTrue();
  }

  @Test
  void theNextAttemptClaimsAnewAndKeepsTheNewestError() {
    begin("again", ctx -> ctx.activity(PAY_AGAIN, "x"));
    assertThat(record("again").attempt()).isEqualTo(1);
    tell("again", new Command.AttemptEnded(first(PAY_AGAIN), 1, failed(true, OutsideEffect.NONE)));
    awaitCalls("again", 2);
    ActivityRecord record = record("again");
    assertThat(record.status()).isEqualTo(ActivityStatus.STARTED);
    assertThat(record.attempt()).isEqualTo(2);
    assertThat(record.error().orElseThrow().type()).isEqualTo("shop.Refused");
    gate(key("again", first(PAY_AGAIN))).countDown();
    assertThat(node.result("again")).isEqualTo("\"receipt for x\"");
    assertThat(record("again").status()).isEqualTo(ActivityStatus.COMPLETED);
  }

  private static String key(String id, OperationId operation) {
    return "tenure:%s:%s:%s".formatted(id, node.describe(id).runId(), operation);
  }

  // --- runs and forks

  /** Nothing was called for the fork so far: its call needs no proof. */
  @Test
  void aForkClaimsTheCallThatIsOpenWhereItBegins() {
    begin(
        "source",
        ctx -> {
          Handle<String> paid = ctx.activityAsync(PAY, "x");
          ctx.step("between", () -> 1);
          return paid.get();
        });
    StepGate.awaitCompleted(node, "source", "between#1");
    Coded.put(
        "fork",
        ctx -> {
          Handle<String> paid = ctx.activityAsync(PAY, "x");
          ctx.step("between", () -> 1);
          return paid.get();
        });
    TestNode.await(node.workflows().fork(ForkRequest.of("source", "between#1", "fork")));
    awaitCalls("fork", 1);
    assertThat(record("fork").status()).isEqualTo(ActivityStatus.STARTED);
    assertThat(record("fork").key().operation())
        .startsWith(node.describe("fork").runId())
        .isNotEqualTo(record("source").key().operation());
    gate(key("fork", first(PAY))).countDown();
    assertThat(node.result("fork")).isEqualTo("\"receipt for x\"");
    assertThat(record("fork").status()).isEqualTo(ActivityStatus.COMPLETED);
    assertThat(record("source").status())
        .as("the call of the source is its own")
        .isEqualTo(ActivityStatus.STARTED);
    gate(key("source", first(PAY))).countDown();
    assertThat(node.result("source")).isEqualTo("\"receipt for x\"");
    assertThat(calls("source")).hasValue(1);
    assertThat(calls("fork")).hasValue(1);
  }

  @Test
  void aRunThatContinuesAsNewCancelsItsOpenCallsAndTheNextOneClaimsItsOwn() {
    AtomicInteger runs = new AtomicInteger();
    begin(
        "renewed",
        ctx -> {
          boolean isFirst = ctx.step("run", runs::incrementAndGet) == 1;
          Handle<String> paid = ctx.activityAsync(PAY, "x");
          ctx.awaitSignal("roll", String.class);
          return isFirst ? ctx.continueAsNew(null) : paid.get();
        });
    String before = record("renewed").key().operation();
    Coded.signal(node, "renewed", "roll", "on");
    awaitCalls("renewed", 2);
    List<ActivityRecord> both = records("renewed");
    assertThat(both).hasSize(2);
    assertThat(both)
        .filteredOn(record -> record.key().operation().equals(before))
        .singleElement()
        .satisfies(record -> assertThat(record.status()).isEqualTo(ActivityStatus.CANCELLED));
    Coded.signal(node, "renewed", "roll", "on");
    gate(key("renewed", first(PAY))).countDown();
    assertThat(node.result("renewed")).isEqualTo("\"receipt for x\"");
    Optional<ActivityRecord> second =
        records("renewed").stream()
            .filter(record -> !record.key().operation().equals(before))
            .findFirst();
    assertThat(second.orElseThrow().status()).isEqualTo(ActivityStatus.COMPLETED);
  }
}
