package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.persistence.visibility.WorkflowFilter;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.OperationTimedOutException;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.kernel.Status;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Activities keep within their limits, and one that cannot run is seen. */
class ActivitiesTest {
  private static final ActivityDefinition<Integer, Integer> THREE =
      ActivityDefinition.of("three", Integer.class, Integer.class);
  private static final ActivityDefinition<String, String> ONE =
      ActivityDefinition.of("one", String.class, String.class);
  private static final ActivityDefinition<Integer, Integer> QUICK =
      ActivityDefinition.of("quick", Integer.class, Integer.class)
          .withRetry(RetryPolicy.NONE)
          .withTimeout(Duration.ofMillis(1_500));
  private static final ActivityDefinition<Integer, String> SLOW =
      ActivityDefinition.of("slow", Integer.class, String.class)
          .withRetry(RetryPolicy.DEFAULT.backoff(Duration.ofMillis(5), 1, Duration.ofMillis(5)))
          .withTimeout(Duration.ofMillis(200));
  private static final ActivityDefinition<Integer, Integer> NARROW =
      ActivityDefinition.of("narrow", Integer.class, Integer.class);
  private static final ActivityDefinition<Integer, Integer> NEVER =
      ActivityDefinition.of("never", Integer.class, Integer.class)
          .withRetry(RetryPolicy.NONE)
          .withTotalTimeout(Duration.ofMillis(400));
  private static final ActivityDefinition<String, String> ABSENT =
      ActivityDefinition.of("absent", String.class, String.class);

  private static final AtomicInteger RUNNING = new AtomicInteger();
  private static final AtomicInteger MOST = new AtomicInteger();
  private static final AtomicInteger OF_THE_MANY = new AtomicInteger();
  private static final CountDownLatch FOREVER = new CountDownLatch(1);
  private static final CountDownLatch DEAF = new CountDownLatch(1);
  private static final AtomicReference<Optional<Instant>> DEADLINE = new AtomicReference<>();

  private static final ActivityDefinition<String, Boolean> WHERE =
      ActivityDefinition.of("where", String.class, Boolean.class);

  private static TestNode node;

  /** Code that another loader has loaded, and that says whether its thread knows it. */
  @SuppressWarnings("unchecked")
  private static ActivityDefinition.Body<String, Boolean> elsewhere() {
    ClassLoader other = new ClassLoader(ActivitiesTest.class.getClassLoader()) {};
    return (ActivityDefinition.Body<String, Boolean>)
        Proxy.newProxyInstance(
            other,
            new Class<?>[] {ActivityDefinition.Body.class},
            (body, method, arguments) ->
                Thread.currentThread().getContextClassLoader() == body.getClass().getClassLoader());
  }

  @Test
  void itsThreadHasTheLoaderOfItsCode() {
    assertThat(Coded.run(node, "where", ctx -> ctx.activity(WHERE, "x"))).isEqualTo("true");
  }

