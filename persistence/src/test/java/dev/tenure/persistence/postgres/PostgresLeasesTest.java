package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitId;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.Writers;
import dev.tenure.persistence.embedded.LocalPostgres;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Lease;
import dev.tenure.persistence.lease.Leases.Claim;
import dev.tenure.persistence.lease.Membership;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.persistence.storage.Together;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What is PostgreSQL's own about leases: locks, clocks, the sequence, the trigger. */
class PostgresLeasesTest {
  private static final Holder NORA = new Holder("nora:7355", 1);
  private static final Holder OLAF = new Holder("olaf:7355", 2);
  private static final Duration TIME_TO_LIVE = Duration.ofMinutes(10);
  private static final Duration DEADLINE = Duration.ofSeconds(20);

  private static TestDatabase database;
  private static PostgresStorage storage;

  @BeforeAll
  static void open() {
    database = TestDatabase.migrated();
    storage = database.open();
  }

  @AfterAll
  static void close() {
    storage.close();
    database.close();
  }

  private static long claim(int shard, Holder holder) {
    return claim(storage, shard, holder);
  }

  private static long claim(PostgresStorage storage, int shard, Holder holder) {
    Claim claim = storage.leases().acquire(shard, holder, gone -> true, TIME_TO_LIVE);
    return ((Claim.Granted) claim).epoch();
  }

  private static CommitResult commit(String id, long version, Fence fence) {
    CommitId commitId = new CommitId(id, version, Writers.named("writer"));
    return storage.commit(List.of(new Commit(commitId, fence, "", new byte[1], List.of()))).get(0);
  }

  @Test
  void epochsRiseAlsoWhenTheRowIsDeleted() {
    long before = claim(1, NORA);
    database.execute("DELETE FROM shard_lease WHERE shard = 1");
    assertThat(storage.leases().find(1)).isEmpty();
    assertThat(commit("deleted", 1, new Fence(1, before, NORA.incarnation())))
        .isEqualTo(new CommitResult.Fenced(before, 0));
    assertThat(claim(1, OLAF)).isGreaterThan(before);
    assertThat(commit("deleted", 1, new Fence(1, before, NORA.incarnation())))
        .isInstanceOf(CommitResult.Fenced.class);
  }

  @Test
  void aShardThatSomebodyIsBusyWithIsLeftOutAndNobodyWaits() throws SQLException {
    long busy = claim(20, NORA);
    claim(21, NORA);
    try (Connection c = database.server().connect(database.name(), "postgres");
        Statement s = c.createStatement()) {
      c.setAutoCommit(false);
      s.execute("SELECT 1 FROM shard_lease WHERE shard = 20 FOR KEY SHARE");
      assertThat(storage.leases().acquireFree(Set.of(20, 21), OLAF, gone -> true, TIME_TO_LIVE))
          .containsOnlyKeys(21);
      c.rollback();
    }
    assertThat(storage.leases().find(20).map(Lease::epoch)).contains(busy);
    assertThat(storage.leases().acquireFree(Set.of(20, 21), NORA, gone -> true, TIME_TO_LIVE))
        .containsOnlyKeys(20, 21);
  }

  @Test
  void epochsRiseAlsoAcrossTheServersCrash() {
    Path folder = TestDatabase.temporaryFolder("crash");
    try (LocalPostgres server = LocalPostgres.start(folder)) {
      long before;
      try (PostgresStorage first = PostgresStorage.open(TestDatabase.settings(server.url()))) {
        first.prepare(TestDatabase.IDENTITY);
        claim(first, 1, NORA);
        before = claim(first, 2, NORA);
      }
      server.kill();
      server.start();
      try (PostgresStorage second = PostgresStorage.open(TestDatabase.settings(server.url()))) {
        second.prepare(TestDatabase.IDENTITY);
        assertThat(second.leases().find(2).map(Lease::epoch)).contains(before);
        assertThat(claim(second, 2, OLAF)).isGreaterThan(before);
        assertThat(claim(second, 3, OLAF)).isGreaterThan(before + 1);
      }
    }
    TestDatabase.delete(folder);
  }

