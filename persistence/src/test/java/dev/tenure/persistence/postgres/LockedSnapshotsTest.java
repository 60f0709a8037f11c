package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.storage.StorageException;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.workflow.WorkflowId;
import java.sql.Connection;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A recovery does not wait long for a snapshot: it can do without. */
class LockedSnapshotsTest {
  @Test
  @Timeout(20)
  void whoLooksForASnapshotInALockedTableIsToldSoon() throws Exception {
    try (TestDatabase database = TestDatabase.migrated();
        PostgresStorage storage = database.open();
        Connection owner = database.owner();
        Statement lock = owner.createStatement()) {
      owner.setAutoCommit(false);
      lock.execute("LOCK TABLE snapshot IN ACCESS EXCLUSIVE MODE");
      assertThatThrownBy(() -> storage.snapshots().find(WorkflowId.of("w")))
          .isInstanceOf(StorageException.class);
    }
  }
}
