package dev.tenure.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.node.AnyNode;
import dev.tenure.node.TenureNode;
import dev.tenure.persistence.embedded.LocalPostgres;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.client.WorkflowHandle;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node process that is told to stop while it has work, and a node that stays. */
class HandOverTest {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int MANY = 40;

  @TempDir Path folder;

  @Test
  void aNodeThatIsToldToStopHandsItsWorkflowsOverAndIsNotMissed() {
    try (TestDatabase database = TestDatabase.empty();
        TenureNode stays = staying(database);
        NodeProcess leaves = NodeProcess.start(folder, environment(database.url()), "node")) {
      leaves.awaitReady();
      List<WorkflowHandle<String>> visits =
          IntStream.range(0, MANY)
              .mapToObj(i -> stays.workflows().start(Doorman.Visit::run, "guest-" + i, "" + i))
              .toList();
      Await.until("guests there", SOON, () -> leaves.output().contains("welcome, "));

      leaves.terminate();
      assertThat(leaves.awaitExit()).isZero();
      for (WorkflowHandle<String> visit : visits)
        assertThat(visit.result(SOON)).endsWith(" was here");
      // Its connections hold until its last shard is gone: otherwise the others first have to find
      // out that it is gone, and its leases have to run out.
      assertThat(leaves.output()).doesNotContain("UNREACHABLE").doesNotContain("downing");
    }
  }

  private static TenureNode staying(TestDatabase database) {
    TenureNode node = AnyNode.on(database).module(new Doorman()).start();
    node.up().toCompletableFuture().join();
    return node;
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
