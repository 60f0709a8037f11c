package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.activity.ActivityEffect;
import dev.tenure.persistence.activity.ActivityKey;
import dev.tenure.persistence.activity.ActivityRecord;
import dev.tenure.persistence.activity.ActivityStatus;
import dev.tenure.persistence.shard.ShardOf;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.persistence.task.TakenTask;
import dev.tenure.persistence.task.TaskToken;
import dev.tenure.persistence.task.Tasks;
import dev.tenure.persistence.task.Tasks.Heard;
import dev.tenure.persistence.task.Tasks.Report;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.ActivityCode;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.ActivityFailedException;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Verifier.Verdict;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Activities that go through a queue, from the workflow's code to a worker and back. */
class QueuedActivitiesTest {
  private static final Duration WAIT = Duration.ofSeconds(30);
  private static final ActivityDefinition<Integer, Integer> DOUBLE =
      ActivityDefinition.of("double", Integer.class, Integer.class).onQueue("numbers");
  private static final ActivityDefinition<Integer, Integer> CHARGE =
      ActivityDefinition.of("charge-by-worker", Integer.class, Integer.class)
          .onQueue("money")
          .withVisibilityTimeout(Duration.ofSeconds(1))
          .keyed();
  private static final ActivityDefinition<Integer, Integer> SCARCE =
      ActivityDefinition.of("scarce", Integer.class, Integer.class)
          .withResourceScope(number -> "printer", 2);

  private static final ActivityDefinition<Integer, Integer> SLOW =
      ActivityDefinition.of("slow-and-scarce", Integer.class, Integer.class)
          .withResourceScope(number -> "plotter", 1);

  private static final ActivityDefinition<Integer, Integer> SILENT =
      ActivityDefinition.of("silent-and-scarce", Integer.class, Integer.class)
          .withResourceScope(number -> "plotter", 5)
          .withHeartbeatTimeout(Duration.ofSeconds(1))
          .withRetry(RetryPolicy.DEFAULT.backoff(Duration.ofMillis(1), 1, Duration.ofMillis(1)));

  /** Lets the slow call come to its end. */
  private static final CountDownLatch mayEnd = new CountDownLatch(1);

  /** About a charge of so much the verifier thinks for longer than a workflow rests. */
  private static final int THINKS_LONG = 11;

  private static final AtomicInteger atWork = new AtomicInteger();
  private static final AtomicInteger mostAtWork = new AtomicInteger();

  /** What the verifier says of charges. */
  private static volatile Verdict<Integer> verdict = Verdict.indeterminate("not set");

  private static TestNode node;

  /** Asks for one number to be doubled. */
  @Workflow(name = "doubles")
  public static final class Doubles {
    public int run(WorkflowContext ctx, int number) {
      return ctx.activity(DOUBLE, number);
    }
  }

  /** Has money taken by a worker. */
  @Workflow(name = "charges")
  public static final class Charges {
    public String run(WorkflowContext ctx, int amount) {
      try {
        return "charged " + ctx.activity(CHARGE, amount);
      } catch (ActivityFailedException failed) {
        return "failed " + failed.failure().type();
      }
    }
  }

  /** Many at once, of which only two may be at work. */
  @Workflow(name = "scarce-ones")
  public static final class ScarceOnes {
    public int run(WorkflowContext ctx, int count) {
      List<Handle<Integer>> all = new ArrayList<>();
      for (int i = 0; i < count; i++) all.add(ctx.activityAsync(SCARCE, Integer.toString(i), i));
      int sum = 0;
      for (Handle<Integer> one : all) sum += one.get();
      return sum;
    }
  }

  /** Asks for one call that says nothing at first. */
  @Workflow(name = "silent-one")
  public static final class SilentOne {
    public int run(WorkflowContext ctx, int number) {
      return ctx.activity(SILENT, number);
    }
  }

  /** Asks for one call that takes long. */
  @Workflow(name = "slow-one")
  public static final class SlowOne {
    public int run(WorkflowContext ctx, int number) {
      return ctx.activity(SLOW, number);
    }
  }

