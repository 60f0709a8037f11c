package dev.tenure.sharding.unreadable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.incident.IncidentRow;
import dev.tenure.persistence.journal.DamagedJournalError;
import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.process.Await;
import dev.tenure.sharding.workflow.Coded;
import dev.tenure.sharding.workflow.TestNode;
import dev.tenure.sharding.workflow.WorkflowError;
import dev.tenure.workflow.ChildCall;
import dev.tenure.workflow.ChildFailedException;
import dev.tenure.workflow.ParentClosePolicy;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.cluster.sharding.ClusterSharding;
import org.apache.pekko.cluster.sharding.ShardRegion;
import org.apache.pekko.pattern.Patterns;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A history that cannot be read is one workflow's trouble: it shows, it can be ended or mended. */
class UnreadableTest {
  private TestDatabase database;

  @BeforeEach
  void open() {
    database = TestDatabase.migrated();
    try (TestNode node = node()) {
      for (String id : new String[] {"flipped", "holed", "whole"})
        Coded.begin(
            node,
            id,
            ctx -> {
              ctx.step("one", () -> 1);
              return ctx.awaitSignal("go", String.class);
            });
      DamagedHistories.awaitWaiting(node, "flipped", "holed", "whole");
    }
    database.execute("CREATE TABLE kept AS SELECT * FROM event_journal");
    DamagedHistories.damage(database, "flipped");
    database.execute(
        "DELETE FROM event_journal" + " WHERE persistence_id = 'holed' AND sequence_number = 1");
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
            .settings(given -> given.withRest(Duration.ofSeconds(2), 1_000)));
  }

  private static Optional<IncidentRow> incident(TestNode node, String id) {
    return TestNode.await(node.workflows().incident(WorkflowId.of(id)));
  }

  private static void assertFound(TestNode node, String id) {
    Await.until(
        id + " is an incident",
        TestNode.SOON,
        () -> {
          assertThatThrownBy(() -> node.describe(id))
              .hasCauseInstanceOf(WorkflowError.NotNow.class)
              .hasMessageContaining("history cannot be read");
          return incident(node, id).isPresent();
        });
    assertThat(incident(node, id).orElseThrow().kind()).isEqualTo(Unreadable.KIND);
  }

  @Test
  void itIsFoundEndedOrReadAgainOnceItIsRestored() {
    try (TestNode node = node()) {
      assertFound(node, "flipped");
      assertFound(node, "holed");

      assertThat(TestNode.await(node.workflows().terminate(WorkflowId.of("holed"), "lost")))
          .isTrue();
      assertThat(node.end("holed").status()).isEqualTo(Status.TERMINATED);
      assertThat(incident(node, "holed")).isEmpty();
      assertThatThrownBy(
              () -> TestNode.await(node.workflows().terminate(WorkflowId.of("holed"), "again")))
          .hasCauseInstanceOf(WorkflowError.HasEnded.class);

      // Nobody mended it: it is found again.
      TestNode.await(node.workflows().resolveIncident(WorkflowId.of("flipped"), "hope"));
      assertFound(node, "flipped");
      database.execute(
          "UPDATE event_journal e SET event_payload = k.event_payload FROM kept k WHERE"
              + " e.sequence_number = k.sequence_number AND e.persistence_id = k.persistence_id AND"
              + " e.persistence_id = 'flipped'");
      TestNode.await(node.workflows().resolveIncident(WorkflowId.of("flipped"), "restored"));
      Await.until("it is read again", TestNode.SOON, () -> incident(node, "flipped").isEmpty());
      for (String id : new String[] {"flipped", "whole"}) {
        Coded.signal(node, id, "go", "on");
        assertThat(node.result(id)).isEqualTo("\"on\"");
      }
    }
    try (TestNode later = node()) {
      assertThat(later.end("holed").status()).isEqualTo(Status.TERMINATED);
    }
  }

  private void beginParentAndKid() {
    try (TestNode node = node()) {
      Coded.put("kid", ctx -> ctx.awaitSignal("go", String.class));
      Coded.begin(
          node,
          "parent",
          ctx -> {
            try {
              return ctx.child(ChildCall.to("coded", String.class).id("kid"));
            } catch (ChildFailedException over) {
              return "it is over";
            }
          });
      DamagedHistories.awaitWaiting(node, "kid", "parent");
    }
  }

  /** A parent that waits for it, and who has a message for it, learn that it is over. */
  @Test
  void whoWaitsForOneThatIsEndedIsTold() {
    beginParentAndKid();
    DamagedHistories.damage(database, "kid");
    try (TestNode node = node()) {
      assertFound(node, "kid");
      Coded.begin(
          node,
          "canceller",
          ctx -> {
            ctx.cancelWorkflow(WorkflowId.of("kid"), "no need");
            return "told";
          });
      assertThat(TestNode.await(node.workflows().terminate(WorkflowId.of("kid"), "lost"))).isTrue();
      assertThat(node.result("parent")).isEqualTo("\"it is over\"");
      assertThat(node.result("canceller")).isEqualTo("\"told\"");
    }
  }

  /** A parent whose history is restored later must not wait for a child that ended before. */
  @Test
  void oneWhoseParentCannotBeReadEitherEndsAfterThat() {
    beginParentAndKid();
    database.execute(
        "INSERT INTO kept SELECT * FROM event_journal" + " WHERE persistence_id = 'parent'");
    DamagedHistories.damage(database, "kid", "parent");
    try (TestNode node = node()) {
      assertFound(node, "kid");
      assertFound(node, "parent");
      assertThatThrownBy(
              () -> TestNode.await(node.workflows().terminate(WorkflowId.of("kid"), "lost")))
          .hasCauseInstanceOf(WorkflowError.NotNow.class)
          .hasMessageContaining("parent first");
      database.execute(
          "UPDATE event_journal e SET event_payload = k.event_payload FROM kept k WHERE"
              + " e.sequence_number = k.sequence_number AND e.persistence_id = k.persistence_id AND"
              + " e.persistence_id = 'parent'");
      TestNode.await(node.workflows().resolveIncident(WorkflowId.of("parent"), "restored"));
      Await.until("is read again", TestNode.SOON, () -> incident(node, "parent").isEmpty());
      assertThat(TestNode.await(node.workflows().terminate(WorkflowId.of("kid"), "lost"))).isTrue();
      assertThat(node.result("parent")).isEqualTo("\"it is over\"");
    }
  }

  /** As from a backup of the journal: the rows that were there come back. */
  private void restore(String id) {
    database.execute(
        "DELETE FROM event_journal e USING kept k WHERE e.sequence_number = k.sequence_number AND e.persistence_id = k.persistence_id AND e.persistence_id = '%s'"
            .formatted(id));
    database.execute(
        "INSERT INTO event_journal SELECT * FROM kept WHERE persistence_id = '%s'".formatted(id));
  }

  @Test
  void onceTerminatedItStaysSoThoughItsHistoryIsRestored() {
    try (TestNode node = node()) {
      for (String id : new String[] {"flipped", "holed"}) {
        assertFound(node, id);
        assertThat(TestNode.await(node.workflows().terminate(WorkflowId.of(id), "lost"))).isTrue();
      }
    }
    restore("flipped");
    restore("holed");
    try (TestNode node = node()) {
      for (String id : new String[] {"flipped", "holed"}) {
        assertThat(node.end(id).status()).isEqualTo(Status.TERMINATED);
        assertThatThrownBy(
                () -> TestNode.await(node.workflows().pause(WorkflowId.of(id), "a look")))
            .hasCauseInstanceOf(WorkflowError.HasEnded.class);
        assertThatThrownBy(() -> node.describe(id)).hasMessageContaining("stays terminated");
        assertThat(incident(node, id)).isEmpty();
      }
    }
  }

  /** As where a node of an earlier release came into the cluster. */
  @Test
  void whatOnlyANewerEngineUnderstandsCanBeEnded() {
    database.execute(
        "UPDATE event_journal SET event_payload = overlay(event_payload PLACING '\\x63' FROM 1)"
            + " WHERE persistence_id = 'whole' AND sequence_number = 1");
    try (TestNode node = node()) {
      Await.until(
          "it is an incident",
          TestNode.SOON,
          () -> {
            node.node.transport().tell(WorkflowId.of("whole"), Message.WakeUp.WAKE_UP);
            return incident(node, "whole").isPresent();
          });
      assertThat(incident(node, "whole").orElseThrow().evidence()).contains("at least as new");
      assertThat(TestNode.await(node.workflows().terminate(WorkflowId.of("whole"), "enough")))
          .isTrue();
      assertThat(node.end("whole").status()).isEqualTo(Status.TERMINATED);
    }
  }

  /** As PostgreSQL says of a damaged page: for one of the histories that one query reads. */
  @Test
  void whatTheDatabaseCannotReadIsNoTroubleOfOthers() {
    TestNode.Plan plan =
        new TestNode.Plan()
            .with(Coded.class, Coded::new)
            .storage(
                inner ->
                    new ForwardingStorage(inner) {
                      @Override
                      public List<List<JournalRow>> read(List<JournalRead> reads) {
                        for (JournalRead one : reads)
                          if (one.persistenceId().equals("whole"))
                            throw DamagedJournalError.unreadable(
                                one.persistenceId(), new SQLException("torn", "XX001"));
                        return super.read(reads);
                      }
                    });
    database.execute("DELETE FROM event_journal WHERE persistence_id <> 'whole'");
    database.execute(
        "INSERT INTO event_journal SELECT * FROM kept WHERE persistence_id <> 'whole'");
    try (TestNode node = TestNode.start(database, plan)) {
      for (int i = 0; i < 20; i++)
        for (String id : new String[] {"flipped", "whole", "holed"})
          node.node.transport().tell(WorkflowId.of(id), Message.WakeUp.WAKE_UP);
      assertFound(node, "whole");
      for (String id : new String[] {"flipped", "holed"}) {
        assertThat(node.describe(id).status()).isEqualTo(Status.WAITING);
        assertThat(incident(node, id)).isEmpty();
      }
      assertThat(TestNode.await(node.workflows().terminate(WorkflowId.of("whole"), "torn")))
          .isTrue();
      assertThat(node.end("whole").status()).isEqualTo(Status.TERMINATED);
    }
  }

  @Test
  void itsOpenChildrenAreToldAsItsHistorySays() {
    try (TestNode node = node()) {
      for (String id : new String[] {"ended", "asked", "left"})
        Coded.put(id, ctx -> ctx.awaitSignal("go", String.class));
      Coded.begin(
          node,
          "mother",
          ctx -> {
            ctx.step("first", () -> 1);
            ctx.childAsync(child("ended", ParentClosePolicy.TERMINATE));
            ctx.childAsync(child("asked", ParentClosePolicy.CANCEL));
            ctx.childAsync(child("left", ParentClosePolicy.ABANDON));
            return ctx.awaitSignal("go", String.class);
          });
      DamagedHistories.awaitWaiting(node, "mother", "ended", "asked", "left");
    }
    DamagedHistories.damage(database, "mother");
    try (TestNode node = node()) {
      assertFound(node, "mother");
      assertThat(TestNode.await(node.workflows().terminate(WorkflowId.of("mother"), "lost")))
          .isTrue();
      assertThat(node.end("ended").status()).isEqualTo(Status.TERMINATED);
      assertThat(node.end("asked").status()).isEqualTo(Status.CANCELLED);
      assertThat(node.describe("left").status()).isEqualTo(Status.WAITING);
    }
  }

  private static ChildCall<String> child(String id, ParentClosePolicy policy) {
    return ChildCall.to("coded", String.class).id(id).onParentClose(policy);
  }

  @Test
  void oneThatHasEndedLeavesTheMemory() {
    try (TestNode node = node()) {
      assertFound(node, "flipped");
      assertFound(node, "holed");
      assertThat(TestNode.await(node.workflows().terminate(WorkflowId.of("flipped"), "lost")))
          .isTrue();
      assertThat(node.end("flipped").status()).isEqualTo(Status.TERMINATED);
      Await.until("it leaves", TestNode.SOON, () -> !isInMemory(node, "flipped"));
      assertThat(isInMemory(node, "holed")).as("one that waits for a person stays").isTrue();
      assertThat(node.end("flipped").status()).isEqualTo(Status.TERMINATED);
    }
  }

  private static boolean isInMemory(TestNode node, String id) {
    ActorRef region =
        ClusterSharding.get(Adapter.toClassic(node.runtime.system())).shardRegion("workflow");
    ShardRegion.CurrentShardRegionState state =
        (ShardRegion.CurrentShardRegionState)
            TestNode.await(
                Patterns.ask(region, ShardRegion.getShardRegionStateInstance(), TestNode.SOON));
    return state.getShards().stream().anyMatch(shard -> shard.getEntityIds().contains(id));
  }
}
