package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.storage.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The statements keep their plans, on an empty journal and on a long one. */
class JournalPlansTest {
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
  void theNewestVersionIsTheEndOfAnIndexRange() {
    for (String plan : Plans.whenShortAndLong(database, PostgresJournal.NEWEST)) {
      assertThat(plan)
          .contains("Backward using event_journal_pkey")
          .doesNotContain("Seq Scan on event_journal");
    }
  }

  @Test
  void historyIsReadThroughTheIndex() {
    for (String plan : Plans.whenShortAndLong(database, PostgresJournal.READ)) {
      assertThat(plan)
          .contains("using event_journal_pkey")
          .doesNotContain("Seq Scan on event_journal");
    }
  }
}
