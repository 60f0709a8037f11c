package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** No commit exceeds what the journal takes, and what it does not take runs nothing again. */
class CommitSizesTest {
  private static final StepOptions IN_AN_HOUR =
      StepOptions.retry(RetryPolicy.DEFAULT.backoff(Duration.ofHours(1), 1, Duration.ofHours(1)));

  private static GatedStorage gates;
  private static TestNode node;

  @BeforeAll
  static void start() {
    node =
        TestNode.start(
            new TestNode.Plan()
                .with(Coded.class, Coded::new)
                .settings(given -> given.withRecoveryPause(Duration.ofMillis(50)))
                .storage(
                    inner -> {
                      gates = new GatedStorage(inner);
                      return gates;
                    }));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  /** Its stack is as long as one that is cut, and of its own text, so that it is cheap to make. */
  private static final class Down extends RuntimeException {
    private static final long serialVersionUID = 1;

    private Down() {
      super("x".repeat(8_000), null, false, false);
    }
  }

  private static void passes(CountDownLatch latch) {
    try {
      if (!latch.await(TestNode.SOON.toMillis(), TimeUnit.MILLISECONDS))
        throw new IllegalStateException("Nobody opened the latch.");
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static long failures(String id) {
    return TestNode.await(node.workflows().history(WorkflowId.of(id), 1, 1_000)).stream()
        .flatMap(step -> step.events().stream())
        .filter(Event.AttemptFailed.class::isInstance)
        .count();
  }

  @Test
  void aThousandLongFailuresAtOnceAreEachOfOneAttempt() {
    int steps = 1_000;
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(steps);
    AtomicInteger calls = new AtomicInteger();
    Coded.begin(
        node,
        "failures",
        ctx -> {
          List<Handle<Integer>> all = new ArrayList<>();
          for (int i = 0; i < steps; i++)
            all.add(
                ctx.stepAsync(
                    "part",
                    IN_AN_HOUR.withKey("" + i),
                    () -> {
                      passes(go);
                      calls.incrementAndGet();
                      done.countDown();
                      throw new Down();
                    }));
          return ctx.all(all).size();
        });
    Await.until(
        "all are asked for", TestNode.SOON, () -> node.describe("failures").operations() >= steps);
    // One is let through, so that the others pile up while it commits.
    GatedStorage.Gate gate = gates.hold("failures", event -> event instanceof Event.AttemptFailed);
    go.countDown();
    gate.awaitArrival();
    Await.until("all have failed", TestNode.SOON, () -> done.getCount() == 0);
    gate.open();
    Await.until("all are recorded", TestNode.SOON, () -> failures("failures") == steps);
    assertThat(calls).hasValue(steps);
    assertThat(node.describe("failures").incident()).isEmpty();
    assertThat(node.events("failures")).noneMatch(Event.Redelivered.class::isInstance);
    Journal.whole(node.storage, "failures");
  }

  /** The commit of a failed attempt is not stored, and its owner is told so. */
  private static void aCommitIsLost(String id, boolean stored) {
    AtomicInteger calls = new AtomicInteger();
    GatedStorage.Gate gate =
        gates.refuse(
            id,
            event -> event instanceof Event.AttemptFailed,
            commit -> {
              if (stored)
                assertThat(gates.store(commit)).isInstanceOf(CommitResult.Committed.class);
              return new CommitResult.Unknown(
                  commit.id(), new StorageException.OutcomeUnknown("on purpose", null));
            });
    Coded.begin(
        node,
        id,
        ctx ->
            ctx.step(
                "fails",
                IN_AN_HOUR,
                () -> {
                  calls.incrementAndGet();
                  throw new IllegalStateException("down");
                }));
    Await.until("the failure is recorded", TestNode.SOON, () -> failures(id) == 1);
    assertThat(gate.wasReached()).isTrue();
    assertThat(calls).as("its next attempt follows in an hour").hasValue(1);
    assertThat(node.describe(id).status()).isNotEqualTo(Status.INCIDENT);
  }

  @Test
  void aFailureWhoseCommitIsNotStoredRunsNothingAgain() {
    aCommitIsLost("lost", false);
  }

  @Test
  void aFailureWhoseCommitIsStoredAndNotKnownRunsNothingAgain() {
    aCommitIsLost("forgotten", true);
  }

  /** One operation that is larger than a commit: no part of what is asked for would fit. */
  private static String oneLargeStep(WorkflowContext ctx) {
    RetryPolicy usual = RetryPolicy.DEFAULT;
    Set<String> neverFor = Set.of("x".repeat(Commit.MAX_PAYLOAD_BYTES));
    RetryPolicy large =
        new RetryPolicy(
            usual.attemptsMax(),
            usual.initialBackoff(),
            usual.multiplier(),
            usual.backoffMax(),
            usual.jitter(),
            neverFor);
    return ctx.step("large", StepOptions.retry(large), () -> "too much");
  }

  private static void isAnIncidentThatNamesTheLimit(String id) {
    Await.until(
        "it is an incident", TestNode.SOON, () -> node.describe(id).status() == Status.INCIDENT);
    Incident incident = node.describe(id).incident().orElseThrow();
    assertThat(incident.kind()).isEqualTo("commit-too-large");
    assertThat(incident.message()).contains("MAX_PAYLOAD_BYTES = 4194304");
  }

  @Test
  void whatNoCommitCanHoldIsAnIncidentThatNamesTheLimitUntilTheCodeIsMended() {
    AtomicInteger calls = new AtomicInteger();
    Coded.begin(
        node,
        "large",
        ctx -> {
          ctx.step("before", calls::incrementAndGet);
          return oneLargeStep(ctx);
        });
    isAnIncidentThatNamesTheLimit("large");
    assertThat(calls).hasValue(1);
    assertThat(node.events("large"))
        .as("the step's result stands")
        .anyMatch(Event.Completed.class::isInstance);
    // It stays one while the code is the same.
    assertThatThrownBy(
            () ->
                TestNode.await(
                    node.workflows().resolveIncident(WorkflowId.of("large"), "try again")))
        .hasMessageContaining("MAX_PAYLOAD_BYTES = 4194304");
    isAnIncidentThatNamesTheLimit("large");
    Coded.put("large", ctx -> ctx.step("before", calls::incrementAndGet) + ", and no more");
    assertThat(
            TestNode.await(
                node.workflows().resolveIncident(WorkflowId.of("large"), "it is mended")))
        .isTrue();
    assertThat(node.result("large")).isEqualTo("\"1, and no more\"");
  }

  @Test
  void aStartThatAsksForMoreStandsWithTheIncident() {
    AtomicInteger begun = new AtomicInteger();
    Coded.begin(
        node,
        "starts-large",
        ctx -> {
          begun.incrementAndGet();
          return oneLargeStep(ctx);
        });
    isAnIncidentThatNamesTheLimit("starts-large");
    // Once for the start, and perhaps once more where it was taken for new.
    assertThat(begun.get()).isLessThanOrEqualTo(2);
    assertThat(TestNode.await(node.workflows().terminate(WorkflowId.of("starts-large"), "enough")))
        .isTrue();
  }
}
