package dev.tenure.sharding.unreadable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.process.Await;
import dev.tenure.sharding.workflow.Coded;
import dev.tenure.sharding.workflow.ForkRequest;
import dev.tenure.sharding.workflow.TestNode;
import dev.tenure.sharding.workflow.WorkflowError;
import dev.tenure.workflow.WorkflowId;
import org.junit.jupiter.api.Test;

/** Histories that decode, and are not what was committed. */
class TamperedHistoriesTest {
  private static TestNode node(TestDatabase database) {
    return TestNode.start(database, new TestNode.Plan().with(Coded.class, Coded::new));
  }

  private static void begin(TestDatabase database, String... ids) {
    try (TestNode node = node(database)) {
      for (String id : ids)
        Coded.begin(
            node,
            id,
            ctx -> {
              ctx.step("one", () -> 1);
              ctx.step("two", () -> 2);
              return ctx.awaitSignal("go", String.class);
            });
      DamagedHistories.awaitWaiting(node, ids);
    }
  }

  private static void assertRefused(TestNode node, String id, String why) {
    Await.until(
        id + " is an incident",
        TestNode.SOON,
        () -> {
          assertThatThrownBy(() -> node.describe(id))
              .hasCauseInstanceOf(WorkflowError.NotNow.class)
              .hasMessageContaining("history cannot be read")
              .hasMessageContaining(why);
          return TestNode.await(node.workflows().incident(WorkflowId.of(id))).isPresent();
        });
    assertThatThrownBy(() -> TestNode.await(node.workflows().history(WorkflowId.of(id), 1, 100)))
        .hasCauseInstanceOf(WorkflowError.NotNow.class)
        .hasMessageContaining(why);
    assertThatThrownBy(
            () -> TestNode.await(node.workflows().fork(ForkRequest.of(id, "two#1", id + "-fork"))))
        .hasCauseInstanceOf(WorkflowError.NotNow.class)
        .hasMessageContaining(why);
  }

  @Test
  void readersOfHistoriesRefuseWhatDoesNotFit() {
    try (TestDatabase database = TestDatabase.migrated()) {
      begin(database, "one", "other", "column", "writer", "whole");
      database.execute(
          """
          UPDATE event_journal SET persistence_id = CASE persistence_id
            WHEN 'one' THEN '~other' ELSE '~one' END
          WHERE persistence_id IN ('one', 'other')
          """);
      database.execute(
          """
          UPDATE event_journal SET persistence_id = substr(persistence_id, 2)
          WHERE persistence_id LIKE '~%'
          """);
      database.execute(
          "UPDATE event_journal SET event_ser_manifest = 'r'"
              + " WHERE persistence_id = 'column' AND sequence_number = 1");
      database.execute(
          "UPDATE event_journal SET writer = md5('w')::uuid"
              + " WHERE persistence_id = 'writer' AND sequence_number = 1");
      try (TestNode node = node(database)) {
        assertRefused(node, "one", "a commit of workflow other");
        assertRefused(node, "other", "a commit of workflow one");
        assertRefused(node, "column", "event_ser_manifest");
        assertRefused(node, "writer", "after version 1 it must carry");
        Coded.signal(node, "whole", "go", "on");
        assertThat(node.result("whole")).isEqualTo("\"on\"");
        // A page that does not begin with the first commit is compared with the one before it.
        assertThat(TestNode.await(node.workflows().history(WorkflowId.of("whole"), 2, 1)))
            .satisfiesExactly(entry -> assertThat(entry.head().version()).isEqualTo(2));
        assertThatThrownBy(
                () -> TestNode.await(node.workflows().history(WorkflowId.of("writer"), 2, 1)))
            .hasCauseInstanceOf(WorkflowError.NotNow.class);
      }
    }
  }
}
