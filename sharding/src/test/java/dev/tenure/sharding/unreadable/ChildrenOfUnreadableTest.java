package dev.tenure.sharding.unreadable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.host.WorkflowSettings;
import dev.tenure.sharding.process.Await;
import dev.tenure.sharding.workflow.Coded;
import dev.tenure.sharding.workflow.FailingClock;
import dev.tenure.sharding.workflow.TestNode;
import dev.tenure.sharding.workflow.WorkflowError;
import dev.tenure.workflow.ChildCall;
import dev.tenure.workflow.ParentClosePolicy;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A workflow that cannot be read is ended, and a child of it does not do what it is told. */
class ChildrenOfUnreadableTest {
  private final FailingClock clock = new FailingClock();
  private TestDatabase database;

  @BeforeEach
  void open() {
    database = TestDatabase.migrated();
    try (TestNode node = node()) {
      Coded.put("kid", ctx -> ctx.awaitSignal("go", String.class));
      Coded.begin(
          node,
          "mother",
          ctx -> {
            ctx.step("first", () -> 1);
            ctx.childAsync(
                ChildCall.to("coded", String.class)
                    .id("kid")
                    .onParentClose(ParentClosePolicy.TERMINATE));
            return ctx.awaitSignal("go", String.class);
          });
      DamagedHistories.awaitWaiting(node, "mother", "kid");
    }
    DamagedHistories.damage(database, "mother");
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
                    WorkflowSettings.of(clock, given.seeds(), given.ids())
                        .withRecoveryPause(Duration.ofMillis(50))));
  }

  private static void awaitIncident(TestNode node, String id) {
    Await.until(
        id + " is an incident",
        TestNode.SOON,
        () -> {
          assertThatThrownBy(() -> node.describe(id))
              .hasCauseInstanceOf(WorkflowError.NotNow.class);
          return TestNode.await(node.workflows().incident(WorkflowId.of(id))).isPresent();
        });
  }

  private static boolean terminate(TestNode node, String id) {
    return TestNode.await(node.workflows().terminate(WorkflowId.of(id), "lost"));
  }

  @Test
  void oneWhoseOwnerFailsIsToldAgain() {
    try (TestNode node = node()) {
      awaitIncident(node, "mother");
      assertThat(node.describe("kid").status()).isEqualTo(Status.WAITING);
      clock.failsOnce();
      assertThat(terminate(node, "mother")).isTrue();
      clock.requireFailed();
      assertThat(node.end("kid").status()).isEqualTo(Status.TERMINATED);
    }
  }

  @Test
  void oneThatHasARowAndNoJournalKeepsNobodyFromEnding() {
    database.execute("DELETE FROM event_journal WHERE persistence_id = 'kid'");
    try (TestNode node = node()) {
      awaitIncident(node, "mother");
      assertThat(terminate(node, "mother")).isTrue();
      assertThat(node.end("mother").status()).isEqualTo(Status.TERMINATED);
    }
  }

  /** It would wait for its parent to end, as its parent for it. */
  @Test
  void oneThatCannotBeReadEitherKeepsNobodyFromEnding() {
    DamagedHistories.damage(database, "kid");
    try (TestNode node = node()) {
      awaitIncident(node, "mother");
      awaitIncident(node, "kid");
      assertThat(terminate(node, "mother")).isTrue();
      assertThat(node.end("mother").status()).isEqualTo(Status.TERMINATED);
      assertThat(TestNode.await(node.workflows().incident(WorkflowId.of("kid")))).isPresent();
    }
  }
}
