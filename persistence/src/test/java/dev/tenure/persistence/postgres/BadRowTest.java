package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.merging.CommitPipeline;
import dev.tenure.persistence.merging.PipelineSettings;
import dev.tenure.persistence.storage.FaultyStorage;
import dev.tenure.persistence.storage.FaultyStorage.Operation;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.persistence.storage.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The server answers with the same error whenever one row is in a batch: a trigger that is not
 * ours, a damaged page of an index. That says nothing of the data, so the commit is not refused.
 */
@Timeout(120)
class BadRowTest implements PostgresStoreUnderTest {
  /** Nothing here may wait for this. */
  private static final Duration RESOLVE_LIMIT = Duration.ofHours(1);

  private static final PipelineSettings SETTINGS =
      new PipelineSettings(1, 400, 8_000_000, 20_000, RESOLVE_LIMIT, 100);

  private TestDatabase database;
  private PostgresStorage storage;
  private FaultyStorage gates;
  private CommitPipeline pipeline;
  private Fence fence;

  @BeforeEach
  void open() {
    database = TestDatabase.migrated();
    storage = database.open();
    gates = new FaultyStorage(storage);
    pipeline = new CommitPipeline(gates, SETTINGS);
    fence = claim(freshShard(), NORA);
  }

  @AfterEach
  void close() {
    heal();
    pipeline.close();
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

  /** Rows of the journal are answered with this error. */
  private void fail(String code, String condition) {
    database.execute(
        """
        CREATE FUNCTION not_ours() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'not today' USING ERRCODE = '%s'; END $$;
        CREATE TRIGGER not_ours BEFORE INSERT ON event_journal
          FOR EACH ROW WHEN (%s) EXECUTE FUNCTION not_ours()
        """
            .formatted(code, condition));
  }

  private void heal() {
    database.execute(
        "DROP TRIGGER IF EXISTS not_ours ON event_journal; DROP FUNCTION IF EXISTS not_ours");
  }

  private Commit first(String id) {
    return step(id, 1, fence, "w1", note(id, 1));
  }

  private static CommitResult await(CompletionStage<CommitResult> one) throws Exception {
    return one.toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  private void oneBadRowAmong400(String code) throws Exception {
    fail(code, "NEW.persistence_id = 'bad'");
    var gate = gates.hold(Operation.COMMIT);
    CompletionStage<CommitResult> opener = pipeline.submit(first("opener"));
    gate.awaitArrival();
    CompletionStage<CommitResult> bad = null;
    List<CompletionStage<CommitResult>> others = new ArrayList<>();
    for (int i = 0; i < 400; i++)
      if (i == 123) bad = pipeline.submit(first("bad"));
      else others.add(pipeline.submit(first("w" + i)));
    gate.open();
    await(opener);
    for (var one : others) assertThat(await(one)).isEqualTo(new CommitResult.Committed(1));
    assertThat(await(bad))
        .isInstanceOfSatisfying(
            CommitResult.Unknown.class,
            unknown ->
                assertThat(((StorageException) unknown.cause()).answer())
                    .isEqualTo(Optional.of(code)));
    assertThat(newest("bad")).isZero();
  }

  @Test
  void aTriggerThatIsNotOursStopsOneCommitAndNoneOf399Others() throws Exception {
    oneBadRowAmong400("P0001");
  }

  @Test
  void aDamagedPageStopsOneCommitAndNoneOf399Others() throws Exception {
    oneBadRowAmong400("XX001");
  }

  @Test
  void aCommitThatFailsAloneDoesNotHoldUpThoseThatComeLater() throws Exception {
    fail("58030", "NEW.persistence_id = 'bad'");
    CompletionStage<CommitResult> bad = pipeline.submit(first("bad"));
    awaitCalls(3);
    CompletionStage<CommitResult> later = pipeline.submit(first("later"));
    assertThat(await(later)).isEqualTo(new CommitResult.Committed(1));
    assertThat(await(bad)).isInstanceOf(CommitResult.Unknown.class);
  }

  /** Its second commit must not be judged before the first one is there. */
  @Test
  void theNextCommitOfAWorkflowThatFailsStaysBehindIt() throws Exception {
    fail("58030", "NEW.persistence_id = 'bad'");
    CompletionStage<CommitResult> bad = pipeline.submit(first("bad"));
    awaitCalls(3);
    CompletionStage<CommitResult> next = pipeline.submit(step("bad", 2, fence, "w1"));
    awaitCalls(6);
    assertThat(next.toCompletableFuture()).isNotDone();
    heal();
    assertThat(await(bad)).isEqualTo(new CommitResult.Committed(1));
    assertThat(await(next)).isEqualTo(new CommitResult.Committed(2));
  }

  @Test
  void whenNothingGoesThroughNothingIsGivenUp() throws Exception {
    fail("25006", "true");
    List<CompletionStage<CommitResult>> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) all.add(pipeline.submit(first("w" + i)));
    awaitCalls(60);
    assertThat(all).noneMatch(one -> one.toCompletableFuture().isDone());
    heal();
    for (var one : all) assertThat(await(one)).isEqualTo(new CommitResult.Committed(1));
  }

  private void awaitCalls(int more) {
    long goal = gates.calls(Operation.COMMIT) + more;
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (gates.calls(Operation.COMMIT) < goal) {
      if (System.nanoTime() > deadline) throw new AssertionError("the commit is not tried again");
      Thread.onSpinWait();
    }
  }
}
