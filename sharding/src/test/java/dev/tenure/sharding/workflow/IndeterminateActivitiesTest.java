package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.incident.IncidentFilter;
import dev.tenure.persistence.incident.IncidentRow;
import dev.tenure.persistence.visibility.Page;
import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.message.Answer;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.ActivityFailedException;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.kernel.Limits;
import dev.tenure.workflow.kernel.Reply;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Of an activity whose outcome cannot be told, a person says it, or has it run or verified. */
class IndeterminateActivitiesTest {
  private static final ActivityDefinition<String, Integer> PAY =
      ActivityDefinition.of("pay", String.class, Integer.class)
          .keyed()
          .withRetry(RetryPolicy.DEFAULT.attempts(2));
  private static final OperationId PAY_ONE = new OperationId("pay#1");
  private static final Failure SILENT =
      new Failure(
              Failure.INDETERMINATE,
              "the bank did not say",
              Optional.of("bank-silent"),
              false,
              "",
              Optional.empty())
          .with(Failure.OutsideEffect.UNPROVEN);
  private static final String NOTE = "It stands in the bank's books.";

  /** By what is paid: how often the body of the activity ran. */
  private static final Map<String, AtomicInteger> RUNS = new ConcurrentHashMap<>();

  private static final CountDownLatch NEVER = new CountDownLatch(1);
  private static TestNode node;

