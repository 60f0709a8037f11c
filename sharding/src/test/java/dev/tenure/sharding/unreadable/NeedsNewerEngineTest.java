package dev.tenure.sharding.unreadable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.format.EngineBuild;
import dev.tenure.persistence.format.Engines;
import dev.tenure.persistence.incident.IncidentRow;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.persistence.visibility.WorkflowFilter;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.sharding.message.Description;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.process.Await;
import dev.tenure.sharding.wake.WakeScans;
import dev.tenure.sharding.workflow.Coded;
import dev.tenure.sharding.workflow.TestNode;
import dev.tenure.sharding.workflow.WorkflowError;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A history that only a newer engine reads is not damaged: it waits for that engine. */
class NeedsNewerEngineTest {
  private TestDatabase database;

  @BeforeEach
  void open() {
    database = TestDatabase.migrated();
  }

  @AfterEach
  void close() {
    database.close();
  }

  private TestNode node(EngineBuild engine) {
    return TestNode.start(
        database,
        new TestNode.Plan()
            .with(Coded.class, Coded::new)
            .engine(engine)
            .settings(given -> given.withRest(Duration.ofSeconds(2), 1_000)));
  }

  private static void begin(TestNode node, String... ids) {
    for (String id : ids) Coded.begin(node, id, ctx -> ctx.awaitSignal("go", String.class));
    DamagedHistories.awaitWaiting(node, ids);
  }

  private static Optional<IncidentRow> incident(TestNode node, String id) {
    return TestNode.await(node.workflows().incident(WorkflowId.of(id)));
  }

  private static List<String> blocked(TestNode node) {
    return TestNode.await(
            node.workflows()
                .list(WorkflowFilter.ALL.withStatus(Status.BLOCKED), PageRequest.first(10)))
        .rows()
        .stream()
        .map(WorkflowRow::id)
        .map(WorkflowId::value)
        .sorted()
        .toList();
  }

  private static void awaitBlocked(TestNode node, String id) {
    Await.until(
        id + " is blocked",
        TestNode.SOON,
        () -> {
          node.node.transport().tell(WorkflowId.of(id), Message.WakeUp.WAKE_UP);
          return incident(node, id).isPresent();
        });
  }

  /** The kind of the first event stands behind the format, the frame, and the number of events. */
  private void storeKind99(String id) {
    database.execute(
        "UPDATE event_journal SET event_payload = set_byte(event_payload, 3 +"
            + " get_byte(event_payload, 1), 99)"
            + " WHERE persistence_id = '%s' AND sequence_number = 1".formatted(id));
  }

  @Test
  void aKindThatThisEngineDoesNotKnowBlocksTheWorkflowWhichIsDescribedAndTerminated() {
    try (TestNode node = node(EngineBuild.CURRENT)) {
      begin(node, "kind", "serializer", "manifest");
    }
    storeKind99("kind");
    database.execute(
        "UPDATE event_journal SET event_ser_manifest = '740999:s' WHERE persistence_id ="
            + " 'serializer'");
    database.execute(
        "UPDATE event_journal SET event_ser_manifest = 'z' WHERE persistence_id =" + " 'manifest'");
    try (TestNode node = node(EngineBuild.CURRENT)) {
      for (String id : List.of("kind", "serializer", "manifest")) awaitBlocked(node, id);
      assertThat(blocked(node)).containsExactly("kind", "manifest", "serializer");
      Description description = node.describe("kind");
      assertThat(description.status()).isEqualTo(Status.BLOCKED);
      assertThat(description.type().name()).isEqualTo("coded");
      assertThat(description.version()).isPositive();
      assertThat(description.blockReason().orElseThrow())
          .startsWith("needs-newer-engine: an event of kind 99 is not known to this engine");
      assertThat(node.describe("serializer").blockReason().orElseThrow())
          .contains("a journal row of the serializer 740999");
      assertThat(node.describe("manifest").blockReason().orElseThrow())
          .contains("the manifest 'z'");
      assertThat(incident(node, "kind").orElseThrow().kind())
          .isEqualTo(WakeScans.NEEDS_NEWER_ENGINE);

      // What does not need the history goes on; what does is refused with the way out.
      Coded.signal(node, "kind", "go", "later");
      assertThatThrownBy(() -> TestNode.await(node.workflows().pause(WorkflowId.of("kind"), "no")))
          .hasCauseInstanceOf(WorkflowError.NotNow.class)
          .hasMessageContaining("A newer engine wrote its history")
          .hasMessageContaining("or terminate the workflow");

      for (String id : List.of("kind", "serializer", "manifest")) {
        assertThat(TestNode.await(node.workflows().terminate(WorkflowId.of(id), "enough")))
            .isTrue();
        assertThat(node.end(id).status()).isEqualTo(Status.TERMINATED);
        assertThat(incident(node, id)).isEmpty();
      }
      assertThat(node.describe("kind").status()).isEqualTo(Status.TERMINATED);
    }
  }

  @Test
  void itGoesOnByItselfWhenANewerEngineOwnsIt() {
    try (TestNode newer = node(Engines.writing())) {
      Await.until(
          "the newer form may be written",
          TestNode.SOON,
          () -> newer.storage.writableLevel() == Engines.writing().writes());
      begin(newer, "kept", "paused");
      assertThat(TestNode.await(newer.workflows().pause(WorkflowId.of("paused"), "a look")))
          .isTrue();
      Coded.signal(newer, "paused", "go", "on");
    }
    // As where a person puts an older release in by force.
    database.execute("DELETE FROM meta WHERE key LIKE 'min-reader-%'");
    try (TestNode older = node(Engines.old())) {
      awaitBlocked(older, "paused");
      assertThat(blocked(older)).containsExactly("paused");
      assertThat(older.describe("paused").blockReason().orElseThrow())
          .startsWith("needs-newer-engine");
      Coded.signal(older, "kept", "go", "as ever");
      assertThat(older.result("kept")).isEqualTo("\"as ever\"");
    }
    try (TestNode newer = node(Engines.writing())) {
      Await.until(
          "its rows are true again",
          TestNode.SOON,
          () -> incident(newer, "paused").isEmpty() && blocked(newer).isEmpty());
      assertThat(newer.describe("paused").status()).isEqualTo(Status.PAUSED);
      assertThat(newer.describe("paused").pauseReason()).contains("a look");
      assertThat(TestNode.await(newer.workflows().resume(WorkflowId.of("paused")))).isTrue();
      assertThat(newer.result("paused")).isEqualTo("\"on\"");
    }
  }
}
