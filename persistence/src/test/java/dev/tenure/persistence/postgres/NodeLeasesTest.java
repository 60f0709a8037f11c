package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitId;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.Writers;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Lease;
import dev.tenure.persistence.lease.Leases.Claim;
import dev.tenure.persistence.lease.Membership;
import dev.tenure.persistence.lease.Takeover;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.persistence.storage.Together;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is PostgreSQL's own about beats: row locks, snapshots, and engines of before. */
class NodeLeasesTest {
  private static final Holder NORA = new Holder("nora:7355", 1);
  private static final Holder OLAF = new Holder("olaf:7355", 2);
  private static final Duration TIME_TO_LIVE = Duration.ofMinutes(10);
  private static final Duration DEADLINE = Duration.ofSeconds(20);
  private static final int BEATS = 10_000;

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

  private Claim ask(int shard, Holder holder) {
    return storage.leases().acquire(shard, holder, Membership.UNKNOWN, TIME_TO_LIVE);
  }

  private Fence claim(int shard, Holder holder) {
    return new Fence(shard, ((Claim.Granted) ask(shard, holder)).epoch(), holder.incarnation());
  }

  private static Commit step(Fence fence) {
    return step("workflow", fence);
  }

  private static Commit step(String workflow, Fence fence) {
    CommitId id = new CommitId(workflow, 1, Writers.named("writer"));
    return new Commit(id, fence, "", new byte[1], List.of());
  }

  private void expire(Holder holder) {
    database.execute(
        "UPDATE node_lease SET expires_at = clock_timestamp() WHERE incarnation = "
            + holder.incarnation());
  }

  private List<String> query(String sql) throws SQLException {
    try (Connection connection = database.owner();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> found = new ArrayList<>();
      while (rows.next()) found.add(rows.getString(1));
      return found;
    }
  }

  @Test
  void aBeatThatMeetsAClaimWaitsForItAndLearnsOfTheLoss() throws Exception {
    Fence kept = claim(1, NORA);
    claim(2, NORA);
    expire(NORA);
    // The claim stands still when it has decided, before it changes the row.
    database.execute(
        """
        CREATE FUNCTION stand_still() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NEW; END $$
        """);
    database.execute(
        "CREATE TRIGGER stand_still BEFORE UPDATE ON shard_lease FOR EACH ROW EXECUTE FUNCTION"
            + " stand_still()");
    Future<Claim> claim;
    Future<Map<Integer, Long>> beat;
    try (Connection holding = database.owner();
        Statement statement = holding.createStatement()) {
      statement.execute("SELECT pg_advisory_lock(7)");
      claim = Together.start(() -> ask(2, OLAF));
      awaitLockWait("UPDATE shard_lease");
      beat = Together.start(() -> storage.leases().beat(NORA, TIME_TO_LIVE).held());
      awaitLockWait("UPDATE node_lease");
    }
    assertThat(Together.result(claim))
        .isInstanceOfSatisfying(
            Claim.Granted.class,
            granted -> assertThat(granted.reason()).isEqualTo(Takeover.Reason.EXPIRED));
    assertThat(Together.result(beat)).isEqualTo(Map.of(1, kept.epoch()));
  }

  @Test
  void aClaimThatMeetsABeatIsRefusedWithoutWaiting() throws Exception {
    Fence held = claim(1, NORA);
    expire(NORA);
    try (Connection beat = database.application();
        Statement statement = beat.createStatement()) {
      beat.setAutoCommit(false);
      statement.execute("UPDATE node_lease SET expires_at = now() + interval '1 hour'");
      assertThat(ask(1, OLAF))
          .isInstanceOfSatisfying(
              Claim.Refused.class, refused -> assertThat(refused.holder()).isEqualTo(NORA));
      assertThat(storage.leases().acquireFree(Set.of(1), OLAF, Membership.UNKNOWN, TIME_TO_LIVE))
          .isEmpty();
      beat.commit();
    }
    assertThat(ask(1, OLAF)).isInstanceOf(Claim.Refused.class);
    assertThat(storage.leases().beat(NORA, TIME_TO_LIVE).held()).isEqualTo(Map.of(1, held.epoch()));
  }

  @Test
  void aRefusedClaimDoesNotTouchTheHoldersRow() throws Exception {
    claim(1, NORA);
    try (Connection other = database.application();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("SELECT 1 FROM node_lease FOR UPDATE");
      assertThat(ask(1, OLAF)).isInstanceOf(Claim.Refused.class);
    }
    assertThat(query("SELECT node FROM node_lease")).containsExactly(NORA.node());
  }

