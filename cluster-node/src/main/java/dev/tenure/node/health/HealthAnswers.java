package dev.tenure.node.health;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tenure.http.gateway.Gateway;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpMethods;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.StatusCode;
import org.apache.pekko.http.javadsl.model.StatusCodes;
import org.apache.pekko.http.javadsl.model.headers.Allow;

/**
 * Answers the supervisor of the process: {@code /health/live}, 200 while it can answer at all, and
 * {@code /health/ready}, 200 while it can be given work, else 503; operators hear which checks
 * object, how far the clock of the machine is from the database's, and what the database lost.
 */
public final class HealthAnswers implements Gateway.Probes {
  private static final String LIVE = "/health/live";
  private static final String READY = "/health/ready";

  private final ObjectMapper json = new ObjectMapper();
  private final Readiness readiness;
  private final Supplier<Duration> clockAhead;
  private final Supplier<List<String>> losses;

  /**
   * @param clockAhead by how much the clock of the machine is ahead of the database's
   * @param losses what the database has lost of what it had acknowledged
   */
  public HealthAnswers(
      Readiness readiness, Supplier<Duration> clockAhead, Supplier<List<String>> losses) {
    this.readiness = readiness;
    this.clockAhead = clockAhead;
    this.losses = losses;
  }

  @Override
  public Optional<CompletionStage<HttpResponse>> answer(
      String path, HttpRequest request, BooleanSupplier mayKnowMore) {
    if (!path.equals(LIVE) && !path.equals(READY)) return Optional.empty();
    if (!request.method().equals(HttpMethods.GET)) {
      return Optional.of(
          CompletableFuture.completedStage(
              HttpResponse.create()
                  .withStatus(StatusCodes.METHOD_NOT_ALLOWED)
                  .addHeader(Allow.create(HttpMethods.GET))));
    }
    return Optional.of(
        path.equals(LIVE)
            ? CompletableFuture.completedStage(answer(StatusCodes.OK, Map.of("status", "alive")))
            : ready(mayKnowMore.getAsBoolean()));
  }

  private CompletionStage<HttpResponse> ready(boolean mayKnowMore) {
    return readiness.report().thenApply(report -> answer(report, mayKnowMore));
  }

  private HttpResponse answer(Readiness.Report report, boolean mayKnowMore) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("status", report.ready() ? "ready" : "not ready");
    if (mayKnowMore) {
      body.put("checks", report.checks());
      body.put("clockAheadMs", clockAhead.get().toMillis());
      List<String> lost = losses.get();
      if (!lost.isEmpty()) body.put("databaseLost", lost);
    }
    return answer(report.ready() ? StatusCodes.OK : StatusCodes.SERVICE_UNAVAILABLE, body);
  }

  private HttpResponse answer(StatusCode status, Map<String, ?> body) {
    try {
      return HttpResponse.create()
          .withStatus(status)
          .withEntity(ContentTypes.APPLICATION_JSON, json.writeValueAsBytes(body));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a health answer cannot be written", e);
    }
  }
}
