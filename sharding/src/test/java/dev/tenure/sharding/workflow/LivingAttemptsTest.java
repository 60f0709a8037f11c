package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.activity.ActivityRecord;
import dev.tenure.persistence.activity.ActivityStatus;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.activity.AttemptClocks;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.ActivityCode;
import dev.tenure.workflow.ActivityContext;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.OperationTimedOutException;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Verifier.Verdict;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * An attempt on a node lives as long as it says so: what follows when it falls silent, when its
 * time is over, and when nobody wants it any more. The test turns the node's clock.
 */
class LivingAttemptsTest {
  private static final Duration SILENCE = Duration.ofMinutes(1);
  private static final Duration PART = Duration.ofSeconds(40);
  private static final RetryPolicy AT_ONCE =
      RetryPolicy.DEFAULT.attempts(3).backoff(Duration.ofMillis(1), 1, Duration.ofMillis(1));
  private static final ActivityDefinition<String, String> PLAIN = beating("plain");
  private static final ActivityDefinition<String, String> DONE = beating("done").keyed();
  private static final ActivityDefinition<String, String> UNDONE = beating("undone").keyed();
  private static final ActivityDefinition<String, String> BARE = beating("bare").keyed();
  private static final ActivityDefinition<String, String> LIMITED =
      ActivityDefinition.of("limited", String.class, String.class)
          .keyed()
          .withRetry(AT_ONCE)
          .withTimeout(Duration.ofHours(1))
          .withTotalTimeout(Duration.ofMinutes(10));

  private static ActivityDefinition<String, String> beating(String name) {
    return ActivityDefinition.of(name, String.class, String.class)
        .withRetry(AT_ONCE)
        .withHeartbeatTimeout(SILENCE);
  }

  /** One attempt, whose code does what the test tells it. */
  private static final class Attempt {
    private final ActivityContext context;
    private final Optional<String> before;
    private final BlockingQueue<String> orders = new LinkedBlockingQueue<>();
    private final AtomicInteger beats = new AtomicInteger();
    private final boolean answersInterrupts;
    private volatile boolean sawCancellation;

    private Attempt(ActivityContext context, boolean answersInterrupts) {
      this.context = context;
      this.answersInterrupts = answersInterrupts;
      this.before = context.lastDetails(String.class);
    }

    /** Says the details of each order; ends with "end". */
    private String run() throws InterruptedException {
      while (true) {
        String order = orders.poll();
        sawCancellation |= context.isCancelled();
        if ("end".equals(order)) return "attempt " + context.attempt();
        if (order == null) {
          LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
          if (Thread.interrupted() && answersInterrupts) {
            sawCancellation |= context.isCancelled();
            throw new InterruptedException("asked to leave");
          }
          continue;
        }
        context.heartbeat(order);
        beats.incrementAndGet();
      }
    }

    private void beat(String details) {
      int already = beats.get();
      orders.add(details);
      Await.until("it beats", TestNode.SOON, () -> beats.get() == already + 1);
    }
  }

  private static final Map<String, List<Attempt>> ATTEMPTS = new ConcurrentHashMap<>();
  private static final AtomicReference<Duration> AHEAD = new AtomicReference<>(Duration.ZERO);
  private static final InstantSource CLOCK =
      () -> InstantSource.system().instant().plus(AHEAD.get());
  private static TestNode node;

  @BeforeAll
  static void start() {
    node =
        TestNode.start(
            new TestNode.Plan()
                .with(Coded.class, Coded::new)
                .with(registered(ActivityCode.of(PLAIN, LivingAttemptsTest::live)))
                .with(registered(ActivityCode.of(BARE, LivingAttemptsTest::live)))
                .with(
                    registered(
                        ActivityCode.of(DONE, LivingAttemptsTest::live)
                            .verifiedBy((call, what) -> Verdict.completed("found", "an entry"))))
                .with(
                    registered(
                        ActivityCode.of(UNDONE, LivingAttemptsTest::leave)
                            .verifiedBy((call, what) -> Verdict.notCompleted("no entry"))))
                .with(
                    registered(
                        ActivityCode.of(LIMITED, LivingAttemptsTest::leave)
                            .verifiedBy((call, what) -> Verdict.notCompleted("no entry"))))
                .settings(given -> WorkflowSettingsOfTests.with(CLOCK))
                .clocks(AttemptClocks.of(() -> System.nanoTime() + AHEAD.get().toNanos(), CLOCK)));
  }

  @AfterAll
  static void stop() {
    ATTEMPTS.values().forEach(all -> all.forEach(one -> one.orders.add("end")));
    node.close();
  }

  private static ActivityRegistration<?, ?> registered(ActivityCode<?, ?> code) {
    return ActivityRegistration.of(code, 100, 100);
  }

  /** Code that goes on when it is interrupted. */
  private static String live(ActivityContext call, String what) throws InterruptedException {
    return run(call, false);
  }

  /** Code that leaves when it is interrupted. */
  private static String leave(ActivityContext call, String what) throws InterruptedException {
    return run(call, true);
  }

  private static String run(ActivityContext call, boolean answersInterrupts)
      throws InterruptedException {
    Attempt attempt = new Attempt(call, answersInterrupts);
    attempts(call.workflowId().value()).add(attempt);
    return attempt.run();
  }