  @Test
  void whatOneNodeLeftIsTakenTogetherAndItsLateBeatLearnsOfIt() {
    for (int shard = 1; shard <= 3; shard++) claim(shard, NORA);
    expire(NORA);
    assertThat(storage.leases().acquireFree(Set.of(1, 2), OLAF, Membership.UNKNOWN, TIME_TO_LIVE))
        .containsOnlyKeys(1, 2);
    assertThat(storage.leases().beat(NORA, TIME_TO_LIVE).held()).containsOnlyKeys(3);
    assertThat(storage.leases().beat(OLAF, TIME_TO_LIVE).held()).containsOnlyKeys(1, 2);
  }

  @Test
  void aBeatChangesOneRowHoweverManyShardsItsNodeHas() throws SQLException {
    for (int shard = 0; shard < 64; shard++) claim(shard, NORA);
    String versions = "SELECT shard || ' ' || ctid || ' ' || xmin || ' ' || xmax FROM shard_lease";
    List<String> before = query(versions);
    List<String> node = query("SELECT xmin FROM node_lease");
    assertThat(storage.leases().beat(NORA, TIME_TO_LIVE).held()).hasSize(64);
    assertThat(query(versions)).hasSize(64).isEqualTo(before);
    assertThat(query("SELECT xmin FROM node_lease")).hasSize(1).isNotEqualTo(node);
  }

  /** Commits have to cost the same for as long as a dump runs. */
  @Test
  void beatsUnderAHeldSnapshotCostCommitsNothing() throws Exception {
    Fence fence = claim(0, NORA);
    for (int shard = 1; shard < 64; shard++) claim(shard, NORA);
    Commit commit = step(fence);
    List<Commit> two = List.of(commit, step("other", fence));
    try (Connection dump = database.owner();
        Statement snapshot = dump.createStatement()) {
      dump.setAutoCommit(false);
      dump.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      snapshot.execute("SELECT 1 FROM node_lease");
      long alone = visited("shard_lease", JournalInsert.ALONE, List.of(commit));
      long many = visited("shard_lease", JournalInsert.MANY, two);
      long node = visitedByBeat();
      beat();
      assertThat(visitedByBeat())
          .as("the snapshot keeps the versions of the row that beats change")
          .isGreaterThan(10 * node);
      assertThat(visited("shard_lease", JournalInsert.ALONE, List.of(commit))).isEqualTo(alone);
      assertThat(visited("shard_lease", JournalInsert.MANY, two)).isEqualTo(many);
      dump.rollback();
    }
    assertThat(storage.commit(List.of(commit))).containsExactly(new CommitResult.Committed(1));
  }

  /** Each beat commits by itself. Not waiting for the disk changes nothing in what it leaves. */
  private void beat() throws SQLException {
    try (Connection connection = database.application();
        Statement setting = connection.createStatement()) {
      setting.execute("SET synchronous_commit = off");
      for (int beat = 0; beat < BEATS; beat++)
        assertThat(NodeLeases.beat(connection, NORA, TIME_TO_LIVE).held()).hasSize(64);
    }
  }

  private long visitedByBeat() throws Exception {
    try (Connection connection = storage.connections(ConnectionPurpose.WORK).getConnection();
        PreparedStatement beat =
            connection.prepareStatement(
                EXPLAIN + "UPDATE node_lease SET node = node WHERE incarnation = 1")) {
      connection.setAutoCommit(false);
      long pages = pages("node_lease", beat);
      connection.rollback();
      return pages;
    }
  }

  private static final String EXPLAIN = "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ";

  /** How many pages of a table, and of its indexes, a commit looks at. */
  private long visited(String table, String form, List<Commit> batch) throws Exception {
    try (Connection connection = storage.connections(ConnectionPurpose.WORK).getConnection();
        PreparedStatement insert = connection.prepareStatement(EXPLAIN + form)) {
      connection.setAutoCommit(false);
      JournalInsert.bind(connection, insert, batch);
      long pages = pages(table, insert);
      connection.rollback();
      return pages;
    }
  }

  private static long pages(String table, PreparedStatement explain) throws Exception {
    try (ResultSet row = explain.executeQuery()) {
      row.next();
      JsonNode plan = new ObjectMapper().readTree(row.getString(1)).get(0).get("Plan");
      long pages = 0;
      for (JsonNode scan : scans(table, plan)) {
        assertThat(scan.get("Actual Rows").asInt()).as("%s", scan).isPositive();
        pages += scan.get("Shared Hit Blocks").asLong() + scan.get("Shared Read Blocks").asLong();
      }
      assertThat(pages).as("%s", plan).isPositive();
      return pages;
    }
  }

  private static List<JsonNode> scans(String table, JsonNode plan) {
    List<JsonNode> found = new ArrayList<>();
    boolean isScan = plan.get("Node Type").asText().contains("Scan");
    if (isScan && plan.path("Relation Name").asText().equals(table)) found.add(plan);
    for (JsonNode below : plan.path("Plans")) found.addAll(scans(table, below));
    return found;
  }

