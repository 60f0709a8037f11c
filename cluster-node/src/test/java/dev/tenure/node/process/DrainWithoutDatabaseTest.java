package dev.tenure.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.node.AnyNode;
import dev.tenure.node.TenureNode;
import dev.tenure.persistence.embedded.LocalPostgres;
import dev.tenure.persistence.storage.TcpProxy;
import dev.tenure.persistence.storage.TestDatabase;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node process whose way to the database swallows everything is told to stop. */
class DrainWithoutDatabaseTest {
  /** Kubernetes kills what has not ended by then. */
  private static final Duration KILLED_AFTER = Duration.ofSeconds(30);

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int MANY = 30;
  private static final String LEFT_BEHIND = "its row and its leases stay there";

  @TempDir Path folder;
  private final TestDatabase database = TestDatabase.empty();
  private final TcpProxy way = TcpProxy.before(database.server().port());
  private final HttpClient http = HttpClient.newHttpClient();
  private NodeProcess node;
  private URI address;

  @BeforeEach
  void start() {
    node = NodeProcess.start(folder, environment(), "node");
    address = node.awaitReady();
    for (int i = 0; i < MANY; i++) start("guest-" + i);
    Await.until("guests there", SOON, () -> node.output().contains("welcome, "));
  }

  @AfterEach
  void stop() {
    node.close();
    way.close();
    database.close();
  }

  private Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>();
    environment.put(
        "TENURE_STORAGE_URL",
        database.url().replace(":" + database.server().port(), ":" + way.port()));
    environment.put("TENURE_STORAGE_USER", LocalPostgres.APPLICATION);
    environment.put("TENURE_STORAGE_MIGRATION_USER", LocalPostgres.OWNER);
    environment.put("TENURE_NODE_PORT", "0");
    environment.put("TENURE_HTTP_PORT", "0");
    environment.put("TENURE_HTTP_ACCESS", "open");
    return environment;
  }

  private void start(String id) {
    String body = "{\"type\":\"visit\",\"id\":\"%s\",\"input\":\"%s\"}".formatted(id, id);
    assertThat(
            send(HttpRequest.newBuilder(address.resolve("/api/v1/workflows"))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(body)))
                .join()
                .statusCode())
        .isBetween(200, 299);
  }

  /** The owner is asked, and brings its shard with it. */
  private CompletableFuture<HttpResponse<String>> ask(String id) {
    URI result = address.resolve("/api/v1/workflows/" + id + "/result");
    return send(HttpRequest.newBuilder(result).header("Prefer", "wait=20").GET());
  }

  private CompletableFuture<HttpResponse<String>> send(HttpRequest.Builder request) {
    return http.sendAsync(
        request.timeout(SOON).build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
  }

  private long rows() {
    return count("SELECT count(*) FROM cluster_member");
  }

  private long count(String query) {
    try (Connection connection = database.owner();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private Duration drain() {
    long told = System.nanoTime();
    node.terminate();
    assertThat(node.awaitExit()).isEqualTo(1);
    return Duration.ofNanos(System.nanoTime() - told);
  }

  private void assertEndedInTime(Duration took, String when) {
    System.out.println("a node " + when + " drained in " + took);
    assertThat(took).as(node.output()).isLessThan(KILLED_AFTER);
    assertThat(node.output()).contains(LEFT_BEHIND);
    assertThat(rows()).isEqualTo(1);
  }

  @Test
  void itEndsInTimeWhenTheDatabaseHasJustGone() {
    assertThat(rows()).isEqualTo(1);
    way.cut();
    assertEndedInTime(drain(), "that has just lost its database");
  }

  /** It is not to wait for others to take what they cannot claim. */
  @Test
  void itEndsInTimeBesideANodeThatKeepsItsDatabase() {
    try (TenureNode stays = AnyNode.on(database).module(new Doorman()).start()) {
      stays.up().toCompletableFuture().join();
      Await.until("each has its share", SOON, () -> holders() == 2);
      way.cut();
      Duration took = drain();
      System.out.println("a node beside one that keeps its database drained in " + took);
      assertThat(took).as(node.output()).isLessThan(KILLED_AFTER);
      assertThat(node.output()).contains(LEFT_BEHIND);
    }
  }

  private long holders() {
    return count("SELECT count(DISTINCT holder_node) FROM shard_lease");
  }

  /** Shards that wait for their leases take no order to hand over. */
  @Test
  void itEndsInTimeWhenItsLeasesAreLost() {
    way.cut();
    Await.until(
        "leases are lost", SOON, () -> node.output().contains("it could not be renewed within"));
    for (int i = 0; i < MANY; i++) ask("guest-" + i);
    Await.pass(Duration.ofSeconds(3));
    assertEndedInTime(drain(), "that lost its leases");
  }

  @Test
  void itTakesItsRowOutWhenTheDatabaseComesBackMeanwhile() {
    way.cut();
    node.terminate();
    Await.pass(Duration.ofSeconds(3));
    way.heal();
    assertThat(node.awaitExit()).isZero();
    assertThat(node.output()).doesNotContain(LEFT_BEHIND);
    assertThat(rows()).isZero();
  }
}
