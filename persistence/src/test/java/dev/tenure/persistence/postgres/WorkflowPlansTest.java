package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.storage.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The statements use the indexes they were written for, on empty tables and on full ones. */
class WorkflowPlansTest {
  private static TestDatabase database;

  @BeforeAll
  static void open() {
    database = TestDatabase.migrated();
  }

  @AfterAll
  static void close() {
    database.close();
  }

  private static List<String> plans(String sql) {
    return Plans.whenEmptyAndFull(database, sql);
  }

  @Test
  void aRowIsFoundByItsId() {
    for (String plan : plans(PostgresWorkflows.FIND_OPEN)) {
      assertThat(plan).contains("Index Scan using workflow_pkey").contains("Index Cond: (id =");
    }
    // Of a closed one no index says in which month it is.
    for (String sql : List.of(PostgresWorkflows.FIND, SignalAcceptance.WHERE_IT_IS)) {
      for (String plan : plans(sql)) {
        assertThat(plan)
            .contains("workflow_pkey on workflow w")
            .containsPattern("using workflow_closed_\\d{4}_\\d{2}_pkey")
            .contains("using workflow_closed_other_pkey")
            .doesNotContain("Seq Scan");
        Plans.assertEveryIndexHasACondition(plan);
      }
    }
  }

  @Test
  void changesLockInTheOrderOfIdsAndThenGoToTheRows() {
    for (String plan : plans(WorkflowWrites.LOCK.sql())) {
      assertThat(plan).contains("LockRows").contains("Index Cond: (id = ANY");
    }
    for (SideStatement one :
        List.of(
            WorkflowWrites.CHANGE,
            WorkflowWrites.QUEUED,
            WorkflowWrites.AGAIN,
            ClosingWrites.CLOSE)) {
      for (String plan : plans(one.sql())) {
        assertThat(plan)
            .contains("Index Cond: (id = a.id)")
            .contains("Tid Scan on workflow w")
            .doesNotContain("Seq Scan")
            .doesNotContain("Join Filter");
      }
    }
  }

  @Test
  void aClosedRowIsTakenOutByItsId() {
    for (String plan : plans(ClosingWrites.REOPEN.sql())) {
      assertThat(plan)
          .containsPattern("using workflow_closed_\\d{4}_\\d{2}_pkey")
          .doesNotContain("Seq Scan");
      Plans.assertEveryIndexHasACondition(plan);
    }
  }

  @Test
  void whatIsAloneGoesToItsRowByItsId() {
    for (SideStatement one :
        List.of(
            WorkflowWrites.CHANGE,
            WorkflowWrites.QUEUED,
            WorkflowWrites.AGAIN,
            ClosingWrites.CLOSE))
      for (String plan : plans(one.alone().orElseThrow()))
        assertThat(plan)
            .contains("Index Scan using workflow_pkey")
            .contains("Index Cond: (id =")
            .doesNotContain("Seq Scan");
  }

  @Test
  void listsMergeTheStreamsOfEachStatusAndType() {
    for (String plan : plans(WorkflowLists.OPEN)) {
      assertThat(plan)
          .contains("Index Scan Backward using workflow_list on workflow v")
          .contains("(status = k.status) AND (type = k.type)")
          .contains("ROW(started_at, number) <")
          .doesNotContain("Seq Scan");
    }
    for (String plan : plans(WorkflowLists.CLOSED)) {
      assertThat(plan)
          .contains("Merge Append")
          .containsPattern("Backward using workflow_closed_\\d{4}_\\d{2}_status_type")
          .contains("(status = k.status) AND (type = k.type)")
          .contains("ROW(started_at, number) <")
          .doesNotContain("Seq Scan");
    }
  }

  @Test
  void kindsAreFoundByJumpingFromOneToTheNext() {
    for (String plan : plans(WorkflowLists.OPEN_KINDS)) {
      assertThat(plan)
          .contains("Index Only Scan using workflow_list")
          .contains("(status = k_1.status) AND (type > k_1.type)")
          .doesNotContain("Seq Scan")
          .doesNotContain("Sort");
    }
    for (String plan : plans(WorkflowLists.CLOSED_KINDS)) {
      assertThat(plan)
          .containsPattern("Index Only Scan using workflow_closed_\\d{4}_\\d{2}_status_type")
          .contains("(status = k_1.status) AND (type > k_1.type)")
          .doesNotContain("Seq Scan");
    }
  }