  @Test
  void theDatabaseItselfRefusesAFallingEpoch() {
    long epoch = claim(4, NORA);
    for (String attempt :
        List.of(
            "UPDATE shard_lease SET epoch = epoch - 1 WHERE shard = 4",
            "UPDATE shard_lease SET shard = 100004 WHERE shard = 4")) {
      assertThatThrownBy(() -> database.execute(attempt))
          .hasRootCauseInstanceOf(SQLException.class)
          .rootCause()
          .hasMessageContaining("the epoch of shard 4 must rise");
    }
    assertThat(storage.leases().find(4).map(Lease::epoch)).contains(epoch);
  }

  @Test
  void aSequenceThatIsBehindTheRowsIsMovedPastThem() {
    long granted = claim(5, NORA);
    database.execute("UPDATE shard_lease SET epoch = epoch + 500 WHERE shard = 5");
    assertThat(claim(5, OLAF)).isGreaterThan(granted + 500);
    // The sequence, not only the row, is past it: a deleted row loses nothing.
    database.execute("DELETE FROM shard_lease WHERE shard = 5");
    assertThat(claim(5, NORA)).isGreaterThan(granted + 501);
  }

  @Test
  void aSequenceThatIsHopelesslyBehindIsNamed() {
    claim(6, NORA);
    database.execute("UPDATE shard_lease SET epoch = epoch + 1000000000000 WHERE shard = 6");
    assertThatThrownBy(() -> claim(6, OLAF))
        .isInstanceOf(StorageException.Unavailable.class)
        .hasMessageContaining("ALTER SEQUENCE lease_epoch RESTART");
    assertThat(storage.leases().find(6).flatMap(Lease::holder)).contains(NORA);
    database.execute("DELETE FROM shard_lease WHERE shard = 6");
  }

  @Test
  void aTakeoverWaitsForTheBatchInFlightAndFencesTheNext() throws Exception {
    Fence old = new Fence(7, claim(7, NORA), NORA.incarnation());
    try (Connection batch = database.application();
        Statement statement = batch.createStatement()) {
      batch.setAutoCommit(false);
      statement.execute("SELECT 1 FROM shard_lease WHERE shard = 7 FOR KEY SHARE");
      statement.execute(
          """
          INSERT INTO event_journal (persistence_id, sequence_number, writer, shard, epoch,
            event_ser_manifest, event_payload)
          VALUES ('in flight', 1, gen_random_uuid(), 7, %d, '', '\\x00')\
          """
              .formatted(old.epoch()));
      Future<Long> takeover = Together.start(() -> claim(7, OLAF));
      awaitLockWait("SELECT shard, epoch");
      assertThat(takeover.isDone()).isFalse();
      batch.commit();
      assertThat(Together.result(takeover)).isGreaterThan(old.epoch());
    }
    assertThat(storage.newestVersions(List.of("in flight"))).containsExactly(1L);
    assertThat(commit("in flight", 2, old)).isInstanceOf(CommitResult.Fenced.class);
  }

  @Test
  void aCommitThatMeetsATakeoverWaitsForItAndIsFenced() throws Exception {
    Fence old = new Fence(8, claim(8, NORA), NORA.incarnation());
    try (Connection takeover = database.application();
        Statement statement = takeover.createStatement()) {
      takeover.setAutoCommit(false);
      statement.execute("SELECT 1 FROM shard_lease WHERE shard = 8 FOR UPDATE");
      statement.execute("UPDATE shard_lease SET epoch = nextval('lease_epoch') WHERE shard = 8");
      Future<CommitResult> commit = Together.start(() -> commit("late", 1, old));
      awaitLockWait("INSERT INTO event_journal");
      takeover.commit();
      assertThat(Together.result(commit)).isInstanceOf(CommitResult.Fenced.class);
    }
    assertThat(storage.newestVersions(List.of("late"))).containsExactly(0L);
  }

  @Test
  void beatsAndReleasesDoNotWaitForBatchesInFlight() throws Exception {
    long epoch = claim(9, NORA);
    try (Connection batch = database.application();
        Statement statement = batch.createStatement()) {
      batch.setAutoCommit(false);
      statement.execute("SELECT 1 FROM shard_lease WHERE shard = 9 FOR KEY SHARE");
      assertThat(storage.leases().beat(NORA, TIME_TO_LIVE).held()).containsEntry(9, epoch);
      storage.leases().release(9, NORA, epoch);
      assertThat(storage.leases().find(9).orElseThrow().holder()).isEmpty();
    }
  }

