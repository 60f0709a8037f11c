package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.persistence.task.TaskId;
import dev.tenure.persistence.task.TaskStanding;
import dev.tenure.persistence.task.TaskWords;
import dev.tenure.workflow.WorkflowId;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What another session holds is passed over, or waited for with a limit. */
@Timeout(60)
class LockedTasksTest implements TaskWords, PostgresStoreUnderTest {
  private TestDatabase database;
  private PostgresStorage storage;
  private Connection other;

  @BeforeEach
  void open() throws SQLException {
    database = TestDatabase.migrated();
    storage = database.open();
    other = database.owner();
    other.setAutoCommit(false);
  }

  @AfterEach
  void close() throws SQLException {
    other.close();
    storage.close();
    database.close();
  }

  @Override
  public Storage storage() {
    return storage;
  }

  @Override
  public Connection owner() {
    return database.owner();
  }

  private void hold(String sql) throws SQLException {
    try (Statement statement = other.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void aTaskThatACommitHoldsIsPassedOver() throws SQLException {
    WorkflowId id = started(claim(freshShard(), NORA));
    String queue = freshQueue();
    List<TaskId> all = offered(id, queue, 3);
    hold(
        "SELECT 1 FROM task WHERE operation_id = '%s' FOR UPDATE"
            .formatted(all.get(1).operation()));
    assertThat(TaskWords.ids(taken(queue, 3))).containsExactly(all.get(0), all.get(2));
    other.rollback();
    assertThat(TaskWords.ids(taken(queue, 3))).containsExactly(all.get(1));
  }

  @Test
  void aLateTaskThatACommitHoldsIsLookedAfterLater() throws SQLException {
    Fence fence = claim(freshShard(), NORA);
    String queue = freshQueue();
    List<TaskId> all = offered(started(fence), queue, 2);
    taken(queue, 2);
    passTime(VISIBLE.plusSeconds(1));
    hold(
        "SELECT 1 FROM task WHERE operation_id = '%s' FOR UPDATE"
            .formatted(all.getFirst().operation()));
    tasks().expire(10);
    assertThat(standing(all.getFirst()).orElseThrow()).isInstanceOf(TaskStanding.Taken.class);
    assertThat(standing(all.getLast())).contains(new TaskStanding.Waiting(1));
    other.rollback();
    tasks().expire(10);
    assertThat(standing(all.getFirst())).contains(new TaskStanding.Waiting(1));
  }

  /** A node that stands still in the middle of a take holds up its queue, and not for ever. */
  @Test
  void aQueueThatIsHeldIsWaitedForWithALimit() throws SQLException {
    WorkflowId id = started(claim(freshShard(), NORA));
    String queue = freshQueue();
    String free = freshQueue();
    for (String each : List.of(queue, free)) {
      offered(id, each, 2);
      taken(each, 1);
    }
    hold("SELECT 1 FROM task_queue WHERE name = '%s' FOR UPDATE".formatted(queue));
    assertThat(taken(free, 1)).hasSize(1);
    assertThat(tasks().withWork(Set.of(queue))).containsExactly(queue);
    assertThatThrownBy(() -> taken(queue, 1)).isInstanceOf(StorageException.Unavailable.class);
    other.rollback();
    assertThat(taken(queue, 1)).hasSize(1);
  }

  @Test
  void queuesAndResourcesThatAreNotUsedAreForgotten() throws SQLException {
    WorkflowId id = started(claim(freshShard(), NORA));
    String old = freshQueue();
    offered(Changed.of(offer(id, old), o -> o.atOnce("r", 2)));
    taken(old, 1);
    passTime(java.time.Duration.ofDays(2));
    String young = freshQueue();
    offered(Changed.of(offer(id, young), o -> o.atOnce("r2", 2)));
    taken(young, 1);
    expired();
    assertThat(column("SELECT name FROM task_queue")).containsExactly(young);
    assertThat(column("SELECT scope FROM task_resource")).containsExactly("resource/r2");
  }

  private List<String> column(String sql) throws SQLException {
    try (Statement statement = other.createStatement();
        var rows = statement.executeQuery(sql)) {
      List<String> found = new java.util.ArrayList<>();
      while (rows.next()) found.add(rows.getString(1));
      return found;
    }
  }
}
