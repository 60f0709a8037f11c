package dev.tenure.sharding.counter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.embedded.LocalPostgres;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.process.Await;
import dev.tenure.sharding.process.NodeProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

/** Three nodes in processes of their own, a PostgreSQL of their own, and what to ask of both. */
final class CounterCluster implements AutoCloseable {
  static final int SHARDS = 24;
  static final Duration START_LIMIT = Duration.ofSeconds(40);

  /** Enough for every shard to have some. */
  static final List<String> COUNTERS =
      IntStream.range(0, 60).mapToObj(i -> "counter-" + i).toList();

  private final String test;
  private final Path folder = TestDatabase.temporaryFolder("cluster");
  private final LocalPostgres postgres =
      // When a row was committed is what tells a late writer; `ordering` is handed out in blocks.
      LocalPostgres.start(folder, Map.of("track_commit_timestamp", "on"));
  private final List<String> options;
  private final Map<Integer, NodeProcess> nodes = new TreeMap<>();
  private final List<NodeProcess> live = new CopyOnWriteArrayList<>();
  private final List<Integer> ports = new ArrayList<>();

  private CounterCluster(String test, List<String> options) {
    this.test = test;
    this.options = options;
  }

  static CounterCluster start(String test, int size, String... options) {
    CounterCluster cluster = new CounterCluster(test, Arrays.asList(options));
    try {
      for (int i = 0; i < size; i++) cluster.launch(i);
      for (int i = 0; i < size; i++) cluster.awaitUp(i);
      cluster.awaitMembers(size);
      return cluster;
    } catch (RuntimeException | Error e) {
      cluster.close();
      throw e;
    }
  }

  /** Starts node {@code i} at the address that it always has. */
  NodeProcess launch(int i) {
    while (ports.size() <= i) ports.add(freePort());
    NodeProcess node =
        NodeProcess.start(
            test + "-" + i,
            CounterNode.class,
            java.util.stream.Stream.concat(
                    java.util.stream.Stream.of(
                        ports.get(i).toString(), postgres.url(), Integer.toString(SHARDS)),
                    options.stream())
                .toList());
    nodes.put(i, node);
    return node;
  }

  void awaitUp(int i) {
    live.add(node(i).awaitUp(START_LIMIT));
  }

  NodeProcess node(int i) {
    return nodes.get(i);
  }

  /** The nodes that clients turn to. */
  List<NodeProcess> live() {
    return live;
  }

  /** Clients do not turn to this node any more. */
  void avoid(int i) {
    live.remove(node(i));
  }

  void awaitMembers(int size) {
    for (NodeProcess node : live) {
      Await.until(
          node.name() + " sees " + size + " members",
          START_LIMIT,
          () -> node.query("members") == size);
    }
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  LocalPostgres postgres() {
    return postgres;
  }

  /** The address by which the store knows node {@code i}. */
  String address(int i) {
    return "tenure@127.0.0.1:" + ports.get(i);
  }

  /** The node whose process is the cluster's oldest member: it founded it. */
  int oldest() {
    String founder =
        text("SELECT node FROM cluster_member ORDER BY started_at, node LIMIT 1").getFirst();
    return IntStream.range(0, ports.size())
        .filter(i -> address(i).equals(founder))
        .findFirst()
        .orElseThrow();
  }

  /** The first column of what a query returns, as text. */
  List<String> text(String sql) {
    try (Connection connection = postgres.connect(LocalPostgres.DATABASE, "postgres");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> values = new ArrayList<>();
      while (rows.next()) values.add(rows.getString(1));
      return values;
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  long number(String sql) {
    return Long.parseLong(text(sql).getFirst());
  }

  /** Every counter answers a request that is sent from now on; returns how long that took. */
  Duration awaitAllAnswer(Load load, Duration limit) {
    long now = System.nanoTime();
    return Await.until(
        "all counters answer; " + load.silentSince(now, COUNTERS) + " do not",
        limit,
        () -> load.silentSince(now, COUNTERS) == 0);
  }

  /** Every acknowledged increment is in the journal, once, and versions have no gap (I1, I2). */
  void assertNothingLost(Set<String> acknowledged) {
    // One query for both questions: a request that nobody waits for any more may still be stored.
    List<String> rows =
        text("SELECT split_part(convert_from(event_payload, 'UTF8'), ' ', 3) FROM event_journal");
    Set<String> stored = new HashSet<>(rows);
    Set<String> lost = new HashSet<>(acknowledged);
    lost.removeAll(stored);
    assertThat(lost).as("acknowledged, and not there").isEmpty();
    assertThat(stored).as("each request once").hasSameSizeAs(rows);
    assertThat(
            number(
                """
                SELECT count(*) FROM (
                  SELECT persistence_id FROM event_journal GROUP BY persistence_id
                  HAVING count(*) <> max(sequence_number)) AS gaps\
                """))
        .isZero();
  }

  /**
   * Rows whose writer was not the owner any more when they were committed (I16): within a shard,
   * the writers' epochs only rise. What the writer believed its epoch to be is in the payload,
   * where nothing on the way to the store changes it.
   */
  long staleRows() {
    return number(
        """
        WITH rows AS (
          SELECT shard, pg_xact_commit_timestamp(xmin) AS committed,
                 split_part(convert_from(event_payload, 'UTF8'), ' ', 2)::bigint AS believed
          FROM event_journal),
        marked AS (
          SELECT believed,
                 max(believed) OVER (PARTITION BY shard ORDER BY committed, believed) AS newest
          FROM rows)
        SELECT count(*) FROM marked WHERE believed < newest\
        """);
  }

  /** Everything that was written under these tenures, {@code (shard, epoch)}, by its own word. */
  List<String> writtenUnder(List<String> tenures) {
    String in = "IN (" + String.join(", ", tenures) + ")";
    return text(
        """
        SELECT persistence_id || ' ' || sequence_number
        FROM event_journal, convert_from(event_payload, 'UTF8') AS payload
        WHERE (split_part(payload, ' ', 1)::int, split_part(payload, ' ', 2)::bigint) %1$s
        UNION ALL
        SELECT 'snapshot of ' || persistence_id || ' ' || sequence_number
        FROM snapshot, convert_from(snapshot_payload, 'UTF8') AS payload
        WHERE (split_part(payload, ' ', 1)::int, split_part(payload, ' ', 2)::bigint) %1$s
        ORDER BY 1\
        """
            .formatted(in));
  }

  /** The newest cluster that was founded. */
  long generation() {
    return number("SELECT generation FROM cluster_generation");
  }

  @Override
  public void close() {
    nodes.values().forEach(NodeProcess::close);
    postgres.close();
    TestDatabase.delete(folder);
  }
}