  @BeforeAll
  static void start() {
    TestNode.Plan plan =
        new TestNode.Plan().settings(usual -> usual.withRest(Duration.ofMillis(300), 100));
    plan.with(Doubles.class, Doubles::new)
        .with(Charges.class, Charges::new)
        .with(ScarceOnes.class, ScarceOnes::new)
        .with(SlowOne.class, SlowOne::new)
        .with(SilentOne.class, SilentOne::new);
    plan.activity(
        ActivityRegistration.of(
            ActivityCode.of(
                SILENT,
                (call, number) -> {
                  if (call.attempt() == 1) new CountDownLatch(1).await();
                  return number;
                }),
            5,
            5));
    plan.activity(
        ActivityRegistration.of(
            ActivityCode.of(
                SLOW,
                (call, number) -> {
                  if (!mayEnd.await(60, TimeUnit.SECONDS))
                    throw new IllegalStateException("nobody let it end");
                  return number;
                }),
            1,
            1));
    plan.activity(
        ActivityRegistration.of(
            ActivityCode.of(
                    CHARGE,
                    (call, amount) -> {
                      throw new AssertionError("workers do this");
                    })
                .verifiedBy(
                    (call, amount) -> {
                      if (amount == THINKS_LONG) Await.pass(Duration.ofSeconds(2));
                      return verdict;
                    }),
            10,
            10));
    plan.activity(
        ActivityRegistration.of(
            ActivityCode.of(
                SCARCE,
                (call, number) -> {
                  mostAtWork.accumulateAndGet(atWork.incrementAndGet(), Math::max);
                  Await.pass(Duration.ofMillis(20));
                  atWork.decrementAndGet();
                  return number;
                }),
            50,
            50));
    node = TestNode.start(plan);
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static List<TakenTask> taken(String queue, Duration wait) {
    return TestNode.await(
        node.node.tasks().take(queue, new Tasks.Poll("a test", Set.of(), 1), wait).tasks());
  }

  private static TakenTask take(String queue) {
    List<TakenTask> taken = taken(queue, WAIT);
    assertThat(taken).hasSize(1);
    return taken.getFirst();
  }

  private static Heard report(Report report) {
    return TestNode.await(node.node.tasks().hear(List.of(report))).getFirst();
  }

  private static Outcome number(int value) {
    return new Outcome.Succeeded(TestNode.json(value));
  }

  @Test
  void aWorkerCarriesItOut() {
    node.begin("doubled", "doubles", 21);
    TakenTask task = take("numbers");
    assertThat(task.offer().id().workflow()).isEqualTo(WorkflowId.of("doubled"));
    assertThat(TestNode.text(task.offer().input())).isEqualTo("21");
    assertThat(node.describe("doubled").status()).isEqualTo(Status.WAITING);

    assertThat(report(new Report.Ended(task.token(), number(42)))).isEqualTo(new Heard.Recorded());
    assertThat(node.result("doubled")).isEqualTo("42");
    Await.until(
        "its row is gone",
        WAIT,
        () -> node.storage.tasks().standing(List.of(task.offer().id())).getFirst().isEmpty());
  }

  @Test
  void aResultThatNoOwnerHeardOfIsFound() {
    node.begin("unheard", "doubles", 4);
    TakenTask task = take("numbers");
    // Past the desk, as when its node dies before it tells the owner.
    node.storage.tasks().hear(List.of(new Report.Ended(task.token(), number(8))));
    assertThat(node.result("unheard")).isEqualTo("8");
  }

  @Test
  void aFailureIsTriedAgainThroughTheQueue() {
    node.begin("again", "doubles", 5);
    TaskToken first = take("numbers").token();
    report(new Report.Ended(first, new Outcome.Failed(Failure.retryable("Busy", "try later"))));
    TakenTask second = take("numbers");
    assertThat(second.offer().attempt()).isEqualTo(2);
    assertThat(report(new Report.Ended(first, number(0)))).isInstanceOf(Heard.Rejected.class);
    report(new Report.Ended(second.token(), number(10)));
    assertThat(node.result("again")).isEqualTo("10");
  }

  @Test
  void aTaskOfAWorkflowThatEndedIsTakenBack() {
    node.begin("ended", "doubles", 6);
    TakenTask task = take("numbers");
    TestNode.await(node.workflows().terminate(WorkflowId.of("ended"), "enough"));
    assertThat(report(new Report.Ended(task.token(), number(12))))
        .isEqualTo(new Heard.Rejected(Heard.Why.GONE));
  }

  @Test
  void aLostWorkersPaymentIsProvenBeforeItIsOfferedAgain() {
    verdict = Verdict.notCompleted("the bank has no such payment");
    node.begin("lost-before", "charges", 7);
    TaskToken lost = take("money").token();
    TakenTask again = take("money");
    assertThat(again.offer().attempt()).as("the loss is no attempt").isEqualTo(1);
    assertThat(again.token().delivery()).isGreaterThan(lost.delivery());
    report(new Report.Ended(again.token(), number(7)));
    assertThat(node.result("lost-before")).isEqualTo("\"charged 7\"");
    assertThat(report(new Report.Ended(lost, number(7)))).isInstanceOf(Heard.Rejected.class);
  }

  @Test
  void aLostWorkersPaymentThatWasMadeIsNotMadeAgain() {
    verdict = Verdict.completed(77, "the bank has it");
    node.begin("lost-after", "charges", 7);
    take("money");
    assertThat(node.result("lost-after")).isEqualTo("\"charged 77\"");
  }

  @Test
  void aWorkersUnclearFailureIsNotShownToTheWorkflow() {
    verdict = Verdict.indeterminate("the books are shut");
    node.begin("unclear", "charges", 9);
    report(
        new Report.Ended(
            take("money").token(), new Outcome.Failed(Failure.retryable("Reset", "by peer"))));
    Await.until(
        "a person has to decide",
        Duration.ofSeconds(60),
        () -> node.describe("unclear").status() == Status.INCIDENT);
    TestNode.await(node.workflows().terminate(WorkflowId.of("unclear"), "enough"));
  }

  /** It is on record as the worker sent it, and a person sees what does not fit. */
  @Test
  void aResultOfTheWrongTypeIsAnIncidentAndNotCalledAgain() {
    node.begin("mistyped", "charges", 11);
    TakenTask task = take("money");
    Outcome text = new Outcome.Succeeded(TestNode.json("eleven"));
    assertThat(report(new Report.Ended(task.token(), text))).isEqualTo(new Heard.Recorded());
    Await.until(
        "a person has to decide",
        Duration.ofSeconds(60),
        () -> node.describe("mistyped").status() == Status.INCIDENT);
    assertThat(node.describe("mistyped").incident().orElseThrow().kind())
        .isEqualTo("unreadable-value");
    ActivityRecord record = node.storage.activities().of(WorkflowId.of("mistyped"), 1).getFirst();
    assertThat(record.status()).isEqualTo(ActivityStatus.COMPLETED);
    assertThat(record.result()).contains(TestNode.json("eleven"));
    TestNode.await(node.workflows().terminate(WorkflowId.of("mistyped"), "enough"));
  }

  @Test
  void noMoreRunAtOnceThanTheResourceBears() {
    assertThat(node.run("scarce", "scarce-ones", 12)).isEqualTo("66");
    assertThat(mostAtWork).hasValue(2);
  }

  @Test
  void whatANodeTookHasItsHeartbeatTimeout() {
    assertThat(node.run("silent", "silent-one", 6)).isEqualTo("6");
  }

  /** Nobody asks for the workflow meanwhile, which may leave the memory at any time. */
  @Test
  void aVerifierThatTakesLongerThanAWorkflowRestsIsWaitedFor() {
    node.begin("thoughtful", "charges", THINKS_LONG);
    verdict = Verdict.notCompleted("the bank has no such payment");
    report(
        new Report.Ended(
            take("money").token(), new Outcome.Failed(Failure.retryable("Reset", "by peer"))));
    TakenTask again = take("money");
    assertThat(again.offer().attempt()).isEqualTo(2);
    report(new Report.Ended(again.token(), number(THINKS_LONG)));
    assertThat(node.result("thoughtful")).isEqualTo("\"charged " + THINKS_LONG + "\"");
  }

  /** A worker that was taken for lost has done it, and said so too late for the incident. */
  @Test
  void aRetryTakesALateResultAndHandsNothingOut() {
    verdict = Verdict.indeterminate("the books are shut");
    node.begin("late", "charges", 13);
    report(
        new Report.Ended(
            take("money").token(), new Outcome.Failed(Failure.permanent("Reset", "by peer"))));
    Await.until(
        "a person has to decide",
        Duration.ofSeconds(60),
        () -> node.describe("late").status() == Status.INCIDENT);
    WorkflowId id = WorkflowId.of("late");
    ActivityKey key = node.storage.activities().of(id, 1).getFirst().key();
    int shard = ShardOf.workflow("late", TestDatabase.IDENTITY.shards());
    node.storage
        .activities()
        .complete(
            List.of(
                new ActivityEffect(key, shard, Optional.of(TestNode.json(13)), Optional.empty())));
    assertThat(
            TestNode.await(node.workflows().retryStep(id, new OperationId("charge-by-worker#1"))))
        .isTrue();
    assertThat(node.result("late")).isEqualTo("\"charged 13\"");
    assertThat(taken("money", Duration.ZERO)).isEmpty();
  }

  /** The node is its worker, and its owner is in the memory of the same node for a while. */
  @Test
  void aCallThatThisNodeTookOutlivesItsOwner() {
    node.begin("slow", "slow-one", 5);
    Await.until(
        "its owner has left the memory",
        Duration.ofSeconds(60),
        () ->
            node.describe("slow").status() == Status.WAITING
                && !node.node.host().residents.isAtWork(WorkflowId.of("slow")));
    mayEnd.countDown();
    assertThat(node.result("slow")).isEqualTo("5");
  }

  @Test
  void anotherOwnerWaitsForTheSameTask() {
    node.begin("moved", "doubles", 8);
    TakenTask task = take("numbers");
    Await.until(
        "its owner has left the memory",
        Duration.ofSeconds(60),
        () -> !node.node.host().residents.isAtWork(WorkflowId.of("moved")));
    assertThat(taken("numbers", Duration.ZERO)).isEmpty();
    report(new Report.Ended(task.token(), number(16)));
    assertThat(node.result("moved")).isEqualTo("16");
  }
}
