package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.storage.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A walk through the snapshots takes a stretch of them, however many there are. */
class SnapshotPlansTest {
  private static TestDatabase database;

  @BeforeAll
  static void open() {
    database = TestDatabase.migrated();
    database.execute(
        """
        INSERT INTO snapshot SELECT 'workflow-' || n, 1, 'content' FROM generate_series(1, 20000) n
        """);
    database.execute("ANALYZE snapshot");
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @Test
  void aWalkLooksSnapshotsAndTheirWorkflowsUp() {
    for (String plan : Plans.whenEmptyAndFull(database, PostgresSnapshots.PURGE))
      assertThat(plan)
          .contains("using snapshot_pkey")
          .contains("using workflow_pkey")
          .contains("Index Cond: (workflow_id = ANY")
          .doesNotContain("Seq Scan");
  }

  @Test
  void oneIsFoundByItsWorkflow() {
    for (String plan : Plans.whenEmptyAndFull(database, PostgresSnapshots.FIND))
      assertThat(plan).contains("using snapshot_pkey").doesNotContain("Seq Scan");
  }
}