  private static List<Attempt> attempts(String id) {
    return ATTEMPTS.computeIfAbsent(id, any -> new CopyOnWriteArrayList<>());
  }

  private static Attempt attempt(String id, int number) {
    Await.until(
        "attempt %d of %s runs".formatted(number, id),
        TestNode.SOON,
        () -> attempts(id).size() >= number);
    return attempts(id).get(number - 1);
  }

  private static void begin(String id, ActivityDefinition<String, String> activity) {
    Coded.begin(node, id, ctx -> ctx.activity(activity, "x"));
  }

  private static void pass(Duration span) {
    AHEAD.updateAndGet(span::plus);
  }

  @Test
  void aSilentAttemptIsEndedAndTheNextOneGetsWhatItSaidLast() {
    begin("silent", PLAIN);
    Attempt first = attempt("silent", 1);
    assertThat(first.before).isEmpty();
    first.beat("one third");
    first.beat("two thirds");
    pass(SILENCE);
    Attempt second = attempt("silent", 2);
    assertThat(second.before).contains("two thirds");
    Await.until("the first one sees it", TestNode.SOON, () -> first.sawCancellation);
    first.orders.add("end");
    second.orders.add("end");
    assertThat(node.result("silent")).as("what comes late is dropped").isEqualTo("\"attempt 2\"");
  }

  @Test
  void anAttemptThatBeatsLivesLongerThanTheSilence() {
    begin("beats", PLAIN);
    Attempt first = attempt("beats", 1);
    for (int i = 0; i < 4; i++) {
      first.beat("part " + i);
      // The one that is silent shows that the node has looked.
      String silent = "beside-" + i;
      begin(silent, BARE);
      attempt(silent, 1);
      pass(PART);
      first.beat("part " + i + ", later");
      pass(SILENCE.minus(PART));
      awaitStatus(silent, Status.INCIDENT);
    }
    first.orders.add("end");
    assertThat(node.result("beats")).isEqualTo("\"attempt 1\"");
  }

  private static void awaitStatus(String id, Status status) {
    Await.until(id + " is " + status, TestNode.SOON, () -> node.describe(id).status() == status);
  }

  @Test
  void aSilentKeyedCallThatTookEffectIsNotCalledAgain() {
    begin("effect", DONE);
    attempt("effect", 1);
    pass(SILENCE);
    assertThat(node.result("effect")).isEqualTo("\"found\"");
    assertThat(attempts("effect")).hasSize(1);
  }

  @Test
  void aSilentKeyedCallThatIsProvenAbsentIsCalledAgainWithWhatItSaidLast() {
    begin("absent", UNDONE);
    attempt("absent", 1).beat("half");
    pass(SILENCE);
    Attempt second = attempt("absent", 2);
    assertThat(second.before).contains("half");
    assertThat(second.context.idempotencyKey())
        .isEqualTo(attempt("absent", 1).context.idempotencyKey());
    second.orders.add("end");
    assertThat(node.result("absent")).isEqualTo("\"attempt 2\"");
  }

  @Test
  void aSilentKeyedCallThatNothingProvesIsForAPerson() {
    begin("unproven", BARE);
    attempt("unproven", 1);
    pass(SILENCE);
    awaitStatus("unproven", Status.INCIDENT);
    assertThat(attempts("unproven")).hasSize(1);
    assertThat(record("unproven").status()).isEqualTo(ActivityStatus.INDETERMINATE);
  }

  private static ActivityRecord record(String id) {
    return node.storage.activities().of(WorkflowId.of(id), 1).getFirst();
  }

  @Test
  void aCancelledAttemptSeesThatNobodyWantsItAnyMore() {
    Coded.begin(
        node,
        "unwanted",
        ctx -> {
          Handle<String> handle = ctx.activityAsync(PLAIN, "x");
          ctx.awaitSignal("enough", String.class);
          handle.cancel("enough");
          return "went on";
        });
    Attempt first = attempt("unwanted", 1);
    assertThat(first.sawCancellation).isFalse();
    Coded.signal(node, "unwanted", "enough", "now");
    Await.until("it sees the cancellation", TestNode.SOON, () -> first.sawCancellation);
    first.orders.add("end");
    assertThat(node.result("unwanted")).isEqualTo("\"went on\"");
    assertThat(attempts("unwanted")).hasSize(1);
  }

  @Test
  void theTimeForAllAttemptsEndsTheOneThatRuns() {
    Instant begin = CLOCK.instant();
    Coded.begin(
        node,
        "limited",
        ctx -> {
          try {
            return ctx.activity(LIMITED, "x");
          } catch (OperationTimedOutException over) {
            return "over";
          }
        });
    Attempt first = attempt("limited", 1);
    Instant deadline = first.context.deadline().orElseThrow();
    assertThat(deadline)
        .as("the time for all attempts, which is shorter than that of one")
        .isBetween(
            begin.plus(Duration.ofMinutes(10)), CLOCK.instant().plus(Duration.ofMinutes(10)));
    pass(Duration.ofMinutes(10));
    assertThat(node.result("limited")).isEqualTo("\"over\"");
    Await.until("the attempt sees it", TestNode.SOON, () -> first.sawCancellation);
    assertThat(attempts("limited")).hasSize(1);
    assertThat(record("limited").status()).isEqualTo(ActivityStatus.TIMED_OUT);
  }
}