  @Test
  void rowsOfProcessesThatEndedLongAgoGo() throws SQLException {
    Fence released = claim(1, NORA);
    storage.leases().release(1, NORA, released.epoch());
    Holder withShard = new Holder("keeps:7355", 3);
    claim(2, withShard);
    database.execute("UPDATE node_lease SET expires_at = now() - interval '2 days'");
    claim(3, OLAF);
    assertThat(query("SELECT node FROM node_lease ORDER BY node"))
        .containsExactly(withShard.node(), OLAF.node());
    // The process was only asleep.
    assertThat(storage.leases().beat(NORA, TIME_TO_LIVE).held()).isEmpty();
    claim(1, NORA);
    assertThat(storage.leases().beat(NORA, TIME_TO_LIVE).held()).containsOnlyKeys(1);
  }

  @Test
  void aHolderThatTheStoreHasForgottenHasNothing() {
    claim(1, NORA);
    database.execute("DELETE FROM node_lease");
    assertThat(storage.leases().beat(NORA, TIME_TO_LIVE).held()).isEmpty();
    assertThat(storage.leases().holdings().getFirst().node()).isEmpty();
    Claim taken = ask(1, OLAF);
    assertThat(((Claim.Granted) taken).reason()).isEqualTo(Takeover.Reason.EXPIRED);
  }

  // --- engines before the table node_lease

  /** What an engine of before does when it claims. */
  private void takeOverAsBefore(int shard, Holder holder) {
    database.execute(
        """
        UPDATE shard_lease SET epoch = nextval('lease_epoch'), holder_node = '%s',
          holder_incarnation = %d, expires_at = clock_timestamp() + interval '10 minutes'
        WHERE shard = %d
        """
            .formatted(holder.node(), holder.incarnation(), shard));
  }

  @Test
  void aShardOfAnEngineOfBeforeIsFreeWhenItsOwnTimeIsOver() {
    claim(1, NORA);
    Holder before = new Holder("before:7355", 9);
    takeOverAsBefore(1, before);
    assertThat(ask(1, OLAF))
        .isInstanceOfSatisfying(
            Claim.Refused.class,
            refused -> {
              assertThat(refused.holder()).isEqualTo(before);
              assertThat(refused.atMost()).isBetween(Duration.ofMinutes(9), TIME_TO_LIVE);
            });
    assertThat(storage.leases().holdings().getFirst().node()).contains(before.node());
    database.execute("UPDATE shard_lease SET expires_at = clock_timestamp()");
    Claim taken = ask(1, OLAF);
    assertThat(((Claim.Granted) taken).reason()).isEqualTo(Takeover.Reason.EXPIRED);
  }

  @Test
  void anEngineOfBeforeThatTookAShardFencesItsHolder() {
    Fence old = claim(1, NORA);
    takeOverAsBefore(1, new Holder("before:7355", 9));
    assertThat(storage.commit(List.of(step(old))).getFirst())
        .isInstanceOf(CommitResult.Fenced.class);
    assertThat(storage.leases().beat(NORA, TIME_TO_LIVE).held()).isEmpty();
  }

  @Test
  void anEngineOfBeforeTakesOnlyFromNodesThatLeft() throws SQLException {
    Fence fence = claim(1, NORA);
    storage.leases().beat(NORA, TIME_TO_LIVE);
    // It goes by the row of the shard alone.
    Instant expiresAt;
    try (Connection connection = database.application();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT expires_at FROM shard_lease")) {
      row.next();
      expiresAt = row.getTimestamp(1).toInstant();
    }
    Optional<Lease> seen = Optional.of(new Lease(1, fence.epoch(), Optional.of(NORA), expiresAt));
    Instant inYears = Instant.now().plus(Duration.ofDays(10_000));
    assertThat(Takeover.decide(seen, OLAF, Membership.UNKNOWN, inYears))
        .isInstanceOf(Takeover.Wait.class);
    assertThat(Takeover.decide(seen, OLAF, NORA::equals, inYears))
        .isEqualTo(new Takeover.Take(Takeover.Reason.HOLDER_GONE));
    storage.leases().release(1, NORA, fence.epoch());
    assertThat(query("SELECT 1 FROM shard_lease WHERE expires_at <= clock_timestamp()")).hasSize(1);
  }

  private void awaitLockWait(String statementPart) throws SQLException {
    String sql =
        "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = '%s' AND query LIKE '%%%s%%'"
            .formatted(database.name(), statementPart);
    long deadline = System.nanoTime() + DEADLINE.toNanos();
    try (Connection connection = database.server().connect(database.name(), "postgres");
        Statement statement = connection.createStatement()) {
      while (System.nanoTime() < deadline) {
        try (ResultSet row = statement.executeQuery(sql)) {
          if (row.next()) return;
        }
        Thread.onSpinWait();
      }
    }
    throw new AssertionError("nobody waits for a lock with: " + statementPart);
  }
}
