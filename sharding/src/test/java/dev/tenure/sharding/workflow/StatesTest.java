package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.visibility.Attributes;
import dev.tenure.persistence.visibility.Page;
import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.persistence.visibility.WorkflowFilter;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.sharding.message.Description;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowFailure;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What people see of workflows: every state, one by one and in lists. */
class StatesTest {
  private static final int MANY = 3_000;
  private static final CountDownLatch FOREVER = new CountDownLatch(1);

  private static TestNode node;

  @Workflow(name = "listed")
  public static final class Listed {
    public String run(WorkflowContext ctx) {
      return ctx.awaitSignal("go", String.class);
    }
  }

  @BeforeAll
  static void start() {
    node =
        TestNode.start(
            new TestNode.Plan()
                .with(Coded.class, Coded::new)
                .with(Listed.class, Listed::new)
                .settings(given -> given.withCodeLimit(Duration.ofSeconds(1))));
  }

  @AfterAll
  static void stop() {
    FOREVER.countDown();
    node.close();
  }

  private static Object forever() {
    boolean interrupted = false;
    while (FOREVER.getCount() > 0)
      try {
        FOREVER.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    return interrupted;
  }

  private static void begin(String id, Function<WorkflowContext, Object> code) {
    Coded.begin(node, id, code);
  }

  private static Object waits(WorkflowContext ctx) {
    return ctx.awaitSignal("go", String.class);
  }

  @Test
  void everyStateIsSeenAloneAndInAList() {
    Map<Status, String> ids = new EnumMap<>(Status.class);
    for (Status status : Status.values()) ids.put(status, "state-" + status);
    StepOptions later =
        StepOptions.retry(RetryPolicy.DEFAULT.backoff(Duration.ofHours(1), 1, Duration.ofHours(1)));
    Workflows workflows = node.workflows();
    begin(ids.get(Status.RUNNING), ctx -> ctx.step("long", StatesTest::forever));
    begin(ids.get(Status.WAITING), StatesTest::waits);
    begin(
        ids.get(Status.RETRYING),
        ctx ->
            ctx.step(
                "fails",
                later,
                () -> {
                  throw new IllegalStateException("not yet");
                }));
    begin(ids.get(Status.PAUSED), StatesTest::waits);
    TestNode.await(workflows.pause(WorkflowId.of(ids.get(Status.PAUSED)), "a look"));
    node.begin(ids.get(Status.BLOCKED), "of-no-node", null);
    begin(ids.get(Status.INCIDENT), ctx -> forever());
    begin(ids.get(Status.COMPLETED), ctx -> "done");
    begin(
        ids.get(Status.FAILED),
        ctx -> {
          throw WorkflowFailure.permanent("luck", "no luck");
        });
    begin(ids.get(Status.CANCELLED), StatesTest::waits);
    TestNode.await(workflows.cancel(WorkflowId.of(ids.get(Status.CANCELLED)), "no need"));
    begin(ids.get(Status.TERMINATED), StatesTest::waits);
    TestNode.await(workflows.terminate(WorkflowId.of(ids.get(Status.TERMINATED)), "enough"));
    Coded.put(ids.get(Status.TIMED_OUT), StatesTest::waits);
    TestNode.await(
        workflows.start(
            StartRequest.of(ids.get(Status.TIMED_OUT), "coded", TestNode.json(null))
                .executionTimeout(Duration.ofMillis(200))));

    ids.forEach(
        (status, id) -> {
          Await.until(
              id + ", described as " + node.describe(id).status(),
              TestNode.SOON,
              () -> node.describe(id).status() == status);
          Await.until(
              id + " in a list",
              TestNode.SOON,
              () -> list(WorkflowFilter.ALL.withStatus(status), 100).contains(id));
          assertThat(node.describe(id).endedAt().isPresent()).isEqualTo(status.isFinal());
        });
    Description retrying = node.describe(ids.get(Status.RETRYING));
    assertThat(retrying.nextDue().orElseThrow())
        .isAfter(Instant.now().plus(Duration.ofMinutes(50)));
    assertThat(retrying.open().getFirst().lastFailure().orElseThrow().message())
        .isEqualTo("not yet");
    assertThat(node.describe(ids.get(Status.BLOCKED)).blockReason().orElseThrow())
        .contains("of-no-node");
    // What stands still for a person, or for code, can always be ended.
    for (Status status : List.of(Status.BLOCKED, Status.INCIDENT, Status.PAUSED)) {
      WorkflowId id = WorkflowId.of(ids.get(status));
      assertThat(TestNode.await(workflows.terminate(id, "enough"))).isTrue();
      assertThat(node.end(id.value()).status()).isEqualTo(Status.TERMINATED);
    }
    TestNode.await(workflows.terminate(WorkflowId.of(ids.get(Status.RUNNING)), "enough"));
  }

  /** The ids, in the order of the list; each row at most once. */
  private static List<String> list(WorkflowFilter filter, int pageRows) {
    List<String> ids = new ArrayList<>();
    Optional<String> cursor = Optional.empty();
    Instant last = Instant.MAX;
    do {
      Page<WorkflowRow> page =
          TestNode.await(node.workflows().list(filter, new PageRequest(pageRows, cursor)));
      for (WorkflowRow row : page.rows()) {
        assertThat(row.startedAt()).isBeforeOrEqualTo(last);
        last = row.startedAt();
        ids.add(row.id().value());
      }
      cursor = page.next();
    } while (cursor.isPresent());
    return ids;
  }

  private static List<CompletableFuture<StartResult>> begin(String prefix, int count) {
    List<CompletableFuture<StartResult>> starts = new ArrayList<>();
    for (int i = 0; i < count; i++)
      starts.add(
          node.workflows()
              .start(
                  StartRequest.of(prefix + i, "listed", TestNode.json(null))
                      .attributes(Map.of("bucket", Attribute.of((long) (i % 3)))))
              .toCompletableFuture());
    return starts;
  }

  private static void all(List<CompletableFuture<StartResult>> starts) {
    for (CompletableFuture<StartResult> start : starts)
      assertThat(TestNode.await(start)).isInstanceOf(StartResult.Started.class);
  }

  @Test
  void thousandsAreListedInPagesWhileOthersStart() {
    all(begin("old-", MANY));
    for (int i = 0; i < 100; i++)
      TestNode.await(
          node.workflows()
              .signal(WorkflowId.of("old-" + i), "go", TestNode.json(1), Optional.empty()));
    for (int i = 0; i < 100; i++) node.end("old-" + i);

    List<CompletableFuture<StartResult>> young = begin("young-", 300);
    List<String> listed = list(WorkflowFilter.ALL.withType("listed"), 170);
    Set<String> once = new HashSet<>(listed);
    assertThat(once).hasSameSizeAs(listed);
    assertThat(once.stream().filter(id -> id.startsWith("old-"))).hasSize(MANY);
    all(young);

    WorkflowFilter second = WorkflowFilter.ALL.withType("listed").with(Attributes.of("bucket", 1));
    List<String> ofBucket = list(second, 333);
    assertThat(ofBucket).hasSize(MANY / 3 + 100).doesNotHaveDuplicates();
    List<String> done = list(second.withStatus(Status.COMPLETED), 7);
    assertThat(done).hasSize(33).allMatch(id -> Integer.parseInt(id.substring(4)) % 3 == 1);
  }
}
