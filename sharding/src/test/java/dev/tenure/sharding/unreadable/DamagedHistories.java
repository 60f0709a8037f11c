package dev.tenure.sharding.unreadable;

import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.process.Await;
import dev.tenure.sharding.workflow.TestNode;
import dev.tenure.workflow.kernel.Status;
import java.util.concurrent.CompletionException;

/** Workflows that wait, and whose first commit then cannot be read any more. */
final class DamagedHistories {
  private DamagedHistories() {}

  static void awaitWaiting(TestNode node, String... ids) {
    for (String id : ids) Await.until(id + " waits", TestNode.SOON, () -> waits(node, id));
  }

  private static boolean waits(TestNode node, String id) {
    try {
      return node.describe(id).status() == Status.WAITING;
    } catch (CompletionException notYet) {
      return false;
    }
  }

  static void damage(TestDatabase database, String... ids) {
    for (String id : ids)
      database.execute(
          "UPDATE event_journal SET event_payload = overlay(event_payload PLACING '\\xffff' FROM 5)"
              + " WHERE persistence_id = '%s' AND sequence_number = 1".formatted(id));
  }
}
