package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.storage.TestDatabase;
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
    for (String plan : plans(PostgresWorkflows.FIND)) {
      assertThat(plan).contains("Index Scan using workflow_pkey").contains("Index Cond: (id =");
    }
  }

  @Test
  void changesLockInTheOrderOfIdsAndThenGoToTheRows() {
    String[] statements = WorkflowWrites.CHANGE.sql().split(";");
    assertThat(statements).hasSize(2);
    for (String plan : plans(statements[0])) {
      assertThat(plan).contains("LockRows").contains("Index Cond: (id = ANY");
    }
    for (String plan : plans(statements[1])) {
      assertThat(plan)
          .contains("Index Cond: (id = a.id)")
          .contains("Tid Scan on workflow w")
          .doesNotContain("Seq Scan")
          .doesNotContain("Join Filter");
    }
  }

  @Test
  void whatIsAloneGoesToItsRowByItsId() {
    for (String plan : plans(WorkflowWrites.CHANGE.alone().orElseThrow()))
      assertThat(plan)
          .contains("Index Scan using workflow_pkey")
          .contains("Index Cond: (id =")
          .doesNotContain("Seq Scan");
  }

  @Test
  void listsMergeTheStreamsOfEachStatusAndType() {
    for (String plan : plans(PostgresWorkflows.LIST)) {
      assertThat(plan)
          .contains("Index Only Scan using workflow_list")
          .contains("Index Scan Backward using workflow_list on workflow v")
          .contains("(status = k.status) AND (type = k.type)")
          .contains("ROW(started_at, number) <")
          .doesNotContain("Seq Scan");
    }
  }

  @Test
  void childrenAreFoundByTheirParent() {
    String plan = inASearch(PostgresWorkflows.LIST_CHILDREN);
    assertThat(plan).contains("workflow_children").contains("Index Cond: ((parent = $1)");
  }

  @Test
  void attributesAreFoundInTheirIndex() {
    String plan = inASearch(PostgresWorkflows.LIST_BY_ATTRIBUTES);
    assertThat(plan)
        .contains("Bitmap Index Scan on workflow_attributes")
        .contains("Index Cond: (attributes @>")
        .doesNotContain("Seq Scan");
  }

  private static String inASearch(String sql) {
    return Plans.whenEmptyAndFull(
            database, sql, PostgresWorkflows.SEARCH_SESSION.replace(" LOCAL", ""))
        .getLast();
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
