package dev.tenure.sharding.rolling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.process.Await;
import dev.tenure.sharding.process.NodeProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The rows of the rolling upgrade with two real builds, an earlier one and this one, in processes
 * of their own: {@code ./tenure test --rolling COMMIT}. Which of them can run depends on the levels
 * of formats of the two.
 */
@Tag("processes")
@EnabledIfSystemProperty(
    named = "tenure.rolling",
    matches = ".+",
    disabledReason = "needs an earlier build: ./tenure test --rolling COMMIT")
class RollingBuildsTest {
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final int WORKFLOWS = 12;

  private TestDatabase database;
  private NodeProcess earlier;
  private NodeProcess current;

  @BeforeEach
  void open() {
    database = TestDatabase.empty();
  }

  @AfterEach
  void close() {
    if (earlier != null) earlier.close();
    if (current != null) current.close();
    database.close();
  }

  private NodeProcess earlier() throws IOException {
    String classpath = Files.readString(Path.of(System.getProperty("tenure.rolling"))).strip();
    earlier =
        NodeProcess.start(
            "rolling-earlier",
            List.of("-cp", classpath),
            RollingNode.class,
            List.of(database.url()));
    return earlier;
  }

  private NodeProcess current() {
    current =
        NodeProcess.start("rolling-current", RollingNode.class, List.of(database.url()))
            .awaitUp(LIMIT);
    return current;
  }

  private static void each(NodeProcess node, String order, String prefix) {
    for (int i = 0; i < WORKFLOWS; i++) order(node, order + " " + prefix + i);
  }

  /** Until it is done: while shards move, a request may be refused for a moment. */
  private static void order(NodeProcess node, String request) {
    Await.until(
        request,
        LIMIT,
        () -> {
          try {
            return node.ask(request).join() > 0;
          } catch (CompletionException again) {
            return false;
          }
        });
  }

  private static void leave(NodeProcess node) {
    node.ask("stop");
    node.awaitExit(LIMIT);
  }

  @Test
  void oldWriterNewReader() throws IOException {
    earlier().awaitUp(LIMIT);
    each(earlier, "start", "a");
    for (int i = 0; i < WORKFLOWS; i += 2) order(earlier, "pause a" + i);
    earlier.kill();
    current();
    for (int i = 0; i < WORKFLOWS; i += 2) order(current, "resume a" + i);
    each(current, "signal", "a");
    each(current, "ends", "a");
  }

  @Test
  void bothAtOnceAndTheOldOneLeaves() throws IOException {
    earlier().awaitUp(LIMIT);
    each(earlier, "start", "a");
    current();
    each(current, "start", "b");
    for (int i = 0; i < WORKFLOWS; i += 2) order(current, "pause a" + i);
    for (int i = 0; i < WORKFLOWS; i += 2) order(earlier, "pause b" + i);
    // Whichever node has a workflow, the other one's requests reach it.
    for (int i = 0; i < WORKFLOWS; i += 2) order(earlier, "resume a" + i);
    for (int i = 0; i < WORKFLOWS; i += 2) order(current, "resume b" + i);
    each(earlier, "signal", "b");
    each(earlier, "ends", "b");
    leave(earlier);
    each(current, "signal", "a");
    each(current, "ends", "a");
  }

  @Test
  void theNewOneLeavesAgainAndTheOldOneGoesOn() throws IOException {
    earlier().awaitUp(LIMIT);
    current();
    each(current, "start", "a");
    for (int i = 0; i < WORKFLOWS; i += 2) order(current, "pause a" + i);
    leave(current);
    for (int i = 0; i < WORKFLOWS; i += 2) order(earlier, "resume a" + i);
    each(earlier, "signal", "a");
    each(earlier, "ends", "a");
  }

  @Test
  void downgradeAfterTheWholeClusterWasNew() throws IOException {
    earlier().awaitUp(LIMIT);
    long reads = earlier.query("reads");
    leave(earlier);
    current();
    long writes = current.query("writes");
    each(current, "start", "a");
    for (int i = 0; i < WORKFLOWS; i += 2) order(current, "pause a" + i);
    if (writes > reads) {
      Await.until("the floor is raised", LIMIT, this::isFloorRaised);
      leave(current);
      earlier().awaitExit(LIMIT);
      return;
    }
    leave(current);
    earlier().awaitUp(LIMIT);
    for (int i = 0; i < WORKFLOWS; i += 2) order(earlier, "resume a" + i);
    each(earlier, "signal", "a");
    each(earlier, "ends", "a");
    assertThat(earlier.isAlive()).isTrue();
  }

  private boolean isFloorRaised() {
    try (var connection = database.owner();
        var statement = connection.createStatement();
        var rows =
            statement.executeQuery("SELECT count(*) FROM meta WHERE key LIKE 'min-reader-%'")) {
      rows.next();
      return rows.getLong(1) > 0;
    } catch (java.sql.SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
