package dev.tenure.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.node.AnyNode;
import dev.tenure.node.TenureNode;
import dev.tenure.persistence.storage.TestDatabase;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that runs takes in a key that is new, and lets nobody in with one that is gone. */
class RotationTest {
  private static final String OLD = "an-old-key-of-more-than-thirty-two-characters";
  private static final String NEW = "a-new-key-of-more-than-thirty-two-characters";
  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir Path folder;

  @Test
  void keysAreExchangedWithoutARestart() throws Exception {
    Path keys = folder.resolve("keys.json");
    write(keys, OLD);
    try (TestDatabase database = TestDatabase.empty();
        TenureNode node =
            AnyNode.on(database)
                .setting("tenure.http.api-keys-file", keys.toString())
                .setting("tenure.http.credentials-read-every", "100ms")
                .setting("tenure.http.limits.header-count", 20)
                .start()) {
      assertThat(status(node, OLD)).isEqualTo(200);
      assertThat(status(node, NEW)).isEqualTo(401);
      write(keys, NEW);
      long deadline = System.nanoTime() + SOON.toNanos();
      while (status(node, NEW) != 200) {
        assertThat(System.nanoTime()).as("the new key is known").isLessThan(deadline);
        LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
      }
      assertThat(status(node, OLD)).isEqualTo(401);
      assertThat(withHeaders(node, 30)).as("a limit of the configuration").isEqualTo(431);
    }
  }

  private static void write(Path file, String key) throws IOException {
    // As it is done in earnest: written beside it, and put in its place at once.
    Path next = Files.writeString(file.resolveSibling("next"), Operator.knowing(key));
    Files.move(next, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
  }

  private static int status(TenureNode node, String key) throws Exception {
    return send(
        HttpRequest.newBuilder(node.http().resolve("/api/openapi.json"))
            .header("Authorization", "Bearer " + key)
            .build());
  }

  private static int withHeaders(TenureNode node, int count) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(node.http().resolve("/api/openapi.json"))
            .header("Authorization", "Bearer " + NEW);
    for (int i = 0; i < count; i++) request.header("X-" + i, "x");
    return send(request.build());
  }

  private static int send(HttpRequest request) throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }
  }
}
