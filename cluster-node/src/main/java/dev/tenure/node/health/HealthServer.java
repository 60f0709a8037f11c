package dev.tenure.node.health;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tenure.node.config.Endpoint;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.Done;
import org.apache.pekko.actor.ClassicActorSystemProvider;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.http.javadsl.Http;
import org.apache.pekko.http.javadsl.ServerBinding;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.StatusCode;
import org.apache.pekko.http.javadsl.model.StatusCodes;
import org.apache.pekko.http.javadsl.server.AllDirectives;
import org.apache.pekko.http.javadsl.server.Route;

/**
 * Answers whoever supervises the process: {@code /health/live}, 200 while it can answer at all, and
 * {@code /health/ready}, 200 while it can be given work, else 503 with the checks that object.
 */
public final class HealthServer extends AllDirectives {
  private static final Duration LAST_ANSWERS_LIMIT = Duration.ofSeconds(1);

  private final ObjectMapper json = new ObjectMapper();
  private final Readiness readiness;

  public HealthServer(Readiness readiness) {
    this.readiness = readiness;
  }

  /** Listens; completes with where, or fails when that is taken. */
  public CompletionStage<Endpoint> start(ClassicActorSystemProvider system, Endpoint endpoint) {
    return Http.get(system)
        .newServerAt(endpoint.host(), endpoint.port())
        .bind(route())
        .thenApply(
            binding -> {
              stopLast(system, binding);
              return new Endpoint(endpoint.host(), binding.localAddress().getPort());
            });
  }

  // While shards are handed over, a supervisor must go on hearing "alive, not ready"; so this
  // listener
  // ends after everything else.
  private void stopLast(ClassicActorSystemProvider system, ServerBinding binding) {
    CoordinatedShutdown.get(system)
        .addTask(
            CoordinatedShutdown.PhaseBeforeActorSystemTerminate(),
            "stop-health-answers",
            () ->
                binding.terminate(LAST_ANSWERS_LIMIT).thenApply(terminated -> Done.getInstance()));
  }

  Route route() {
    return pathPrefix(
        "health",
        () ->
            get(
                () ->
                    concat(
                        path(
                            "live",
                            () -> complete(answer(StatusCodes.OK, Map.of("status", "alive")))),
                        path(
                            "ready",
                            () ->
                                completeWithFuture(readiness.report().thenApply(this::answer))))));
  }

  private HttpResponse answer(Readiness.Report report) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("status", report.ready() ? "ready" : "not ready");
    body.put("checks", report.checks());
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
