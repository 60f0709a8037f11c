package dev.tenure.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.embedded.LocalPostgres;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeProcessTest {
  private static final String PASSWORD = "correct-horse-battery";
  private static final Duration OUTAGE_LIMIT = Duration.ofSeconds(30);

  @TempDir static Path folder;
  private static LocalPostgres postgres;

  @BeforeAll
  static void start() {
    postgres = LocalPostgres.start(folder.resolve("postgres"));
  }

  @AfterAll
  static void stop() {
    postgres.close();
  }

  @Test
  void readinessFollowsTheDatabaseAndNoPasswordReachesTheLog() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("node.conf"),
            """
            pekko { loglevel = DEBUG, log-config-on-start = on }
            tenure.storage.migration-password = %s
            """
                .formatted(PASSWORD));
    Map<String, String> environment = environment(postgres.url());
    environment.put("TENURE_LOG_LEVEL", "TRACE");
    environment.put("TENURE_PEKKO_LOG_LEVEL", "DEBUG");
    environment.put("TENURE_STORAGE_PASSWORD", PASSWORD);

    try (NodeProcess node =
        NodeProcess.start(folder, environment, "node", "--config", file.toString())) {
      URI address = node.awaitReady();

      postgres.stop();
      awaitAnswer(address, "503", "{\"status\":\"not ready\"}");
      assertThat(NodeProcess.get(address, "/health/live")).startsWith("200");
      postgres.start();
      awaitAnswer(address, "200", "{\"status\":\"ready\"}");

      node.terminate();
      assertThat(node.awaitExit()).isZero();
      // The dump of the configuration shows that the log was asked for everything it can say.
      assertThat(node.output()).contains("DEBUG", "log-config-on-start");
      assertThat(node.output()).doesNotContain(PASSWORD);
    }
  }

  @Test
  void aStorageThatCannotCompareIsNamedBeforeAnythingIsClaimed() throws Exception {
    String url = postgres.url(postgres.createDatabase("read_only"));
    try (Connection c = postgres.connect("postgres", "postgres");
        Statement s = c.createStatement()) {
      s.execute("ALTER DATABASE read_only SET default_transaction_read_only = on");
    }
    expectFailure(
        environment(url),
        "CheckpointOwnershipCapabilityError",
        "conditionalBatch",
        "cas-required",
        "PostgresStorage",
        "read-only");
    try (Connection c = postgres.connect("read_only", "postgres");
        Statement s = c.createStatement();
        var rows = s.executeQuery("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")) {
      rows.next();
      assertThat(rows.getInt(1)).as("tables").isZero();
    }
  }

  @Test
  void aStorageThatMayLoseCommitsIsRefusedUnlessItIsAllowed() throws SQLException {
    String url = postgres.url(postgres.createDatabase("careless"));
    try (Connection c = postgres.connect("postgres", "postgres");
        Statement s = c.createStatement()) {
      s.execute("ALTER DATABASE careless SET synchronous_commit = off");
    }
    expectFailure(environment(url), "StorageNotDurableError", "synchronous_commit");
  }

  @Test
  void aStorageThatDoesNotAnswerIsNamed() {
    String url = "jdbc:postgresql://127.0.0.1:" + NodeProcess.freePort() + "/nowhere";
    expectFailure(environment(url), "Unavailable", url);
  }

  @Test
  void aBadConfigurationEndsWithTwoAndListsEverything() {
    try (NodeProcess node =
        NodeProcess.start(
            folder, Map.of("TENURE_HTTP_PORT", "high", "TENURE_SHARDS", "0"), "node")) {
      assertThat(node.awaitExit()).isEqualTo(2);
      assertThat(node.output())
          .contains("4 problems", "tenure.http.port", "tenure.shards", "tenure.storage.url")
          .contains("tenure.storage.user")
          .doesNotContain("\tat ");
    }
  }

  @Test
  void anUnknownOptionEndsWithTwoAndShowsTheUsage() {
    try (NodeProcess node = NodeProcess.start(folder, Map.of(), "node", "--confg", "x")) {
      assertThat(node.awaitExit()).isEqualTo(2);
      assertThat(node.output()).contains("--confg", "--config").doesNotContain("\tat ");
    }
  }

  private static void expectFailure(Map<String, String> environment, String... said) {
    try (NodeProcess node = NodeProcess.start(folder, environment, "node")) {
      assertThat(node.awaitExit()).isEqualTo(1);
      assertThat(node.output()).contains(said).doesNotContain("\tat ");
    }
  }

  private static void awaitAnswer(URI address, String status, String part) {
    Await.until(
        status,
        OUTAGE_LIMIT,
        () -> {
          String answer = NodeProcess.get(address, "/health/ready");
          return answer.startsWith(status) && answer.contains(part);
        });
  }

  private static Map<String, String> environment(String url) {
    Map<String, String> environment = new HashMap<>();
    environment.put("TENURE_STORAGE_URL", url);
    environment.put("TENURE_STORAGE_USER", LocalPostgres.APPLICATION);
    environment.put("TENURE_STORAGE_MIGRATION_USER", LocalPostgres.OWNER);
    environment.put("TENURE_NODE_PORT", "0");
    environment.put("TENURE_HTTP_PORT", "0");
    return environment;
  }
}
