package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.activity.ActivityEffect;
import dev.tenure.persistence.activity.ActivityRecord;
import dev.tenure.persistence.activity.ActivityRecords;
import dev.tenure.persistence.activity.ActivityStatus;
import dev.tenure.persistence.incident.IncidentFilter;
import dev.tenure.persistence.incident.IncidentRow;
import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.ActivityFailedException;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.AttemptRef;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** An order about an activity means the attempt that the person has looked at, and no later one. */
class RepairOrdersTest {
  /** Each call fails after it may have had its effect: nobody can tell. */
  private static final ActivityDefinition<String, Integer> PAY =
      ActivityDefinition.of("pay", String.class, Integer.class).keyed().withRetry(RetryPolicy.NONE);

  private static final OperationId PAY_ONE = new OperationId("pay#1");
  private static final Map<String, AtomicInteger> CALLS = new ConcurrentHashMap<>();
  private static TestNode node;

  @BeforeAll
  static void start() {
    node =
        TestNode.start(
            new TestNode.Plan()
                .with(Coded.class, Coded::new)
                .with(
                    ActivityRegistration.of(
                        PAY,
                        (call, what) -> {
                          calls(what).incrementAndGet();
                          throw new IllegalStateException("the line is dead");
                        })));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @AfterEach
  void end() {
    for (IncidentRow row :
        TestNode.await(node.workflows().incidents(IncidentFilter.ALL, PageRequest.first(10)))
            .rows()) TestNode.await(node.workflows().terminate(row.workflow(), "the test is over"));
  }

  private static AtomicInteger calls(String what) {
    return CALLS.computeIfAbsent(what, first -> new AtomicInteger());
  }

  private static void standsAfter(String id, int calls) {
    Await.until(
        id + " stands still after call " + calls,
        TestNode.SOON,
        () ->
            calls(id).get() == calls
                && node.describe(id).incident().orElse(null) instanceof Incident.Indeterminate);
  }

  private static void strand(String id) {
    Coded.begin(node, id, ctx -> ctx.activity(PAY, id));
    standsAfter(id, 1);
  }

  private static RepairTarget seen(String id) {
    return RepairTarget.of(new AttemptRef(node.describe(id).runId(), PAY_ONE, 2));
  }

  private static boolean retried(String id, RepairTarget meant) {
    return TestNode.await(node.workflows().retryStep(WorkflowId.of(id), meant, "not in the books"));
  }

  @Test
  void aRetryThatComesAgainMeetsNoLaterAttempt() {
    strand("twice");
    RepairTarget meant = seen("twice");
    assertThat(retried("twice", meant)).isTrue();
    standsAfter("twice", 2);
    assertThat(retried("twice", meant)).as("it came again, late").isFalse();
    assertThat(node.describe("twice").status()).isEqualTo(Status.INCIDENT);
    assertThat(calls("twice")).hasValue(2);
    // A person who names no attempt means the one that stands there.
    assertThat(TestNode.await(node.workflows().retryStep(WorkflowId.of("twice"), PAY_ONE)))
        .isTrue();
    standsAfter("twice", 3);
  }

  @Test
  void aConclusionThatComesLateMeetsNoLaterAttempt() {
    strand("late");
    RepairTarget meant = seen("late");
    retried("late", meant);
    standsAfter("late", 2);
    Outcome failed = new Outcome.Failed(Failure.permanent("shop.Refused", "no money"));
    assertThatThrownBy(
            () ->
                TestNode.await(
                    node.workflows().conclude(WorkflowId.of("late"), meant, failed, "note")))
        .hasCauseInstanceOf(WorkflowError.NotOpen.class)
        .hasMessageContaining("at 3");
    assertThat(node.describe("late").status()).isEqualTo(Status.INCIDENT);
  }

  @Test
  void anIncidentThatWasListedBeforeTheNextOneIsNotThatOne() {
    strand("listed");
    IncidentRow row =
        TestNode.await(node.workflows().incident(WorkflowId.of("listed"))).orElseThrow();
    retried("listed", seen("listed"));
    standsAfter("listed", 2);
    for (Remedy remedy : new Remedy[] {Remedy.RUN_AGAIN, new Remedy.Complete(TestNode.json(5))})
      assertThatThrownBy(() -> TestNode.await(node.workflows().resolve(row, remedy, "of before")))
          .hasCauseInstanceOf(WorkflowError.NotOpen.class)
          .hasMessageContaining("is over");
    assertThat(calls("listed")).hasValue(2);
    assertThat(node.describe("listed").status()).isEqualTo(Status.INCIDENT);
  }

  /** What its compensation undid, when a person has said that its payment failed. */
  private static String undoneAfter(String id, Failure stated) {
    AtomicInteger undone = new AtomicInteger();
    ActivityDefinition<String, Integer> paid =
        PAY.withCompensation((what, result) -> undone.incrementAndGet());
    Coded.begin(
        node,
        id,
        ctx -> {
          try {
            return ctx.saga(saga -> saga.activity(paid, id));
          } catch (ActivityFailedException e) {
            return e.failure().type() + ", undone " + undone.get();
          }
        });
    standsAfter(id, 1);
    assertThat(
            TestNode.await(
                node.workflows()
                    .conclude(
                        WorkflowId.of(id),
                        PAY_ONE,
                        new Outcome.Failed(stated),
                        "it must not count")))
        .isTrue();
    return node.result(id);
  }

  @Test
  void aSagaUndoesWhatAPersonTakesForFailed() {
    Failure refused = Failure.permanent("shop.Refused", "booked on the wrong account");
    assertThat(undoneAfter("made", refused)).isEqualTo("\"shop.Refused, undone 1\"");
    assertThat(undoneAfter("not-made", refused.with(Failure.OutsideEffect.NONE)))
        .isEqualTo("\"shop.Refused, undone 0\"");
  }

  /** What the node that made the call reports after the incident was raised. */
  private static ActivityRecord reportedLate(String id, Optional<Payload> result) {
    ActivityRecord record =
        TestNode.await(node.workflows().activityRecords(WorkflowId.of(id), 10)).getFirst();
    assertThat(record.status()).isEqualTo(ActivityStatus.INDETERMINATE);
    IncidentRow row = TestNode.await(node.workflows().incident(WorkflowId.of(id))).orElseThrow();
    ActivityEffect effect = new ActivityEffect(record.key(), row.shard(), result, Optional.empty());
    assertThat(node.storage.activities().complete(List.of(effect)))
        .containsExactly(new ActivityRecords.Recorded.Stored());
    return node.storage.activities().find(List.of(record.key())).getFirst().orElseThrow();
  }

  private static Outcome failed(Failure.OutsideEffect effect) {
    return new Outcome.Failed(Failure.permanent("shop.Refused", "no money").with(effect));
  }

  private static Outcome paid(int cents) {
    return new Outcome.Succeeded(TestNode.json(cents));
  }

  private static void concluded(String id, Outcome outcome) {
    TestNode.await(node.workflows().conclude(WorkflowId.of(id), PAY_ONE, outcome, "note"));
  }

  @Test
  void noPersonsWordGoesOverAResultThatIsOnRecord() {
    strand("proven");
    ActivityRecord proof = reportedLate("proven", Optional.of(TestNode.json(4711)));
    for (Outcome outcome :
        List.of(
            failed(Failure.OutsideEffect.POSSIBLE), failed(Failure.OutsideEffect.NONE), paid(12)))
      assertThatThrownBy(() -> concluded("proven", outcome))
          .hasCauseInstanceOf(WorkflowError.OnRecord.class)
          .hasMessageContainingAll("4711", "pay#1", "verified again");
    for (Remedy remedy :
        List.of(
            new Remedy.Complete(TestNode.json(5)),
            new Remedy.Fail(Failure.permanent("shop.Refused", "no"))))
      assertThat(
              TestNode.await(
                      node.workflows()
                          .resolveIncidents(
                              IncidentFilter.ALL, remedy, "all", PageRequest.first(10)))
                  .rows()
                  .getFirst()
                  .outcome())
          .isInstanceOfSatisfying(
              Resolution.Refused.class, refused -> assertThat(refused.why()).contains("4711"));
    assertThat(node.describe("proven").status()).isEqualTo(Status.INCIDENT);

    assertThat(
            TestNode.await(node.workflows().verifyAgain(WorkflowId.of("proven"), PAY_ONE, "look")))
        .isTrue();
    assertThat(node.result("proven")).isEqualTo("4711");
    assertThat(calls("proven")).hasValue(1);
    assertThat(node.storage.activities().find(List.of(proof.key())).getFirst()).contains(proof);
  }

  @Test
  void aRetryTakesAResultThatIsOnRecordAndCallsNothing() {
    strand("retried");
    reportedLate("retried", Optional.of(TestNode.json(4711)));
    assertThat(TestNode.await(node.workflows().retryStep(WorkflowId.of("retried"), PAY_ONE)))
        .isTrue();
    assertThat(node.result("retried")).isEqualTo("4711");
    assertThat(calls("retried")).hasValue(1);
  }

  @Test
  void aPersonFillsInAResultThatCouldNotBeHad() {
    strand("filled");
    ActivityRecord proof = reportedLate("filled", Optional.empty());
    assertThatThrownBy(() -> concluded("filled", failed(Failure.OutsideEffect.NONE)))
        .hasCauseInstanceOf(WorkflowError.OnRecord.class)
        .hasMessageContaining("took effect");
    concluded("filled", paid(12));
    assertThat(node.result("filled")).isEqualTo("12");
    assertThat(
            node.storage
                .activities()
                .find(List.of(proof.key()))
                .getFirst()
                .flatMap(ActivityRecord::result))
        .contains(TestNode.json(12));
  }

  @Test
  void anAttemptIsFoundHoweverManyOperationsAreOpen() {
    Coded.begin(
        node,
        "crowded",
        ctx -> {
          for (int i = 0; i < 150; i++) ctx.timer("t" + i, Duration.ofDays(1));
          return ctx.activity(PAY, "crowded");
        });
    standsAfter("crowded", 1);
    assertThat(TestNode.await(node.workflows().retryStep(WorkflowId.of("crowded"), PAY_ONE)))
        .isTrue();
    standsAfter("crowded", 2);
  }
}
