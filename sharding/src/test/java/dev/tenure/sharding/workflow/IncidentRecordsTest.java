package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.incident.IncidentFilter;
import dev.tenure.persistence.incident.IncidentGroup;
import dev.tenure.persistence.incident.IncidentRow;
import dev.tenure.persistence.visibility.Page;
import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.OperationId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What stands still is on record, in the commit that raised it and until the one that ends it. */
class IncidentRecordsTest {
  private static final String FAILED = "operation-failed";
  private static final StepOptions ONCE = StepOptions.retry(RetryPolicy.NONE.thenIncident());
  private TestNode node;

  @BeforeEach
  void start() {
    node = TestNode.start(new TestNode.Plan().with(Coded.class, Coded::new));
  }

  @AfterEach
  void stop() {
    node.close();
  }

  /** It stands still until it is mended, because its step fails. */
  private void strand(String id, AtomicBoolean mended) {
    Coded.begin(
        node,
        id,
        ctx -> {
          if (mended.get()) return ctx.awaitSignal("go", String.class);
          ctx.step("before", () -> 1);
          return ctx.step(
              "call",
              ONCE,
              () -> {
                throw new IllegalStateException("no line to " + id);
              });
        });
    Await.until(
        id + " is stranded", TestNode.SOON, () -> node.describe(id).status() == Status.INCIDENT);
  }

  private Optional<IncidentRow> incident(String id) {
    return TestNode.await(node.workflows().incident(WorkflowId.of(id)));
  }

  private Page<IncidentRow> list(IncidentFilter filter, PageRequest page) {
    return TestNode.await(node.workflows().incidents(filter, page));
  }

  @Test
  void anIncidentIsOnRecordFromItsCommitUntilItsWorkflowEnds() {
    strand("lost-1", new AtomicBoolean());
    IncidentRow row = incident("lost-1").orElseThrow();
    assertThat(row.kind()).isEqualTo(FAILED);
    assertThat(row.type().name()).isEqualTo("coded");
    assertThat(row.version()).isEqualTo(node.describe("lost-1").version());
    assertThat(row.evidence()).contains("call#1", "no line to lost-1");
    assertThat(row.runId()).isEqualTo(node.describe("lost-1").runId());
    TestNode.await(node.workflows().terminate(WorkflowId.of("lost-1"), "enough"));
    assertThat(incident("lost-1")).isEmpty();
  }

  @Test
  void theSameCauseIsOneGroupAndPagesShowEachOnce() {
    for (int i = 0; i < 5; i++) strand("same-" + i, new AtomicBoolean());
    List<IncidentRow> all = new ArrayList<>();
    Optional<String> cursor = Optional.empty();
    do {
      Page<IncidentRow> page = list(IncidentFilter.ALL, new PageRequest(2, cursor));
      assertThat(page.rows()).hasSizeLessThanOrEqualTo(2);
      all.addAll(page.rows());
      cursor = page.next();
    } while (cursor.isPresent());
    assertThat(all)
        .extracting(row -> row.workflow().value())
        .containsExactly("same-4", "same-3", "same-2", "same-1", "same-0");

    List<IncidentGroup> groups =
        TestNode.await(node.workflows().incidentGroups(IncidentFilter.ALL, PageRequest.first(10)))
            .rows();
    assertThat(groups).hasSize(1);
    assertThat(groups.getFirst().count()).isEqualTo(5);
    assertThat(groups.getFirst().oldest()).isEqualTo(all.getLast().since());
    assertThat(groups.getFirst().newest()).isEqualTo(all.getFirst().since());
    var ofGroup = IncidentFilter.ofFingerprint(groups.getFirst().fingerprint());
    assertThat(list(ofGroup, PageRequest.first(10)).rows()).hasSize(5);
    assertThat(list(ofGroup.withKind("stuck"), PageRequest.first(10)).rows()).isEmpty();
    assertThat(list(IncidentFilter.ALL.withType("coded"), PageRequest.first(10)).rows()).hasSize(5);
  }