  @BeforeAll
  static void start() {
    node =
        TestNode.start(
            new TestNode.Plan()
                .with(Coded.class, Coded::new)
                .with(ActivityRegistration.of(THREE, (c, n) -> counted(n)).atOnce(3))
                .with(ActivityRegistration.of(ONE, (c, who) -> one(who)).atOnce(1))
                .with(ActivityRegistration.of(WHERE, elsewhere()))
                .with(ActivityRegistration.of(QUICK, (c, n) -> pausing(n)).atOnce(1))
                .with(
                    ActivityRegistration.of(
                            SLOW,
                            (c, n) -> {
                              DEADLINE.set(c.deadline());
                              if (c.attempt() == 1) deafUntil(DEAF);
                              return "attempt " + c.attempt();
                            })
                        .atOnce(2))
                .with(ActivityRegistration.of(NARROW, (c, n) -> pausing(n)).atOnce(1).waiting(1))
                .with(
                    ActivityRegistration.of(
                            NEVER,
                            (c, n) -> {
                              FOREVER.await();
                              return n;
                            })
                        .atOnce(1)));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static int counted(int number) {
    MOST.accumulateAndGet(RUNNING.incrementAndGet(), Math::max);
    LockSupport.parkNanos(Duration.ofMillis(15).toNanos());
    RUNNING.decrementAndGet();
    return number;
  }

  private static int pausing(int number) {
    LockSupport.parkNanos(Duration.ofMillis(300).toNanos());
    return number;
  }

  private static String one(String who) {
    LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
    if (who.equals("many")) OF_THE_MANY.incrementAndGet();
    return who + " after " + OF_THE_MANY.get();
  }

  private static void deafUntil(CountDownLatch latch) {
    while (latch.getCount() > 0) {
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
      Thread.interrupted();
    }
  }

  private static <I> Object inParallel(
      WorkflowContext ctx, ActivityDefinition<I, ?> activity, int times, I input) {
    List<Handle<?>> all = new ArrayList<>();
    for (int i = 0; i < times; i++) all.add(ctx.activityAsync(activity, input));
    for (Handle<?> one : all) one.get();
    return times;
  }

  @Test
  void neverMoreThanTheLimitRunAtOnce() {
    assertThat(Coded.run(node, "limited", ctx -> inParallel(ctx, THREE, 60, 1))).isEqualTo("60");
    assertThat(MOST).hasValue(3);
  }

  @Test
  void oneWorkflowWithManyCallsDoesNotKeepAnotherWaiting() {
    Coded.begin(node, "many", ctx -> inParallel(ctx, ONE, 300, "many"));
    Await.until("the many run", TestNode.SOON, () -> OF_THE_MANY.get() > 0);
    String answer = Coded.run(node, "few", ctx -> ctx.activity(ONE, "few"));
    int before = Integer.parseInt(answer.replaceAll("\\D", ""));
    assertThat(before).isLessThan(150);
    assertThat(node.result("many")).isEqualTo("300");
  }

  @Test
  void waitingForItsTurnIsNotTakingTooLong() {
    // Eight of 300 ms each, one after the other; each may take a second and a half.
    assertThat(Coded.run(node, "turns", ctx -> inParallel(ctx, QUICK, 8, 1))).isEqualTo("8");
  }

  @Test
  void anAttemptThatTakesTooLongIsGivenUpAndTheNextOneCounts() {
    assertThat(Coded.run(node, "gives-up", ctx -> ctx.activity(SLOW, 1)))
        .isEqualTo("\"attempt 2\"");
    assertThat(DEADLINE.get()).isPresent();
    DEAF.countDown();
  }

  @Test
  void theTimeForAllAttemptsAlsoCountsWhileOneWaits() {
    assertThat(
            Coded.run(
                node,
                "never",
                ctx -> {
                  int timedOut = 0;
                  List<Handle<Integer>> both =
                      List.of(ctx.activityAsync(NEVER, 1), ctx.activityAsync(NEVER, 2));
                  for (Handle<Integer> one : both)
                    try {
                      one.get();
                    } catch (OperationTimedOutException e) {
                      timedOut++;
                    }
                  return timedOut;
                }))
        .isEqualTo("2");
  }

  @Test
  void whatIsRefusedBecauseTooManyWaitIsOfferedAgain() {
    assertThat(Coded.run(node, "narrow", ctx -> inParallel(ctx, NARROW, 6, 1))).isEqualTo("6");
  }

  @Test
  void anActivityWithoutCodeBlocksVisiblyUntilANodeBringsIt() {
    Coded.put(
        "blocked",
        ctx -> {
          ctx.step("before", () -> 1);
          Handle<String> first = ctx.activityAsync(ABSENT, "a");
          Handle<String> second = ctx.activityAsync(ABSENT, "b");
          return first.get() + second.get();
        });
    try (TestDatabase database = TestDatabase.migrated()) {
      int commits;
      TestNode.Plan without = new TestNode.Plan().with(Coded.class, Coded::new);
      try (TestNode first = TestNode.start(database, without)) {
        first.begin("blocked", "coded", null);
        awaitBlocked(first);
        assertThat(first.describe("blocked").blockReason().orElseThrow())
            .startsWith("no-worker")
            .contains("absent");
        commits = first.commits("blocked");
      }
      try (TestNode again = TestNode.start(database, without)) {
        awaitBlocked(again);
        assertThat(again.commits("blocked")).as("to ask writes nothing").isEqualTo(commits);
      }
      try (TestNode with =
          TestNode.start(
              database,
              new TestNode.Plan()
                  .with(Coded.class, Coded::new)
                  .with(ActivityRegistration.of(ABSENT, (c, word) -> word + "!")))) {
        // Nobody asks for it: it is offered to the node that has the code.
        Await.until("it is done", TestNode.SOON, () -> listed(with, Status.COMPLETED) == 1);
        assertThat(with.result("blocked")).isEqualTo("\"a!b!\"");
      }
    }
  }

  private static void awaitBlocked(TestNode on) {
    Await.until(
        "it is blocked",
        TestNode.SOON,
        () -> on.describe("blocked").status() == Status.BLOCKED && listed(on, Status.BLOCKED) == 1);
  }

  private static int listed(TestNode on, Status status) {
    return TestNode.await(
            on.workflows().list(WorkflowFilter.ALL.withStatus(status), PageRequest.first(10)))
        .rows()
        .size();
  }
}
