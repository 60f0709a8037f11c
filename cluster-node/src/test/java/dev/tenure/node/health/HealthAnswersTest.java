package dev.tenure.node.health;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import dev.tenure.node.config.Endpoint;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.http.javadsl.Http;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

@TestInstance(Lifecycle.PER_CLASS)
class HealthAnswersTest {
  private volatile Optional<String> objection = Optional.empty();
  private volatile boolean operator = true;
  private volatile List<String> losses = List.of();
  private ActorSystem system;
  private Endpoint endpoint;

  @BeforeAll
  void start() {
    system = ActorSystem.create("health", ConfigFactory.load());
    Readiness readiness =
        new Readiness(
            List.of(
                Readiness.Check.immediate("first", () -> objection),
                new Readiness.Check(
                    "second", () -> CompletableFuture.completedFuture(Optional.empty()))));
    HealthAnswers answers = new HealthAnswers(readiness, () -> Duration.ofHours(-1), () -> losses);
    HttpResponse nothing = HttpResponse.create().withStatus(404);
    endpoint =
        join(
            Http.get(system)
                .newServerAt("127.0.0.1", 0)
                .bind(
                    (org.apache.pekko.http.javadsl.model.HttpRequest request) ->
                        answers
                            .answer(request.getUri().path(), request, () -> operator)
                            .orElseGet(() -> CompletableFuture.completedStage(nothing)))
                .thenApply(bound -> new Endpoint("127.0.0.1", bound.localAddress().getPort())));
  }

  @AfterAll
  void stop() {
    join(CoordinatedShutdown.get(system).runAll(CoordinatedShutdown.actorSystemTerminateReason()));
  }

  @Test
  void itIsReadyWhenNoCheckObjects() throws Exception {
    objection = Optional.empty();
    java.net.http.HttpResponse<String> answer = get("/health/ready");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body())
        .isEqualTo(
            "{\"status\":\"ready\",\"checks\":{\"first\":\"ok\",\"second\":\"ok\"},\"clockAheadMs\":-3600000}");
    assertThat(answer.headers().firstValue("content-type")).contains("application/json");
  }

  @Test
  void operatorsSeeWhatTheDatabaseLostAndTheNodeStaysReady() throws Exception {
    objection = Optional.empty();
    losses = List.of("workflow|w: version 7");
    try {
      java.net.http.HttpResponse<String> answer = get("/health/ready");
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body()).contains("\"databaseLost\":[\"workflow|w: version 7\"]");
      operator = false;
      assertThat(get("/health/ready").body()).doesNotContain("version 7");
    } finally {
      operator = true;
      losses = List.of();
    }
  }

  @Test
  void itSaysWhichCheckObjectsAndStaysAlive() throws Exception {
    objection = Optional.of("is \"late\"");
    java.net.http.HttpResponse<String> answer = get("/health/ready");

    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body())
        .isEqualTo(
            "{\"status\":\"not ready\",\"checks\":{\"first\":\"is"
                + " \\\"late\\\"\",\"second\":\"ok\"},\"clockAheadMs\":-3600000}");
    assertThat(get("/health/live").statusCode()).isEqualTo(200);
  }

  @Test
  void strangersHearYesOrNoAndNothingMore() throws Exception {
    operator = false;
    try {
      objection = Optional.of("is late");
      assertThat(get("/health/ready").statusCode()).isEqualTo(503);
      assertThat(get("/health/ready").body()).isEqualTo("{\"status\":\"not ready\"}");
      objection = Optional.empty();
      assertThat(get("/health/ready").body()).isEqualTo("{\"status\":\"ready\"}");
    } finally {
      operator = true;
    }
  }

  @Test
  void itAnswersNothingElse() throws Exception {
    assertThat(get("/health").statusCode()).isEqualTo(404);
    assertThat(get("/").statusCode()).isEqualTo(404);
    HttpRequest post =
        HttpRequest.newBuilder(uri("/health/live"))
            .POST(HttpRequest.BodyPublishers.ofString("{}"))
            .build();
    assertThat(send(post).statusCode()).isEqualTo(405);
  }

  private java.net.http.HttpResponse<String> get(String path)
      throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(uri(path)).build());
  }

  private java.net.http.HttpResponse<String> send(HttpRequest request)
      throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request, java.net.http.HttpResponse.BodyHandlers.ofString());
    }
  }

  private URI uri(String path) {
    return URI.create("http://" + endpoint + path);
  }

  private static <T> T join(java.util.concurrent.CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
  }
}
