package dev.tenure.sharding.unreadable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.incident.IncidentRow;
import dev.tenure.persistence.shard.ShardOf;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.sharding.process.Await;
import dev.tenure.sharding.workflow.Coded;
import dev.tenure.sharding.workflow.StartRequest;
import dev.tenure.sharding.workflow.TestNode;
import dev.tenure.sharding.workflow.UnstorableEvents;
import dev.tenure.sharding.workflow.WorkflowError;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A workflow whose owner fails of everything, also of raising the incident that says so. */
class BeyondHelpTest {
  private static final int TRIES = 15;

  private TestDatabase database;
  private volatile Predicate<Event> unstorable = event -> false;

  @BeforeEach
  void open() {
    database = TestDatabase.migrated();
  }

  @AfterEach
  void close() {
    database.close();
  }

  private TestNode node() {
    return TestNode.start(
        database,
        new TestNode.Plan()
            .with(Coded.class, Coded::new)
            .settings(
                given ->
                    given
                        .withRecoveryPause(Duration.ofMillis(50))
                        .withRest(Duration.ofSeconds(2), 1_000))
            .storage(inner -> new UnstorableEvents(inner, event -> unstorable.test(event))));
  }

  private static void tryInVain(CompletionStage<?> request) {
    TestNode.await(request.handle((done, refusal) -> true));
  }

  private static Optional<IncidentRow> incident(TestNode node) {
    return TestNode.await(node.workflows().incident(WorkflowId.of("beyond")));
  }

  @Test
  void onceTerminatedItStaysSo() {
    try (TestNode node = node()) {
      Coded.begin(node, "beyond", ctx -> ctx.awaitSignal("go", String.class));
      Await.until("waits", TestNode.SOON, () -> node.describe("beyond").status() == Status.WAITING);
      unstorable = event -> event instanceof Event.Paused || event instanceof Event.IncidentRaised;
      Await.until(
          "its owner is given up",
          TestNode.SOON,
          () -> {
            tryInVain(node.workflows().pause(WorkflowId.of("beyond"), "a look"));
            return incident(node).isPresent();
          });
      assertThat(incident(node).orElseThrow().kind()).isEqualTo(Unreadable.KIND);
      assertThat(TestNode.await(node.workflows().terminate(WorkflowId.of("beyond"), "enough")))
          .isTrue();
      assertThat(node.end("beyond").status()).isEqualTo(Status.TERMINATED);
      assertThat(incident(node)).isEmpty();
    }
    unstorable = event -> false;
    try (TestNode node = node()) {
      assertThat(node.describe("beyond").status()).isEqualTo(Status.TERMINATED);
      assertThat(node.end("beyond").status()).isEqualTo(Status.TERMINATED);
    }
  }

  @Test
  void whereTheFaultIsNotItGoesOnAndNobodyIsAskedForHelp() {
    try (TestNode node = node()) {
      Coded.begin(
          node,
          "beyond",
          ctx -> {
            ctx.sleep(Duration.ofSeconds(8));
            return ctx.awaitSignal("go", String.class);
          });
      Await.until("waits", TestNode.SOON, () -> node.describe("beyond").status() == Status.WAITING);
      unstorable = event -> true;
      Await.until(
          "its owner is given up",
          TestNode.SOON,
          () -> {
            tryInVain(node.workflows().pause(WorkflowId.of("beyond"), "a look"));
            return incident(node).isPresent();
          });
    }
    unstorable = event -> false;
    try (TestNode node = node()) {
      // Something has to bring its shard to the node; nobody asks for the workflow itself.
      bringShard(node);
      Await.until("the incident is over", TestNode.SOON, () -> incident(node).isEmpty());
      WorkflowRow row = node.storage.workflows().find(WorkflowId.of("beyond")).orElseThrow();
      assertThat(row.status()).isEqualTo(Status.WAITING);
      Coded.signal(node, "beyond", "go", "on");
      assertThat(node.result("beyond")).isEqualTo("\"on\"");
    }
  }

  private static void bringShard(TestNode node) {
    int shards = TestDatabase.IDENTITY.shards();
    int wanted = ShardOf.workflow("beyond", shards);
    for (int i = 0; ; i++)
      if (ShardOf.workflow("other-" + i, shards) == wanted) {
        Coded.begin(node, "other-" + i, ctx -> "well");
        assertThat(node.result("other-" + i)).isEqualTo("\"well\"");
        return;
      }
  }

  @Test
  void onceTerminatedItStaysSoThoughItsEndCouldNotBeStored() {
    try (TestNode node = node()) {
      Coded.begin(node, "beyond", ctx -> ctx.awaitSignal("go", String.class));
      Await.until("waits", TestNode.SOON, () -> node.describe("beyond").status() == Status.WAITING);
      unstorable = event -> true;
      Await.until(
          "its owner is given up",
          TestNode.SOON,
          () -> {
            tryInVain(node.workflows().pause(WorkflowId.of("beyond"), "a look"));
            return incident(node).isPresent();
          });
      assertThat(TestNode.await(node.workflows().terminate(WorkflowId.of("beyond"), "enough")))
          .isTrue();
      assertThat(node.end("beyond").status()).isEqualTo(Status.TERMINATED);
    }
    unstorable = event -> false;
    try (TestNode node = node()) {
      assertThat(node.end("beyond").status()).isEqualTo(Status.TERMINATED);
      assertThatThrownBy(() -> TestNode.await(node.workflows().resume(WorkflowId.of("beyond"))))
          .hasCauseInstanceOf(WorkflowError.HasEnded.class);
    }
  }

  @Test
  void whatNeverCameToExistCanBeStartedWhenTheFaultIsMended() {
    try (TestNode node = node()) {
      Coded.put("never", ctx -> "well");
      unstorable = Event.Started.class::isInstance;
      for (int i = 0; i < TRIES; i++)
        tryInVain(node.workflows().start(StartRequest.of("never", "coded", TestNode.json(null))));
      unstorable = event -> false;
      assertThat(node.run("never", "coded", null)).isEqualTo("\"well\"");
    }
  }
}
