package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.storage.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The statements on tasks look things up, on empty tables and with ten thousand tasks. */
class TaskPlansTest {
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
  void commitsFindTheirTasksByTheirIds() {
    assertLooksUp(TaskWrites.LOCK.sql(), "LockRows", "Sort", "Index Scan using task_pkey");
    assertLooksUp(TaskWrites.LOCK.alone().orElseThrow(), "LockRows", "using task_pkey");
    assertLooksUp(TaskWrites.REMOVE.sql(), "Tid Scan on task", "Index Scan using task_pkey");
    assertLooksUp(TaskWrites.REMOVE.alone().orElseThrow(), "Index Scan using task_pkey");
    assertLooksUp(TaskWrites.LOCK_ALL.sql(), "LockRows", "using task_pkey");
    assertLooksUp(TaskWrites.REMOVE_ALL.sql(), "Tid Scan on task", "using task_pkey");
    for (String sql : List.of(TaskWrites.OFFER.sql(), TaskWrites.OFFER_LATER.sql()))
      for (String plan : Plans.whenIdleAndBusy(database, sql))
        assertThat(plan).contains("Conflict Arbiter Indexes: task_pkey").doesNotContain("Seq Scan");
  }

  @Test
  void awaitingOutcomesIsOneLookUp() {
    assertLooksUp(
        TaskWrites.AWAIT.sql(),
        "Index Cond: (workflow_id = a.id)",
        "using task_look",
        "using workflow_pkey",
        "Tid Scan on workflow w");
  }

  @Test
  void lanesAreFoundFromOneToTheNext() {
    assertLooksUp(
        TaskLanes.LANES,
        "Recursive Union",
        "using task_waiting",
        "(urgency = s.urgency) AND (ROW(fairness_key, activity, scope) >= ROW(");
    assertLooksUp(
        TaskLanes.PRIORITIES, "Recursive Union", "using task_waiting", "(urgency > l.urgency)");
  }

  @Test
  void theOldestOfALaneAreReadFromItsBeginning() {
    assertLooksUp(TaskLanes.OLDEST, "using task_waiting", "(scope = a.scope)");
  }

  @Test
  void takingChangesTasksWhereTheyAre() {
    assertLooksUp(
        TaskTaking.TAKE,
        "LockRows",
        "Index Scan using task_waiting",
        "(number = a.number)",
        "Tid Scan on task t");
    assertLooksUp(TaskTaking.LOCK_QUEUE, "LockRows", "using task_queue_pkey");
    assertLooksUp(TaskTaking.MAKE_QUEUE, "using task_waiting");
    assertLooksUp(TaskTaking.KEEP_TURNS, "using task_queue_pkey");
  }

  @Test
  void limitsAreCountedInTheirIndex() {
    assertLooksUp(TaskScopes.COUNT, "using task_at_once", "Limit");
    assertLooksUp(TaskScopes.READ, "using task_resource_pkey");
    assertLooksUp(TaskScopes.BEGIN, "using task_resource_pkey", "Tid Scan on task_resource r");
    for (String plan : Plans.whenIdleAndBusy(database, TaskScopes.LOCK))
      assertThat(plan).contains("Conflict Arbiter Indexes: task_resource_pkey");
  }

  @Test
  void reportsFindTheirTasks() {
    assertLooksUp(TaskHearing.LOCK, "LockRows", "Sort", "Index Scan using task_pkey");
    for (String sql : List.of(TaskHearing.EXTEND, TaskHearing.PUT_BACK, TaskHearing.END))
      assertLooksUp(sql, "Index Scan using task_pkey", "Tid Scan on task t");
    assertLooksUp(PostgresTasks.STANDING, "Index Scan using task_pkey");
    assertLooksUp(PostgresTasks.OFFER_LOST_AGAIN, "Index Scan using task_pkey");
  }

  @Test
  void whatIsOverIsFoundByItsTime() {
    assertLooksUp(TaskExpiry.OVER, "Index Scan using task_due", "(due_at <= now())");
    assertLooksUp(TaskExpiry.LOCK, "LockRows", "Sort", "Index Scan using task_pkey");
    for (String sql : List.of(TaskExpiry.OFFER_AGAIN, TaskExpiry.LOSE))
      assertLooksUp(sql, "Index Scan using task_pkey", "Tid Scan on task t");
    assertLooksUp(TaskExpiry.FORGET_RESOURCES, "using task_resource_pkey", "LockRows");
    assertLooksUp(TaskExpiry.FORGET_QUEUES, "using task_queue_pkey", "LockRows");
  }

  @Test
  void viewsReadIndexes() {
    assertLooksUp(TaskViews.WAITING, "using task_waiting");
    assertLooksUp(TaskViews.KEYS, "using task_waiting", "using task_due");
    assertLooksUp(TaskViews.POSITION, "using task_pkey", "using task_waiting");
    for (String plan : Plans.whenIdleAndBusy(database, TaskViews.COUNTS))
      assertThat(plan).contains("task_waiting", "task_due", "task_look").doesNotContain("Seq Scan");
    for (String plan : Plans.whenIdleAndBusy(database, TaskViews.QUEUES))
      assertThat(plan).contains("task_waiting", "task_due", "task_look").doesNotContain("Seq Scan");
  }
}
