package dev.tenure.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tenure.node.config.ConfigurationSources;
import dev.tenure.node.config.NodeConfig;
import dev.tenure.node.lifetime.StartFailure;
import dev.tenure.persistence.embedded.LocalPostgres;
import dev.tenure.persistence.storage.TestDatabase;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.Done;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.junit.jupiter.api.Test;

/** A node that is embedded in a process. */
class TenureNodeTest {
  @Test
  void itIsNotReadyFromTheMomentItIsToldToStopAndAliveUntilItHas() throws Exception {
    try (TestDatabase database = TestDatabase.empty()) {
      TenureNode node = TenureNode.start(config(database, 0));
      join(node.up());
      assertThat(get(node.http(), "/health/ready").statusCode()).isEqualTo(200);
      var visible = node.runtime().system().settings().config();
      assertThat(visible.hasPath("tenure.shard-lease")).isTrue();
      assertThat(visible.hasPath("tenure.storage")).as("what knows the passwords").isFalse();
      assertThat(visible.hasPath("tenure.http")).as("what knows the keystore's").isFalse();

      CompletableFuture<Done> draining = new CompletableFuture<>();
      CompletableFuture<Done> drained = new CompletableFuture<>();
      CoordinatedShutdown.get(node.runtime().system())
          .addTask(
              CoordinatedShutdown.PhaseServiceUnbind(),
              "a-drain-that-takes-its-time",
              () -> {
                draining.complete(Done.getInstance());
                return drained;
              });
      CompletableFuture<Void> closed = CompletableFuture.runAsync(node::close);
      join(draining);
      HttpResponse<String> notReady = get(node.http(), "/health/ready");
      assertThat(notReady.statusCode()).isEqualTo(503);
      // Why not is for operators.
      assertThat(notReady.body()).isEqualTo("{\"status\":\"not ready\"}");
      assertThat(get(node.http(), "/health/live").statusCode()).isEqualTo(200);

      drained.complete(Done.getInstance());
      join(closed);
      join(node.terminated());
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> get(node.http(), "/health/live"));
    }
  }

  @Test
  void aTakenPortIsNamedBeforeTheDatabaseIsTouched() throws IOException {
    try (TestDatabase database = TestDatabase.empty();
        ServerSocket taken = new ServerSocket(0)) {
      NodeConfig config = config(database, taken.getLocalPort());
      assertThatExceptionOfType(StartFailure.class)
          .isThrownBy(() -> TenureNode.start(config))
          .withMessageContaining("tenure.http.port")
          .withMessageContaining("TENURE_HTTP_PORT")
          .withMessageContaining(Integer.toString(taken.getLocalPort()));
    }
  }

  private static NodeConfig config(TestDatabase database, int httpPort) {
    Map<String, String> environment = new HashMap<>();
    environment.put("TENURE_STORAGE_URL", database.url());
    environment.put("TENURE_STORAGE_USER", LocalPostgres.APPLICATION);
    environment.put("TENURE_STORAGE_MIGRATION_USER", LocalPostgres.OWNER);
    environment.put("TENURE_NODE_PORT", "0");
    environment.put("TENURE_HTTP_PORT", Integer.toString(httpPort));
    return NodeConfig.load(ConfigurationSources.ofEnvironment(environment));
  }

  private static HttpResponse<String> get(URI address, String path)
      throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(address.resolve(path)).build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
  }
}
