package dev.tenure.sharding.wake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.process.Await;
import dev.tenure.sharding.process.NodeProcess;
import dev.tenure.sharding.workflow.StartRequest;
import dev.tenure.sharding.workflow.TestNode;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowRegistration;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A node with little memory and more work than that holds: it lives, and works it off. */
@Tag("processes")
class SmallMemoryTest {
  private static final String MEMORY = "-Xmx512m";
  private static final int DUE = 1_000_000;

  /** More than the node begins while the test looks on: only these have a history. */
  private static final int WITH_HISTORY = 60_000;

  /** More than it may have at work at once. */
  private static final int WORKED_OFF = 20_000;

  /** Those at work, those that have not begun, and those that have just ended. */
  private static final int IN_MEMORY_MAX = 30_000;

  private static final int LARGE = 2_000;
  private static final Duration START_LIMIT = Duration.ofSeconds(120);
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final Duration BEATS_WITHIN = Duration.ofSeconds(10);

  private final TestDatabase database = TestDatabase.migrated();

  @AfterEach
  void close() {
    SmallNode.hold.countDown();
    database.close();
  }

  private NodeProcess launch(String name) {
    return NodeProcess.start(name, List.of(MEMORY), SmallNode.class, List.of(database.url()));
  }

  /** Leaves a workflow as it stands when the row says so. */
  private void template(String type, String when) {
    TestNode.Plan plan = new TestNode.Plan();
    for (WorkflowRegistration<?> one : SmallNode.types()) plan.type(one);
    try (TestNode node = TestNode.start(database, plan)) {
      TestNode.await(node.workflows().start(StartRequest.of("template", type, Payload.NONE)));
      Await.until("it stands there", TestNode.SOON, () -> number(when) == 1);
    }
  }

  private long number(String sql) {
    try (Connection connection = database.owner();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  private static List<String> ids(int count) {
    return IntStream.range(0, count).mapToObj(i -> "copy-" + i).toList();
  }

  private long beatenUntil() {
    return number("SELECT extract(epoch FROM max(expires_at)) * 1000 FROM node_lease");
  }

  private void assertInOrder(NodeProcess node, long epochs) {
    assertThat(node.isAlive()).isTrue();
    assertThat(node.query("held")).isEqualTo(TestDatabase.IDENTITY.shards());
    assertThat(node.query("lacks-leases")).as("without leases").isZero();
    assertThat(epochs()).as("no lease was lost and taken again").isEqualTo(epochs);
    long before = beatenUntil();
    Await.until("the node beats", BEATS_WITHIN, () -> beatenUntil() > before);
  }

  private long epochs() {
    return number("SELECT sum(epoch) FROM shard_lease");
  }

  private void awaitAllShards(NodeProcess node) {
    Await.until(
        "it holds all shards",
        START_LIMIT,
        () -> node.query("held") == TestDatabase.IDENTITY.shards());
  }

  @Test
  void aMillionThatAreDueAtOnceAreWorkedOff() {
    template("sleeper", "SELECT count(*) FROM workflow_all WHERE wake_at > clock_timestamp()");
    CopiedHistories copies = new CopiedHistories(database, "template");
    List<String> ids = ids(DUE);
    copies.histories(ids.subList(0, WITH_HISTORY));
    copies.rows(ids);
    try (NodeProcess node = launch("million").awaitUp(START_LIMIT)) {
      awaitAllShards(node);
      long epochs = epochs();
      AtomicLong most = new AtomicLong();
      Await.until(
          WORKED_OFF + " are done",
          LIMIT,
          () -> {
            most.accumulateAndGet(node.query("resident"), Math::max);
            return node.query("done") >= WORKED_OFF;
          });
      assertThat(most.get()).as("in memory").isLessThan(IN_MEMORY_MAX);
      assertInOrder(node, epochs);
      System.out.println(
          "at most " + most.get() + " in memory, " + node.query("live-mb") + " MiB live");
    }
  }

  @Test
  void twoThousandLargeHistoriesOfALostNodeAreRecovered() {
    // What is stored is small, and what is read is not.
    database.execute("ALTER TABLE event_journal ALTER COLUMN event_payload SET STORAGE EXTENDED");
    SmallNode.hold = new CountDownLatch(1);
    template(
        "large",
        "SELECT count(*) FROM event_journal WHERE sequence_number = " + (SmallNode.RESULTS + 1));
    CopiedHistories copies = new CopiedHistories(database, "template");
    copies.histories(ids(LARGE));
    copies.rows(ids(LARGE));
    database.execute(
        "UPDATE shard_lease SET holder_node = 'lost:1', holder_incarnation = 1,"
            + " expires_at = clock_timestamp()");
    try (NodeProcess node = launch("large-histories").awaitUp(START_LIMIT)) {
      awaitAllShards(node);
      long epochs = epochs();
      Await.until(
          "all of them are done",
          LIMIT,
          () ->
              number("SELECT count(*) FROM workflow_all WHERE status = 'completed'") == LARGE + 1);
      assertInOrder(node, epochs);
      System.out.println(node.query("live-mb") + " MiB live");
    }
  }
}