  @Test
  void aLockedRowEndsAsUnavailableAndNothingIsGranted() throws Exception {
    long epoch = claim(10, NORA);
    try (Connection blocker = database.application();
        Statement statement = blocker.createStatement()) {
      blocker.setAutoCommit(false);
      statement.execute("SELECT 1 FROM shard_lease WHERE shard = 10 FOR UPDATE");
      assertEndsAsUnavailable(() -> claim(10, OLAF));
      assertEndsAsUnavailable(() -> storage.leases().release(10, NORA, epoch));
    }
    Lease lease = storage.leases().find(10).orElseThrow();
    assertThat(lease.epoch()).isEqualTo(epoch);
    assertThat(lease.holder()).contains(NORA);
  }

  @Test
  void aLockedTableEndsAsUnavailable() throws Exception {
    try (Connection blocker = database.owner();
        Statement statement = blocker.createStatement()) {
      blocker.setAutoCommit(false);
      statement.execute("LOCK TABLE shard_lease IN ACCESS EXCLUSIVE MODE");
      assertEndsAsUnavailable(() -> claim(11, NORA));
      assertEndsAsUnavailable(() -> storage.leases().beat(NORA, TIME_TO_LIVE));
      assertEndsAsUnavailable(() -> storage.leases().find(11));
    }
    assertThat(storage.leases().find(11)).isEmpty();
  }

  @Test
  void aProcessThatStopsInTheMiddleOfAClaimDoesNotKeepTheShard() throws Exception {
    claim(13, NORA);
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch resumed = new CountDownLatch(1);
    Holder stopped = new Holder("stopped:7355", 4);
    // The claimant stands still while it holds the row, as under SIGSTOP.
    Membership standingStill =
        holder -> {
          inside.countDown();
          try {
            return resumed.await(1, TimeUnit.MINUTES);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        };
    Future<Claim> late =
        Together.start(() -> storage.leases().acquire(13, stopped, standingStill, TIME_TO_LIVE));
    assertThat(inside.await(1, TimeUnit.MINUTES)).isTrue();
    long taken = claimDespiteLocks(13, OLAF);
    resumed.countDown();
    assertThatThrownBy(() -> Together.result(late))
        .hasCauseInstanceOf(StorageException.Unavailable.class);
    Lease lease = storage.leases().find(13).orElseThrow();
    assertThat(lease.holder()).contains(OLAF);
    assertThat(lease.epoch()).isEqualTo(taken);
  }

  /** Claims again while a lock is in the way, for as long as a test may take. */
  private static long claimDespiteLocks(int shard, Holder holder) {
    long deadline = System.nanoTime() + DEADLINE.toNanos();
    while (true) {
      try {
        return claim(shard, holder);
      } catch (StorageException.Unavailable e) {
        if (System.nanoTime() > deadline) throw e;
      }
    }
  }

  private static void assertEndsAsUnavailable(Runnable call) {
    long started = System.nanoTime();
    assertThatThrownBy(call::run)
        .isInstanceOf(StorageException.Unavailable.class)
        .hasMessageContaining("lock timeout");
    assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(DEADLINE);
  }

  @Test
  void anExpiryIsTheDatabasesTimeWhateverTheSessionsTimeZone() throws Exception {
    claim(12, NORA);
    try (Connection connection = database.owner();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT extract(epoch FROM expires_at) FROM node_lease WHERE incarnation = 1")) {
      row.next();
      assertThat(storage.leases().find(12).orElseThrow().expiresAt().toEpochMilli())
          .isEqualTo(Math.round(row.getDouble(1) * 1_000 - 0.5));
    }
  }

  /** Waits until a session of the engine stands before a lock with such a statement. */
  private static void awaitLockWait(String statementPart) throws SQLException {
    String sql =
        "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%"
            + statementPart
            + "%'";
    long deadline = System.nanoTime() + DEADLINE.toNanos();
    try (Connection connection = database.server().connect(database.name(), "postgres");
        Statement statement = connection.createStatement()) {
      while (System.nanoTime() < deadline) {
        try (ResultSet row = statement.executeQuery(sql)) {
          row.next();
          if (row.getInt(1) > 0) return;
        }
        Thread.onSpinWait();
      }
    }
    throw new AssertionError("nobody waits for a lock with: " + statementPart);
  }
}
