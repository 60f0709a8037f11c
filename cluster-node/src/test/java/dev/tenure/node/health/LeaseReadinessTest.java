package dev.tenure.node.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.node.AnyNode;
import dev.tenure.node.TenureNode;
import dev.tenure.node.http.Operator;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node whose shards get no lease can serve nothing, although its storage answers. */
class LeaseReadinessTest {
  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir Path folder;

  @Workflow(name = "greeting")
  public static class Greeting {
    public String run(WorkflowContext ctx, String name) {
      return "hello " + name;
    }
  }

  @Test
  void aNodeThatHoldsNoLeaseOfItsShardsIsAliveAndNotReady() throws Exception {
    try (TestDatabase database = TestDatabase.empty();
        TenureNode node =
            AnyNode.on(database)
                .setting("tenure.http.api-keys-file", Operator.keys(folder).toString())
                .workflow(Greeting.class)
                .start()) {
      node.up().toCompletableFuture().orTimeout(SOON.toSeconds(), TimeUnit.SECONDS).join();
      awaitReadiness(node, 200, "\"leases\":\"ok\"");

      CompletableFuture<?> started;
      try (Connection other = database.owner()) {
        other.setAutoCommit(false);
        // Rows can be read, and none can be written.
        other.createStatement().execute("LOCK TABLE shard_lease IN SHARE ROW EXCLUSIVE MODE");
        started =
            CompletableFuture.supplyAsync(
                () -> node.workflows().start(Greeting::run, "first", "ada"));

        awaitReadiness(node, 503, "\"leases\":\"none of its shards has one\"");
        assertThat(get(node, "/health/ready").body()).contains("\"storage\":\"ok\"");
        assertThat(get(node, "/health/live").statusCode()).isEqualTo(200);
        other.rollback();
      }

      awaitReadiness(node, 200, "\"leases\":\"ok\"");
      started.exceptionally(tooLate -> null).orTimeout(SOON.toSeconds(), TimeUnit.SECONDS).join();
      node.workflows().start(Greeting::run, "second", "ada");
      assertThat(node.runtime().lacksLeases()).succeedsWithin(SOON).isEqualTo(false);
    }
  }

  private static void awaitReadiness(TenureNode node, int status, String saying) {
    long start = System.nanoTime();
    HttpResponse<String> last = get(node, "/health/ready");
    while (last.statusCode() != status || !last.body().contains(saying)) {
      if (System.nanoTime() - start > SOON.toNanos())
        throw new AssertionError("still %d %s".formatted(last.statusCode(), last.body()));
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
      last = get(node, "/health/ready");
    }
  }

  private static HttpResponse<String> get(TenureNode node, String path) {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(node.http().resolve(path))
              .header("Authorization", "Bearer " + Operator.KEY)
              .build(),
          HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
