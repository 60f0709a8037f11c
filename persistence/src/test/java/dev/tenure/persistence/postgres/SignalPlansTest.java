package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.storage.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The statements look things up, on empty tables and on full ones. */
class SignalPlansTest {
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
  void workflowsAreLockedInTheOrderOfTheirIds() {
    for (String plan : Plans.whenEmptyAndFull(database, SignalAcceptance.LOCK)) {
      assertThat(plan)
          .contains("LockRows")
          .contains("Index Scan using workflow_pkey")
          .contains("Index Cond: (id = ANY")
          .doesNotContain("Seq Scan");
    }
  }

  @Test
  void acceptingLooksEverythingUp() {
    for (String plan : Plans.whenEmptyAndFull(database, SignalAcceptance.ACCEPT)) {
      assertThat(plan)
          .contains("Index Cond: (id = t.id)")
          .contains("Index Scan using signal_response_pkey")
          .contains("(signal_id = a_1.id))")
          .contains("Index Scan using signal_inbox_by_id")
          .doesNotContain("signal_inbox_pkey")
          .contains("Tid Scan on workflow")
          .doesNotContain("Seq Scan");
      Plans.assertEveryIndexHasACondition(plan);
    }
  }

  @Test
  void inboxesAreReadFromTheirPosition() {
    for (String sql : List.of(PostgresSignals.PENDING, PostgresSignals.UNCONSUMED)) {
      for (String plan : Plans.whenEmptyAndFull(database, sql)) {
        assertThat(plan)
            .contains("Index Scan using signal_inbox_pkey")
            .contains("(\"position\" > w.after)")
            .doesNotContain("Seq Scan");
        Plans.assertEveryIndexHasACondition(plan);
      }
    }
  }

  @Test
  void consumingAndSettlingTouchOnlyTheirRows() {
    for (String plan : Plans.whenEmptyAndFull(database, SignalWrites.CONSUME.sql())) {
      assertThat(plan)
          .contains("Index Scan using signal_inbox_pkey")
          .contains("(\"position\" >= c.\"position\")")
          .contains("Tid Scan on signal_inbox")
          .doesNotContain("Seq Scan");
      Plans.assertEveryIndexHasACondition(plan);
    }
    for (String plan : Plans.whenEmptyAndFull(database, SignalWrites.SETTLE.sql())) {
      assertThat(plan)
          .contains("Index Cond: (workflow_id = c.workflow_id)")
          .contains("Tid Scan on signal_inbox")
          .doesNotContain("Seq Scan");
      Plans.assertEveryIndexHasACondition(plan);
    }
    for (String plan : Plans.whenEmptyAndFull(database, PostgresSignals.RETURN.sql())) {
      assertThat(plan).contains("Index Scan using signal_response_pkey").doesNotContain("Seq Scan");
      Plans.assertEveryIndexHasACondition(plan);
    }
    for (String plan : Plans.whenEmptyAndFull(database, PostgresSignals.RETURN_KEPT.sql())) {
      assertThat(plan)
          .contains("Index Scan using payload_pkey")
          .contains("Index Scan using signal_response_pkey")
          .doesNotContain("Seq Scan");
      Plans.assertEveryIndexHasACondition(plan);
    }
    String alone = SignalWrites.SETTLE.alone().orElseThrow();
    for (String plan : Plans.whenEmptyAndFull(database, alone)) {
      assertThat(plan)
          .contains("Index Scan using signal_inbox")
          .contains("Index Cond: (workflow_id =")
          .doesNotContain("Seq Scan");
    }
  }

  @Test
  void whatATakerIsJudgedByIsLookedUp() {
    for (String plan : Plans.whenEmptyAndFull(database, TakableSignals.JUDGE)) {
      assertThat(plan)
          .contains("Index Scan using workflow_pkey")
          .contains("using signal_response_pkey")
          .doesNotContain("Seq Scan");
      Plans.assertEveryIndexHasACondition(plan);
    }
  }

  @Test
  void expiredAnswersAreFoundOldestFirst() {
    for (String plan : Plans.whenEmptyAndFull(database, PostgresSignals.PURGE)) {
      assertThat(plan)
          .contains("Index Scan using signal_response_expiry")
          .contains("Index Cond: (expires_at <=")
          .contains("Tid Scan on signal_response")
          .doesNotContain("Seq Scan");
      Plans.assertEveryIndexHasACondition(plan);
    }
  }
}
