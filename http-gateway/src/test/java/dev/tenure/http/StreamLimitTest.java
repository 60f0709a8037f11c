package dev.tenure.http;

import static dev.tenure.http.Http.workflow;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.http.events.EventStreams;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A node has at most {@code STREAMS_MAX} streams of events open. */
class StreamLimitTest {
  @Test
  void oneStreamMoreIsRefused() throws IOException {
    HttpClient client = HttpClient.newHttpClient();
    try (Served served = Served.start()) {
      served.http().post("/api/v1/workflows", "{\"type\":\"basket\",\"id\":\"watched\"}");
      HttpRequest watch =
          HttpRequest.newBuilder(served.uri.resolve(workflow("watched", "events"))).build();
      List<CompletableFuture<HttpResponse<InputStream>>> open = new ArrayList<>();
      for (int i = 0; i < EventStreams.STREAMS_MAX; i++)
        open.add(client.sendAsync(watch, BodyHandlers.ofInputStream()));
      for (var one : open) assertThat(Served.await(one).statusCode()).isEqualTo(200);

      // Asked for as a stream, too: one that is let in would never end.
      HttpResponse<InputStream> refused =
          Served.await(client.sendAsync(watch, BodyHandlers.ofInputStream()));
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.headers().firstValue("Retry-After")).isPresent();
      assertThat(new String(refused.body().readAllBytes(), StandardCharsets.UTF_8))
          .contains("Overloaded")
          .contains("STREAMS_MAX = 200");
    } finally {
      client.shutdownNow();
    }
  }
}
