package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.storage.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The statements keep their plans, on an empty journal and on a long one. */
class CommitPlansTest {
  private static TestDatabase database;

  @BeforeAll
  static void open() {
    database = TestDatabase.migrated();
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @Test
  void theCommitLooksTheFenceUpInAHashAndTheVersionBeforeInTheIndex() {
    for (String plan : Plans.whenShortAndLong(database, JournalInsert.MANY)) {
      assertThat(plan)
          .contains("LockRows")
          .contains("hashed SubPlan")
          .contains("using event_journal_pkey")
          .doesNotContain("Seq Scan on event_journal")
          .doesNotContain("Conflict");
    }
  }

  @Test
  void theCarefulCommitDiffersOnlyInItsConflictClause() {
    for (String plan : Plans.whenShortAndLong(database, JournalInsert.CAREFULLY)) {
      assertThat(plan)
          .contains("Conflict Arbiter Indexes: event_journal_pkey")
          .contains("hashed SubPlan")
          .doesNotContain("Seq Scan on event_journal");
    }
  }

  @Test
  void theCommitWithSideRowsIsPlannedAsTheOneWithout() {
    for (String plan : Plans.whenShortAndLong(database, JournalInsert.all(JournalInsert.MANY))) {
      assertThat(plan)
          .contains("hashed SubPlan")
          .contains("using event_journal_pkey")
          .doesNotContain("Seq Scan on event_journal")
          .doesNotContain("Conflict");
    }
  }

  @Test
  void aCommitThatIsAloneGoesThroughIndexesOnly() {
    for (String form : List.of(JournalInsert.ALONE, JournalInsert.all(JournalInsert.ALONE)))
      for (String plan : Plans.whenShortAndLong(database, form))
        assertThat(plan)
            .contains("LockRows")
            .contains("using event_journal_pkey")
            .contains("using shard_lease_pkey")
            .doesNotContain("Seq Scan on")
            .doesNotContain("Conflict");
  }

  @Test
  void verdictsAreReadThroughTheIndex() {
    for (String plan : Plans.whenShortAndLong(database, PostgresCommits.VERDICTS)) {
      assertThat(plan)
          .contains("using event_journal_pkey")
          .doesNotContain("Seq Scan on event_journal");
    }
  }
}
