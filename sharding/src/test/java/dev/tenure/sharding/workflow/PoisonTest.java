package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.embedded.LocalPostgres;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.process.Await;
import dev.tenure.sharding.process.NodeProcess;
import dev.tenure.sharding.recovery.Suspicion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A workflow ends every process that runs it, beside others that are well. Somebody starts nodes
 * again when they end, as Kubernetes would.
 */
@Tag("processes")
class PoisonTest {
  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final Duration LIMIT = Duration.ofMinutes(4);
  private static final int SHARDS = 6;
  private static final int NODES = 2;
  private static final int HEALTHY = 30;
  private static final int PATIENT = 5;

  private final Path folder = TestDatabase.temporaryFolder("poison");
  private final LocalPostgres postgres = LocalPostgres.start(folder, Map.of());
  private final List<NodeProcess> nodes = new ArrayList<>();
  private final List<Integer> ports = new ArrayList<>();
  private int losses;

  @BeforeEach
  void start() {
    for (int i = 0; i < NODES; i++) {
      ports.add(freePort());
      nodes.add(launch(i));
    }
    nodes.forEach(node -> node.awaitUp(START_LIMIT));
  }

  @AfterEach
  void stop() {
    nodes.forEach(NodeProcess::close);
    postgres.close();
    TestDatabase.delete(folder);
  }

  private NodeProcess launch(int i) {
    return NodeProcess.start(
        "poison-" + i,
        PerilousNode.class,
        List.of(ports.get(i).toString(), postgres.url(), Integer.toString(SHARDS)));
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts again whatever has ended. */
  private void supervise() {
    for (int i = 0; i < NODES; i++) {
      if (nodes.get(i).isAlive()) continue;
      losses++;
      nodes.set(i, launch(i));
    }
  }

  private boolean ask(String request) {
    try {
      for (NodeProcess node : nodes)
        if (node.isAlive()) {
          node.query(request);
          return true;
        }
      return false;
    } catch (NodeProcess.NoAnswer | CompletionException ended) {
      return false;
    }
  }

  private void start(String type, String id, String input) {
    Await.until(
        id + " is started",
        LIMIT,
        () -> {
          supervise();
          return ask("start " + type + " " + id + " " + input) || count("id = '" + id + "'") == 1;
        });
  }

  private long count(String where) {
    return number("SELECT count(*) FROM workflow_all WHERE " + where);
  }

  private long number(String sql) {
    return Long.parseLong(text(sql));
  }

  private String text(String sql) {
    try (Connection connection = postgres.connect(LocalPostgres.DATABASE, "postgres");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void whatEndsEveryProcessIsFoundAmongThoseThatAreMerelyThere() {
    Path defused = folder.resolve("defused");
    for (int i = 0; i < HEALTHY; i++) start("healthy", "healthy-" + i, "");
    for (int i = 0; i < PATIENT; i++) start("patient", "patient-" + i, "");
    start("bomb", "bomb", defused.toString());

    Duration found =
        Await.until(
            "the bomb stands still",
            LIMIT,
            () -> {
              supervise();
              return number("SELECT count(*) FROM incident WHERE kind = 'poison'") > 0;
            });
    System.out.println("found after " + losses + " lost nodes, within " + found);
    // Nobody else is held to be the cause.
    assertThat(text("SELECT string_agg(workflow_id || ' ' || kind, ', ') FROM incident"))
        .isEqualTo("bomb poison");
    assertThat(losses).isLessThanOrEqualTo(Suspicion.LOSSES_MAX);
    int before = losses;
    Await.until(
        "all others are done",
        LIMIT,
        () -> {
          supervise();
          return count("status = 'completed'") == HEALTHY + PATIENT;
        });
    assertThat(losses).as("nodes lost after it was found").isEqualTo(before);
    assertThat(count("status = 'incident' AND id = 'bomb'")).isEqualTo(1);
    // What went on is no suspect any more, and nothing is left of the search.
    Await.until("nothing is counted", LIMIT, () -> number("SELECT count(*) FROM recovery") == 0);

    touch(defused);
    Await.until("it is resolved", LIMIT, () -> ask("resolve bomb"));
    Await.until("it is done", LIMIT, () -> count("status = 'completed' AND id = 'bomb'") == 1);
    assertThat(losses).isEqualTo(before);
    assertThat(number("SELECT count(*) FROM incident")).isZero();
  }

  private static void touch(Path file) {
    try {
      Files.createFile(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
