package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.storage.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The statements on records of keyed calls look things up, on an empty table and on a full one. */
class ActivityPlansTest {
  private static TestDatabase database;

  @BeforeAll
  static void open() {
    database = TestDatabase.migrated();
  }

  @AfterAll
  static void close() {
    database.close();
  }

  private static void assertLooksUp(String sql, String... words) {
    for (String plan : Plans.whenIdleAndBusy(database, sql)) {
      assertThat(plan).contains(words).doesNotContain("Seq Scan");
      Plans.assertEveryIndexHasACondition(plan);
    }
  }

  @Test
  void aClaimIsOneInsert() {
    for (String sql :
        List.of(ActivityWrites.CLAIM.sql(), ActivityWrites.CLAIM.alone().orElseThrow()))
      for (String plan : Plans.whenIdleAndBusy(database, sql))
        assertThat(plan)
            .contains("Conflict Arbiter Indexes: activity_record_pkey")
            .doesNotContain("Seq Scan");
  }

  @Test
  void recordsAreLockedInTheOrderOfTheirKeysAndChangedWhereTheyAre() {
    assertLooksUp(
        ActivityWrites.LOCK.sql(), "LockRows", "Sort", "Index Scan using activity_record_pkey");
    assertLooksUp(
        ActivityWrites.LOCK.alone().orElseThrow(),
        "LockRows",
        "Index Scan using activity_record_pkey");
    assertLooksUp(PostgresActivityRecords.LOCK, "LockRows", "Sort", "using activity_record_pkey");
    for (String sql :
        List.of(
            ActivityWrites.SETTLE.sql(),
            ActivityWrites.CLAIM_AGAIN.sql(),
            PostgresActivityRecords.COMPLETE))
      assertLooksUp(sql, "Index Scan using activity_record_pkey", "Tid Scan on activity_record r");
    assertLooksUp(
        ActivityWrites.SETTLE.alone().orElseThrow(), "Index Scan using activity_record_pkey");
  }

  @Test
  void recordsAreFoundByTheirKeyOrTheirWorkflow() {
    assertLooksUp(PostgresActivityRecords.FIND, "Index Scan using activity_record_pkey");
    assertLooksUp(PostgresActivityRecords.OF, "Index Scan using activity_record_pkey");
    assertLooksUp(PostgresActivityRecords.OF_OPERATION, "Index Scan using activity_record_pkey");
    assertLooksUp(DueWorkflows.MAKE_DUE, "using workflow_pkey", "Tid Scan on workflow w");
  }
}
