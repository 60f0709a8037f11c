package dev.tenure.sharding.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.embedded.LocalPostgres;
import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.entry.JournalEntryCodec;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.process.Await;
import dev.tenure.sharding.process.NodeProcess;
import dev.tenure.workflow.kernel.Event;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Three nodes in processes of their own, a PostgreSQL of their own, and what to ask of both. */
final class CountingCluster implements AutoCloseable {
  static final int SHARDS = 24;
  static final Duration START_LIMIT = Duration.ofSeconds(120);

  /** Enough for every shard to have some. */
  static final List<String> COUNTERS =
      IntStream.range(0, 60).mapToObj(i -> "counter-" + i).toList();

  private final String test;
  private final Path folder = TestDatabase.temporaryFolder("cluster");
  private final LocalPostgres postgres =
      // When a row was committed is what tells a late writer; the row itself has no such moment.
      LocalPostgres.start(folder, Map.of("track_commit_timestamp", "on"));
  private final List<String> options;
  private final Map<Integer, NodeProcess> nodes = new TreeMap<>();
  private final List<NodeProcess> live = new CopyOnWriteArrayList<>();
  private final List<Integer> ports = new ArrayList<>();

  private CountingCluster(String test, List<String> options) {
    this.test = test;
    this.options = options;
  }

  static CountingCluster start(String test, int size, String... options) {
    CountingCluster cluster = new CountingCluster(test, Arrays.asList(options));
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
    return launch(i, postgres.url());
  }

  /**
   * @param url by which this node reaches the database
   */
  NodeProcess launch(int i, String url, String... more) {
    NodeProcess node =
        NodeProcess.start(
            test + "-" + i,
            CountingNode.class,
            Stream.of(
                    Stream.of(Integer.toString(port(i)), url, Integer.toString(SHARDS)),
                    options.stream(),
                    Stream.of(more))
                .flatMap(each -> each)
                .toList());
    nodes.put(i, node);
    return node;
  }

  /** A cluster without nodes. */
  static CountingCluster empty(String test) {
    return new CountingCluster(test, List.of());
  }

  int port(int i) {
    while (ports.size() <= i) ports.add(freePort());
    return ports.get(i);
  }

  /** Others reach node {@code i} at this port from now on. */
  void announce(int i, int port) {
    port(i);
    ports.set(i, port);
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

  static int freePort() {
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

  /** A commit as it is stored. */
  private record Stored(String id, long version, int shard, String committed, JournalEntry entry) {}

  private List<Stored> journal() {
    String sql =
        """
        SELECT persistence_id, sequence_number, shard, event_payload,
          extract(epoch FROM pg_xact_commit_timestamp(xmin))::text
        FROM event_journal\
        """;
    try (Connection connection = postgres.connect(LocalPostgres.DATABASE, "postgres");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<Stored> all = new ArrayList<>();
      while (rows.next())
        all.add(
            new Stored(
                rows.getString(1),
                rows.getLong(2),
                rows.getInt(3),
                rows.getString(5),
                JournalEntryCodec.decode(rows.getBytes(4))));
      return all;
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** Every acknowledged increment is in the journal, once, and versions have no gap (I1, I2). */
  void assertNothingLost(Set<String> acknowledged) {
    // One query for all questions: a request that nobody waits for any more may still be stored.
    List<String> rows = new ArrayList<>();
    Map<String, Long> newest = new HashMap<>();
    Map<String, Long> count = new HashMap<>();
    for (Stored one : journal()) {
      for (Event event : one.entry.events())
        if (event instanceof Event.UpdateAnswered answered) rows.add(answered.updateId());
      newest.merge(one.id, one.version, Math::max);
      count.merge(one.id, 1L, Long::sum);
    }
    Set<String> stored = new HashSet<>(rows);
    Set<String> lost = new HashSet<>(acknowledged);
    lost.removeAll(stored);
    assertThat(lost).as("acknowledged, and not there").isEmpty();
    assertThat(stored).as("each request once").hasSameSizeAs(rows);
    assertThat(count).as("versions without a gap").isEqualTo(newest);
  }

  /**
   * Rows whose writer was not the owner any more when they were committed (I16): within a shard,
   * the writers' epochs only rise. What the writer believed its epoch to be is in the payload,
   * where nothing on the way to the store changes it.
   */
  long staleRows() {
    List<Stored> inOrder = new ArrayList<>(journal());
    inOrder.sort(
        Comparator.comparing((Stored one) -> new BigDecimal(one.committed))
            .thenComparing(one -> one.entry.fence().epoch()));
    Map<Integer, Long> newest = new HashMap<>();
    long stale = 0;
    for (Stored one : inOrder) {
      long believed = one.entry.fence().epoch();
      if (believed < newest.merge(one.shard, believed, Math::max)) stale++;
    }
    return stale;
  }

  /** Everything that was written under these tenures, by its own word. */
  List<String> writtenUnder(Set<Fence> tenures) {
    return journal().stream()
        .filter(one -> tenures.contains(one.entry.fence()))
        .map(one -> one.id + " " + one.version)
        .sorted()
        .toList();
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
