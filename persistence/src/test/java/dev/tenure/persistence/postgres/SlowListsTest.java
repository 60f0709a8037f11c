package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.incident.IncidentFilter;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.persistence.storage.Together;
import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.persistence.visibility.WakeUp;
import dev.tenure.workflow.WorkflowId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lists that take long hold up other lists, and nothing that workflows wait for. */
@Timeout(120)
class SlowListsTest implements PostgresStoreUnderTest {
  private static final int LISTS = 8;

  private TestDatabase database;
  private PostgresStorage storage;

  @BeforeEach
  void open() {
    database = TestDatabase.migrated();
    storage = database.open();
  }

  @AfterEach
  void close() {
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

  private boolean list() {
    try {
      storage.incidents().list(IncidentFilter.ALL, PageRequest.first(10));
      return true;
    } catch (StorageException.Unavailable e) {
      return false;
    }
  }

  private void awaitWaiting(Statement look, int wanted) throws SQLException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (true) {
      try (ResultSet row =
          look.executeQuery("SELECT count(*), pg_sleep(0.02) FROM pg_locks WHERE NOT granted")) {
        row.next();
        if (row.getInt(1) >= wanted) return;
      }
      if (System.nanoTime() > deadline) throw new AssertionError("no list waits");
    }
  }

  @Test
  void eightSlowListsDoNotDelayACommit() throws SQLException {
    Fence fence = claim(freshShard(), NORA);
    WorkflowId id = started(fence);
    try (Connection locker = database.owner();
        Connection looking = database.owner();
        Statement lock = locker.createStatement();
        Statement look = looking.createStatement()) {
      locker.setAutoCommit(false);
      lock.execute("LOCK TABLE incident IN ACCESS EXCLUSIVE MODE");
      List<Future<Boolean>> lists = new ArrayList<>();
      for (int i = 0; i < LISTS; i++) lists.add(Together.start(this::list));
      awaitWaiting(look, ConnectionPurpose.QUERIES.connections(database.settings()));
      SideRow note = note(id.value(), 1);
      assertThat(storage.commit(List.of(step(id.value(), 2, fence, "w1", note))))
          .containsExactly(new CommitResult.Committed(2));
      assertThat(history(id.value())).hasSize(2);
      assertThat(storage.workflows().mustBeAwake(Set.of(fence.shard()), WakeUp.Point.FIRST, 10))
          .hasSize(1);
      assertThat(storage.leases().beat(NORA, TIME_TO_LIVE).held())
          .containsExactly(Map.entry(fence.shard(), fence.epoch()));
      assertThat(lists).as("the lists still wait").noneMatch(Future::isDone);
      locker.rollback();
      for (Future<Boolean> one : lists) Together.result(one);
    }
    assertThat(list()).isTrue();
  }
}
