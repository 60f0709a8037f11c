package dev.tenure.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.client.worker.NoEffectException;
import dev.tenure.client.worker.Worker;
import dev.tenure.client.worker.WorkerBuilder;
import dev.tenure.persistence.postgres.PostgresStorage;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.persistence.task.TaskId;
import dev.tenure.persistence.task.TaskOffer;
import dev.tenure.persistence.task.TaskStanding;
import dev.tenure.workflow.Failure.OutsideEffect;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.operation.ActivityCall.Queueing;
import dev.tenure.workflow.operation.Outcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The worker against real nodes, with tasks as commits put them into the database. */
class WorkerOnANodeTest {
  private static final Duration VISIBILITY = Duration.ofSeconds(30);

  private static RealNode node;
  private static Storage storage;

  @BeforeAll
  static void start() {
    node = RealNode.open();
    storage = PostgresStorage.open(TestDatabase.settings(node.database.url()));
  }

  @AfterAll
  static void stop() {
    storage.close();
    node.close();
  }

  private static TaskId id(String workflow) {
    return new TaskId(WorkflowId.of(workflow), "run-1/double#1");
  }

  private static void offer(String queue, String workflow, Duration visibility) {
    storage
        .tasks()
        .offer(
            new TaskOffer(
                id(workflow),
                1,
                1,
                "double",
                Optional.empty(),
                true,
                new Queueing(queue, 0, "", visibility, "", Optional.empty(), Optional.empty()),
                Payload.of("21".getBytes(StandardCharsets.UTF_8)),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()));
  }

  private static Optional<Outcome> outcome(String workflow) {
    return storage
        .tasks()
        .standing(List.of(id(workflow)))
        .getFirst()
        .filter(TaskStanding.Done.class::isInstance)
        .map(standing -> ((TaskStanding.Done) standing).outcome());
  }

  private static Outcome awaited(String workflow) {
    RealNode.await(workflow + " comes out", () -> outcome(workflow).isPresent());
    return outcome(workflow).orElseThrow();
  }

  private static WorkerBuilder worker(String queue) {
    return Worker.builder().url(node.uri().toString()).queue(queue);
  }

  @Test
  void everyTaskRunsOnceOnOneOfTheWorkersOfItsQueue() {
    AtomicInteger runs = new AtomicInteger();
    Set<String> keys = ConcurrentHashMap.newKeySet();
    for (int i = 0; i < 300; i++) offer("many", "many-" + i, VISIBILITY);
    WorkerBuilder plan =
        worker("many")
            .atOnce(20)
            .activity(
                "double",
                Integer.class,
                (context, number) -> {
                  runs.incrementAndGet();
                  keys.add(context.idempotencyKey());
                  return 2 * number;
                });
    try (Worker one = plan.start();
        Worker two = plan.start()) {
      for (int i = 0; i < 300; i++)
        assertThat(awaited("many-" + i))
            .isEqualTo(new Outcome.Succeeded(Payload.of("42".getBytes(StandardCharsets.UTF_8))));
    }
    assertThat(runs).hasValue(300);
    assertThat(keys).hasSize(300).contains("tenure:many-7:run-1:double#1");
  }

  @Test
  void codeThatRunsForLongKeepsItsTaskByHeartbeats() {
    offer("slow", "slow-1", Duration.ofSeconds(2));
    AtomicInteger runs = new AtomicInteger();
    AtomicBoolean enough = new AtomicBoolean();
    try (Worker worker =
        worker("slow")
            .activity(
                "double",
                Integer.class,
                (context, number) -> {
                  runs.incrementAndGet();
                  RealNode.await("the test says so", enough::get);
                  return 1;
                })
            .start()) {
      RealNode.await("it runs", () -> runs.get() == 1);
      long end = System.nanoTime() + Duration.ofSeconds(5).toNanos();
      RealNode.await("it runs for longer than it may be silent", () -> System.nanoTime() > end);
      enough.set(true);
      awaited("slow-1");
      assertThat(runs).hasValue(1);
    }
  }

  @Test
  void aTaskOfAWorkerThatIsLostGoesToAnother() {
    offer("lost", "lost-1", Duration.ofSeconds(1));
    try (TenureClient client = TenureClient.to(node.uri()).build()) {
      Task lost = client.tasks().take("lost", "w", Set.of(), 1, Duration.ofSeconds(10)).getFirst();
      try (Worker worker =
          worker("lost")
              .activity("double", Integer.class, (context, number) -> context.task().delivery())
              .start()) {
        assertThat(awaited("lost-1"))
            .isEqualTo(new Outcome.Succeeded(Payload.of("2".getBytes(StandardCharsets.UTF_8))));
      }
      TaskAnswer late =
          client
              .tasks()
              .report(List.of(new TaskReport.Done(lost.token(), client.tasks().value(1, "it"))))
              .getFirst();
      assertThat(late.accepted()).isFalse();
      assertThat(late.code()).contains("TaskClaimExpired");
      assertThat(late.detail()).contains("silent");
    }
  }

  @Test
  void aFailureWithoutEffectIsRecordedAsThat() {
    offer("bad", "bad-1", VISIBILITY);
    try (Worker worker =
        worker("bad")
            .activity(
                "double",
                Integer.class,
                (context, number) -> {
                  throw new NoEffectException("refused");
                })
            .start()) {
      Outcome.Failed failed = (Outcome.Failed) awaited("bad-1");
      assertThat(failed.failure().outside()).isEqualTo(OutsideEffect.NONE);
      assertThat(failed.failure().retryable()).isTrue();
      assertThat(failed.failure().type()).isEqualTo(NoEffectException.class.getName());
    }
  }

  @Test
  void aWorkerGoesOnWhenItsServerWasAway() {
    try (FaultyProxy proxy = new FaultyProxy(node.uri())) {
      for (int i = 0; i < 40; i++) offer("shaky", "shaky-" + i, Duration.ofSeconds(3));
      AtomicInteger sent = new AtomicInteger();
      // Every third connection breaks, before, within or after its request.
      FaultyProxy.Fault[] faults = {
        FaultyProxy.Fault.CUT_AFTER, FaultyProxy.Fault.CUT_BEFORE, FaultyProxy.Fault.CUT_WITHIN
      };
      proxy.always(
          () -> {
            int number = sent.incrementAndGet();
            return number % 3 == 0 ? faults[number / 3 % 3] : FaultyProxy.Fault.NONE;
          });
      try (Worker worker =
          Worker.builder()
              .url(proxy.uri().toString())
              .queue("shaky")
              .atOnce(5)
              .activity("double", Integer.class, (context, number) -> 2 * number)
              .start()) {
        for (int i = 0; i < 40; i++) awaited("shaky-" + i);
      }
    }
  }
}
