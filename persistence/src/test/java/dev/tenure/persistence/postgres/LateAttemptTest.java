package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.CommitResult.Committed;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.signal.SignalWords;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.persistence.visibility.WorkflowChange;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A commit is tried again step by step while its first attempt, which is late, arrives. */
class LateAttemptTest implements PostgresStoreUnderTest, SignalWords {
  private static final int LOOKS_MAX = 20_000;

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

  private Commit taking(String id, Fence fence) {
    return step(
        id,
        2,
        fence,
        "w1",
        new SideRow.SignalTaken(
            SignalWords.signal(new WorkflowId(id), "n", "s"),
            fence.shard(),
            1,
            Instant.EPOCH,
            RETENTION),
        new SideRow.WorkflowChanged(
            WorkflowChange.rests(new WorkflowId(id), Status.WAITING, Optional.empty(), 1)
                .taking(1)));
  }

  private void awaitWaiting(Statement look, int count) throws SQLException {
    for (int i = 0; i < LOOKS_MAX; i++)
      try (ResultSet waiting =
          look.executeQuery("SELECT count(*) FROM pg_locks WHERE NOT granted")) {
        waiting.next();
        if (waiting.getInt(1) >= count) return;
      }
    throw new AssertionError("Fewer than %d wait for a lock.".formatted(count));
  }

  /**
   * Locked in another order, each would wait for the other, until the database ends one of them.
   */
  @Test
  @Timeout(60)
  void bothLockJournalRowsFirst() throws Exception {
    Fence fence = claim(freshShard(), NORA);
    for (String id : List.of("a", "b", "c")) started(row(new WorkflowId(id), fence.shard()), fence);
    Commit late = taking("a", fence);
    // Not the next one of c: so the first attempt of the whole batch fails.
    List<Commit> batch = List.of(late, taking("b", fence), step("c", 5, fence, "w1"));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Connection another = database.owner();
        Connection looking = database.owner();
        Statement lock = another.createStatement();
        Statement look = looking.createStatement()) {
      another.setAutoCommit(false);
      lock.execute("SELECT 1 FROM workflow WHERE id = 'b' FOR NO KEY UPDATE");
      Future<List<CommitResult>> again = threads.submit(() -> storage.commit(batch));
      awaitWaiting(look, 1);
      Future<List<CommitResult>> first = threads.submit(() -> storage.commit(List.of(late)));
      awaitWaiting(look, 2);
      another.rollback();
      assertThat(again.get())
          .containsExactly(new Committed(2), new Committed(2), new CommitResult.Conflict(4, 1));
      assertThat(first.get()).containsExactly(new Committed(2));
    }
  }
}