  @BeforeAll
  static void start() {
    node =
        TestNode.start(
            new TestNode.Plan()
                .with(Coded.class, Coded::new)
                .with(ActivityRegistration.of(PAY, (call, what) -> pay(what))));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  /** What a test leaves standing must not be resolved by the next one. */
  @AfterEach
  void end() {
    for (IncidentRow row : incidents().rows())
      TestNode.await(node.workflows().terminate(row.workflow(), "the test is over"));
  }

  /** The first call never comes back; the others pay 7. */
  private static int pay(String what) throws InterruptedException {
    if (runs(what).incrementAndGet() == 1) NEVER.await();
    return 7;
  }

  private static AtomicInteger runs(String what) {
    return RUNS.computeIfAbsent(what, first -> new AtomicInteger());
  }

  private void begin(String id, Function<WorkflowContext, Object> code) {
    Coded.begin(node, id, code);
    Await.until(id + " pays", TestNode.SOON, () -> runs(id).get() == 1);
  }

  private void strand(String id) {
    strand(id, ctx -> ctx.activity(PAY, id));
  }

  /** It stands still, because the outcome of its payment cannot be told. */
  private void strand(String id, Function<WorkflowContext, Object> code) {
    begin(id, code);
    Command untold = new Command.AttemptEnded(PAY_ONE, 1, new Outcome.Failed(SILENT));
    Answer answer =
        TestNode.await(
            node.node
                .transport()
                .ask(
                    WorkflowId.of(id),
                    replyTo -> new Message.Tell(untold, replyTo),
                    TestNode.SOON));
    assertThat(answer).isEqualTo(new Answer.Said(Reply.DONE));
    assertThat(node.describe(id).incident()).containsInstanceOf(Incident.Indeterminate.class);
  }

  /** It stands still, because a step of it failed. */
  private void failStep(String id) {
    Coded.begin(
        node,
        id,
        ctx ->
            ctx.step(
                "call",
                StepOptions.retry(RetryPolicy.NONE.thenIncident()),
                () -> {
                  throw new IllegalStateException("no line");
                }));
    Await.until("it fails", TestNode.SOON, () -> node.describe(id).status() == Status.INCIDENT);
  }

  private boolean conclude(String id, Outcome outcome) {
    return TestNode.await(node.workflows().conclude(WorkflowId.of(id), PAY_ONE, outcome, NOTE));
  }

  private static Outcome paid(int cents) {
    return new Outcome.Succeeded(TestNode.json(cents));
  }

  private Page<IncidentRow> incidents() {
    return TestNode.await(node.workflows().incidents(IncidentFilter.ALL, PageRequest.first(10)));
  }

  private List<Event> eventsAfterIncident(String id) {
    List<Event> all = node.events(id);
    int raised = 0;
    for (int i = 0; i < all.size(); i++) if (all.get(i) instanceof Event.IncidentRaised) raised = i;
    return all.subList(raised + 1, all.size());
  }

  @Test
  void itsIncidentHasTheEvidence() {
    strand("evident");
    IncidentRow row =
        incidents().rows().stream()
            .filter(one -> one.workflow().equals(WorkflowId.of("evident")))
            .findFirst()
            .orElseThrow();
    assertThat(row.kind()).isEqualTo("activity-indeterminate");
    assertThat(row.operation()).contains("pay#1");
    assertThat(row.evidence())
        .contains(Failure.INDETERMINATE, "bank-silent", "the bank did not say");
  }

  @Test
  void completedWithAResultTheWorkflowGoesOnWithIt() {
    strand("completed");
    assertThat(conclude("completed", paid(12))).isTrue();
    assertThat(node.result("completed")).isEqualTo("12");
    assertThat(runs("completed")).hasValue(1);
    assertThat(eventsAfterIncident("completed"))
        .anyMatch(
            e ->
                e instanceof Event.IncidentResolved(var at, String note, var d)
                    && note.equals(NOTE))
        .anyMatch(
            e ->
                e instanceof Event.Concluded(var at, OperationId operation, String note)
                    && operation.equals(PAY_ONE)
                    && note.equals(NOTE));
  }

  @Test
  void failedItIsThrownInItsCode() {
    strand(
        "failed",
        ctx -> {
          try {
            return ctx.activity(PAY, "failed");
          } catch (ActivityFailedException e) {
            return e.failure().type()
                + " "
                + e.failure().code().orElse("")
                + " "
                + e.failure().message();
          }
        });
    Failure refused =
        new Failure(
            "shop.Refused", "no money", Optional.of("no-money"), false, "", Optional.empty());
    assertThat(conclude("failed", new Outcome.Failed(refused))).isTrue();
    assertThat(node.result("failed")).isEqualTo("\"shop.Refused no-money no money\"");
    assertThat(runs("failed")).hasValue(1);
  }

  @Test
  void triedAgainItsBodyRunsAgain() {
    strand("again");
    assertThat(TestNode.await(node.workflows().retryStep(WorkflowId.of("again"), PAY_ONE)))
        .isTrue();
    assertThat(node.result("again")).isEqualTo("7");
    assertThat(runs("again")).hasValue(2);
    assertThat(eventsAfterIncident("again"))
        .anyMatch(e -> e instanceof Event.Retried retried && retried.unproven());
  }

  @Test
  void verifiedAgainItIsNotSaidThatItMayRun() {
    strand("verified");
    WorkflowId id = WorkflowId.of("verified");
    assertThatThrownBy(
            () ->
                TestNode.await(
                    node.workflows().verifyAgain(id, new OperationId("other#1"), "it is up")))
        .hasCauseInstanceOf(WorkflowError.NotOpen.class)
        .hasMessageContaining("the bank did not say");
    assertThat(node.describe("verified").status()).isEqualTo(Status.INCIDENT);
    assertThat(TestNode.await(node.workflows().verifyAgain(id, PAY_ONE, "it is up"))).isTrue();
    assertThat(eventsOf("verified", Event.IncidentResolved.class).getFirst().note())
        .isEqualTo("it is up");
    assertThat(eventsOf("verified", Event.Retried.class).getFirst().unproven()).isFalse();
  }

  private <E extends Event> List<E> eventsOf(String id, Class<E> type) {
    return node.events(id).stream().filter(type::isInstance).map(type::cast).toList();
  }

  @Test
  void nothingIsVerifiedAgainWhereNothingHoldsTheWorkflow() {
    begin("well", ctx -> ctx.activity(PAY, "well"));
    WorkflowId id = WorkflowId.of("well");
    assertThat(TestNode.await(node.workflows().verifyAgain(id, PAY_ONE, "n"))).isFalse();
    TestNode.await(node.workflows().terminate(id, "enough"));
    assertThatThrownBy(() -> TestNode.await(node.workflows().verifyAgain(id, PAY_ONE, "n")))
        .hasCauseInstanceOf(WorkflowError.HasEnded.class);
    assertThatThrownBy(
            () ->
                TestNode.await(node.workflows().verifyAgain(WorkflowId.of("nobody"), PAY_ONE, "n")))
        .hasCauseInstanceOf(WorkflowError.NotFound.class);
  }

  private void refused(String id, Outcome outcome, OperationId operation, String... why) {
    assertThatThrownBy(
            () ->
                TestNode.await(
                    node.workflows().conclude(WorkflowId.of(id), operation, outcome, NOTE)))
        .hasCauseInstanceOf(WorkflowError.NotOpen.class)
        .hasMessageContainingAll(why);
    assertThat(eventsOf(id, Event.Concluded.class)).hasSizeLessThanOrEqualTo(1);
  }

  @Test
  void whileAnAttemptIsUnderWayItsOutcomeCounts() {
    begin("busy", ctx -> ctx.activity(PAY, "busy"));
    refused("busy", paid(12), PAY_ONE, "under way");
    assertThat(node.describe("busy").status()).isEqualTo(Status.RUNNING);
  }

  @Test
  void itIsConcludedOnce() {
    strand("once", ctx -> ctx.activity(PAY, "once") + ctx.awaitSignal("end", Integer.class));
    assertThat(conclude("once", paid(12))).isTrue();
    refused("once", paid(13), PAY_ONE, "came out before");
    refused("once", new Outcome.Failed(SILENT), PAY_ONE, "came out before");
    Coded.signal(node, "once", "end", 1);
    assertThat(node.result("once")).isEqualTo("13");
    assertThatThrownBy(() -> conclude("once", paid(14)))
        .hasCauseInstanceOf(WorkflowError.HasEnded.class);
  }

  @Test
  void aResultThatIsTooLargeIsRefusedAndTheWorkflowStandsStill() {
    strand("large");
    Outcome large = new Outcome.Succeeded(Payload.of(new byte[Limits.PAYLOAD_BYTES_MAX + 1]));
    assertThatThrownBy(() -> conclude("large", large))
        .hasCauseInstanceOf(WorkflowError.OverLimit.class)
        .hasMessageContaining("PAYLOAD_BYTES_MAX");
    assertThat(node.describe("large").status()).isEqualTo(Status.INCIDENT);
    assertThat(conclude("large", paid(1))).isTrue();
  }

  @Test
  void anOperationThatIsNoneOfItsOpenActivitiesIsRefused() {
    strand("other");
    refused("other", paid(12), new OperationId("pay#2"), "pay#2", "not open");
    failStep("no-activity");
    refused("no-activity", paid(12), new OperationId("call#1"), "only an activity");
    assertThatThrownBy(() -> conclude("nobody", paid(1)))
        .hasCauseInstanceOf(WorkflowError.NotFound.class);
  }

  @Test
  void oneOfTwoIsConcludedWhileTheOtherHoldsTheWorkflow() {
    runs("second").set(1);
    strand(
        "two",
        ctx -> {
          Handle<Integer> first = ctx.activityAsync(PAY, "two");
          Handle<Integer> second = ctx.activityAsync(PAY, "second");
          return first.get() + second.get();
        });
    Await.until("the other one is paid", TestNode.SOON, () -> runs("second").get() == 2);
    assertThat(conclude("two", paid(12))).isTrue();
    assertThat(node.result("two")).isEqualTo("19");
  }

  private List<Resolution.Outcome> resolved(Remedy remedy) {
    return TestNode.await(
            node.workflows()
                .resolveIncidents(IncidentFilter.ALL, remedy, NOTE, PageRequest.first(10)))
        .rows()
        .stream()
        .map(Resolution::outcome)
        .toList();
  }

  @Test
  void manyAreCompletedTogetherAndOtherIncidentsAreLeftAlone() {
    for (int i = 0; i < 3; i++) strand("many-" + i);
    failStep("step");
    assertThat(resolved(new Remedy.Complete(TestNode.json(5))))
        .hasSize(3)
        .hasOnlyElementsOfType(Resolution.Resolved.class);
    for (int i = 0; i < 3; i++) assertThat(node.result("many-" + i)).isEqualTo("5");
    assertThat(incidents().rows())
        .extracting(row -> row.workflow().value())
        .containsExactly("step");
    assertThatThrownBy(
            () ->
                node.workflows()
                    .resolveIncidents(
                        IncidentFilter.ALL.withKind("drift"),
                        Remedy.RUN_AGAIN,
                        NOTE,
                        PageRequest.first(10)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("drift");
  }

  @Test
  void manyAreFailedOrRunAgainTogether() {
    for (int i = 0; i < 2; i++) strand("fail-" + i);
    Failure refused = Failure.permanent("shop.Refused", "no money");
    assertThat(resolved(new Remedy.Fail(refused)))
        .hasSize(2)
        .hasOnlyElementsOfType(Resolution.Resolved.class);
    for (int i = 0; i < 2; i++)
      assertThat(node.end("fail-" + i).outcome().toString()).contains("no money");
    for (int i = 0; i < 2; i++) strand("run-" + i);
    assertThat(resolved(Remedy.RUN_AGAIN))
        .hasSize(2)
        .hasOnlyElementsOfType(Resolution.Resolved.class);
    for (int i = 0; i < 2; i++) assertThat(node.result("run-" + i)).isEqualTo("7");
  }

  @Test
  void oneOfManyThatAnotherPersonConcludedIsLeftAsItIs() {
    strand("faster", ctx -> ctx.activity(PAY, "faster") + ctx.awaitSignal("end", Integer.class));
    IncidentRow row = incidents().rows().getFirst();
    conclude("faster", paid(12));
    assertThatThrownBy(
            () ->
                TestNode.await(
                    node.workflows()
                        .resolve(row, new Remedy.Complete(TestNode.json(5)), "at once")))
        .hasCauseInstanceOf(WorkflowError.NotOpen.class);
    Coded.signal(node, "faster", "end", 0);
    assertThat(node.result("faster")).isEqualTo("12");
  }
}