  @Test
  void allThatIsClosedIsOneStream() {
    for (String plan : plans(WorkflowLists.NEWEST_CLOSED)) {
      assertThat(plan)
          .contains("Merge Append")
          .containsPattern("Backward using workflow_closed_\\d{4}_\\d{2}_started_at_number_idx")
          .doesNotContain("Seq Scan");
      Plans.assertEveryIndexHasACondition(plan);
    }
  }

  @Test
  void childrenAreFoundByTheirParent() {
    String plan = inASearch(PostgresWorkflows.LIST_CHILDREN);
    assertThat(plan)
        .contains("using workflow_children on workflow")
        .containsPattern("workflow_closed_\\d{4}_\\d{2}_parent_started_at_number_idx")
        .contains("Index Cond: ((parent = $1)");
  }

  @Test
  void attributesAreFoundInTheirIndex() {
    String plan = inASearch(PostgresWorkflows.LIST_BY_ATTRIBUTES);
    assertThat(plan)
        .contains("Bitmap Index Scan on workflow_search_attributes")
        .containsPattern("Bitmap Index Scan on workflow_closed_\\d{4}_\\d{2}_attributes_idx")
        .contains("Index Cond: (attributes @>")
        .doesNotContain("Seq Scan");
  }

  private static String inASearch(String sql) {
    return Plans.whenEmptyAndFull(
            database, sql, PostgresWorkflows.SEARCH_SESSION.replace(" LOCAL", ""))
        .getLast();
  }

  @Test
  void aPageOfManyShardsReadsLittleMoreThanItReturns() throws SQLException {
    database.execute("TRUNCATE workflow");
    database.execute(
        """
        INSERT INTO workflow (id, shard, run_id, type, type_version, status, wake_at, started_at)
        SELECT 'due-' || n, n % 20, 'run', 'type', 1, 'waiting', now() - n * interval '1 second',
          now()
        FROM generate_series(1, 4000) n
        """);
    String sql =
        DueScans.DUE
            .replaceFirst("\\?", "'{0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19}'")
            .replaceFirst("\\?", "now()")
            .replaceFirst("\\?", "'-infinity'")
            .replaceFirst("\\?", "0")
            .replaceFirst("\\?", Integer.toString(DueScans.ofEachShard(20, 100)));
    try (Connection session = database.owner();
        Statement statement = session.createStatement()) {
      statement.execute(PostgresPool.SESSION);
      try (ResultSet rows =
          statement.executeQuery("EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF) " + sql)) {
        StringBuilder plan = new StringBuilder();
        while (rows.next()) plan.append(rows.getString(1)).append('\n');
        assertThat(plan.toString())
            .containsPattern("workflow_wake on workflow v .*actual rows=6(\\.00)? loops=20");
      }
    }
  }

  @Test
  void lossesAreCountedThroughTheIndexesOfBothTables() {
    for (String plan : plans(PostgresRecoveries.AT_WORK))
      assertThat(plan)
          .contains("Index Scan using workflow_wake on workflow w")
          .doesNotContain("Sort")
          .doesNotContain("Seq Scan");
    assertThat(Plans.plan(database, PostgresRecoveries.COUNT_AGAIN))
        .contains("using recovery_pkey on recovery r")
        .doesNotContain("Seq Scan on recovery");
  }

  @Test
  void ofAllWorkflowsOnlyTheBlockedOnesAreReadForTheirTypes() {
    for (String plan : plans(OpenRuns.BLOCKED_TYPES))
      assertThat(plan).contains("using workflow_list").contains("Index Cond: (status =");
  }

  @Test
  void scansForWakeUpsReadWhatIsDueAndNoMore() {
    for (String plan : plans(DueScans.MUST_BE_AWAKE)) {
      assertThat(plan)
          .contains("Index Scan using workflow_wake on workflow v")
          .contains("(shard = s.shard) AND (wake_at <= now())")
          .doesNotContain("Seq Scan");
    }
    for (String plan : plans(DueScans.FIRST_DUE)) {
      assertThat(plan)
          .contains("Index Scan using workflow_wake on workflow v")
          .contains("shard = s.shard")
          .doesNotContain("Sort")
          .doesNotContain("Seq Scan");
    }
    for (String plan : plans(DueScans.DUE)) {
      assertThat(plan)
          .contains("Index Scan using workflow_wake on workflow v")
          .contains("(shard = s.shard) AND (wake_at <= $2)")
          .doesNotContain("Seq Scan");
    }
  }
}