  @Test
  void manyAreResolvedPageByPageAndEachIsReported() {
    AtomicBoolean mended = new AtomicBoolean();
    for (int i = 0; i < 3; i++) strand("many-" + i, mended);
    IncidentFilter filter = IncidentFilter.ALL.withKind(FAILED);
    // Nothing is mended: what is resolved is stranded again, as often as it is tried.
    Page<Resolution> first =
        TestNode.await(node.workflows().resolveIncidents(filter, "hoping", PageRequest.first(2)));
    assertThat(first.rows())
        .extracting(Resolution::outcome)
        .hasOnlyElementsOfType(Resolution.Resolved.class)
        .hasSize(2);
    assertThat(first.next()).isPresent();
    Await.until(
        "all are stranded again",
        TestNode.SOON,
        () -> list(filter, PageRequest.first(10)).rows().size() == 3);

    // Now their code has changed, and contradicts what is recorded.
    mended.set(true);
    Page<Resolution> refused =
        TestNode.await(node.workflows().resolveIncidents(filter, "mended", PageRequest.first(10)));
    assertThat(refused.rows()).hasSize(3);
    for (Resolution one : refused.rows())
      assertThat(((Resolution.Refused) one.outcome()).why()).contains("before#1");
    Await.until(
        "they drift",
        TestNode.SOON,
        () -> list(IncidentFilter.ALL.withKind("drift"), PageRequest.first(10)).rows().size() == 3);
    assertThat(list(IncidentFilter.ALL.withKind("drift"), PageRequest.first(1)).rows().getFirst())
        .extracting(row -> row.operation().orElse(""))
        .isEqualTo("before#1");
  }

  @Test
  void aStepIsTriedAgainByHand() {
    AtomicInteger tries = new AtomicInteger();
    Coded.begin(
        node,
        "again",
        ctx ->
            ctx.step(
                "call",
                ONCE,
                () -> {
                  if (tries.incrementAndGet() < 3) throw new IllegalStateException("no line");
                  return tries.get();
                }));
    WorkflowId id = WorkflowId.of("again");
    OperationId call = new OperationId("call#1");
    Await.until("it stands still", TestNode.SOON, () -> incident("again").isPresent());
    assertThat(incident("again").orElseThrow().operation()).contains("call#1");
    assertThat(TestNode.await(node.workflows().retryStep(id, call))).isTrue();
    Await.until(
        "it stands still again",
        TestNode.SOON,
        () -> tries.get() == 2 && incident("again").isPresent());
    assertThat(TestNode.await(node.workflows().resolveIncident(id, "line is there"))).isTrue();
    assertThat(node.result("again")).isEqualTo("3");
    assertThat(incident("again")).isEmpty();
    assertThatThrownBy(() -> TestNode.await(node.workflows().retryStep(id, call)))
        .hasCauseInstanceOf(WorkflowError.HasEnded.class);
  }

  @Test
  void aLongBackoffIsCutShort() {
    AtomicInteger tries = new AtomicInteger();
    Duration hour = Duration.ofHours(1);
    Coded.begin(
        node,
        "patient",
        ctx ->
            ctx.step(
                "call",
                StepOptions.retry(RetryPolicy.DEFAULT.backoff(hour, 1, hour)),
                () -> {
                  if (tries.incrementAndGet() == 1) throw new IllegalStateException("no line");
                  return "line";
                }));
    Await.until(
        "it waits", TestNode.SOON, () -> node.describe("patient").status() == Status.RETRYING);
    TestNode.await(node.workflows().retryStep(WorkflowId.of("patient"), new OperationId("call#1")));
    assertThat(node.result("patient")).isEqualTo("\"line\"");
  }

  @Test
  void whatIsResolvedLeavesTheRecord() {
    AtomicBoolean mended = new AtomicBoolean();
    Coded.begin(
        node,
        "once",
        ctx -> {
          int number = ctx.step("before", () -> 7);
          while (!mended.get()) LockSupport.parkNanos(1_000_000);
          return number;
        });
    Await.until("it is stuck", TestNode.SOON, () -> incident("once").isPresent());
    assertThat(incident("once").orElseThrow().kind()).isEqualTo("stuck");
    mended.set(true);
    Page<Resolution> done =
        TestNode.await(
            node.workflows().resolveIncidents(IncidentFilter.ALL, "mended", PageRequest.first(10)));
    assertThat(done.rows()).hasSize(1);
    assertThat(done.rows().getFirst().outcome()).isInstanceOf(Resolution.Resolved.class);
    assertThat(incident("once")).isEmpty();
    assertThat(node.result("once")).isEqualTo("7");
  }
}
