package dev.tenure.http.gateway;

import dev.tenure.http.api.Connection;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.apache.pekko.Done;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.http.javadsl.ConnectionContext;
import org.apache.pekko.http.javadsl.Http;
import org.apache.pekko.http.javadsl.ServerBinding;
import org.apache.pekko.http.javadsl.ServerBuilder;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.settings.ServerSettings;
import org.apache.pekko.stream.OverflowStrategy;
import org.apache.pekko.stream.javadsl.Flow;

/**
 * Listens on the port, and limits requests before any other code reads them. It closes last: while
 * shards are handed over, a supervisor must still get the answer "alive, not ready".
 */
final class Listener {
  /** Requests that are still under way then have lost their node; their senders try another. */
  private static final Duration LAST_ANSWERS_LIMIT = Duration.ofSeconds(1);

  /**
   * Connections that wait to be accepted. Workers that were started together connect together, and
   * a system drops what it has no room for.
   */
  private static final int CONNECTING_MAX = 4_096;

  private Listener() {}

  static CompletionStage<URI> start(
      ActorSystem<?> system,
      GatewaySettings settings,
      BiFunction<HttpRequest, Connection, CompletionStage<HttpResponse>> answer) {
    ServerBuilder server =
        Http.get(system)
            .newServerAt(settings.host(), settings.port())
            .withSettings(bounded(ServerSettings.create(system.settings().config()), settings));
    if (settings.tls().isPresent()) {
      server = server.enableHttps(ConnectionContext.httpsServer(settings.tls().get()));
    }
    String scheme = settings.tls().isPresent() ? "https" : "http";
    return server
        .bindFlow(Flow.fromMaterializer((materializer, attributes) -> connection(answer)))
        .thenApply(binding -> where(system, settings, scheme, binding));
  }

  /**
   * The requests of one connection, answered one after the other. The buffer reads on while a
   * request waits for its answer: otherwise the node would not see that its sender has gone.
   */
  private static Flow<HttpRequest, HttpResponse, NotUsed> connection(
      BiFunction<HttpRequest, Connection, CompletionStage<HttpResponse>> answer) {
    Connection connection = new Connection();
    return Flow.of(HttpRequest.class)
        .watchTermination(
            (nothing, done) -> {
              done.whenComplete((ended, failure) -> connection.lose());
              return nothing;
            })
        .buffer(1, OverflowStrategy.backpressure())
        .mapAsync(1, request -> answer.apply(request, connection));
  }

  private static URI where(
      ActorSystem<?> system, GatewaySettings settings, String scheme, ServerBinding binding) {
    CoordinatedShutdown.get(system)
        .addTask(
            CoordinatedShutdown.PhaseBeforeActorSystemTerminate(),
            "close-http",
            () -> binding.terminate(LAST_ANSWERS_LIMIT).thenApply(closed -> Done.getInstance()));
    int port = binding.localAddress().getPort();
    return URI.create("%s://%s:%d".formatted(scheme, settings.host(), port));
  }

  private static ServerSettings bounded(ServerSettings server, GatewaySettings settings) {
    return server
        .withMaxConnections(settings.requests().connections())
        .withBacklog(CONNECTING_MAX)
        .withRawRequestUriHeader(true)
        .withServerHeader(java.util.Optional.empty())
        .withVerboseErrorMessages(false)
        .withParsingErrorHandler(UnreadableRequests.class.getName())
        .withTimeouts(
            server
                .getTimeouts()
                .withRequestTimeout(seconds(GatewaySettings.ANSWER_TIME_MAX))
                .withIdleTimeout(seconds(GatewaySettings.IDLE_TIME_MAX)))
        .withParserSettings(
            server
                .getParserSettings()
                .withMaxHeaderCount(settings.requests().headerCount())
                .withMaxHeaderValueLength(settings.requests().headerBytes())
                .withMaxUriLength(settings.requests().uriBytes())
                .withMaxContentLength(settings.requests().bodyBytes())
                // Any client can send malformed headers: they must not fill the log.
                .withIllegalHeaderWarnings(false)
                .withModeledHeaderParsing(true));
  }

  private static scala.concurrent.duration.FiniteDuration seconds(Duration span) {
    return scala.concurrent.duration.Duration.create(span.toSeconds(), TimeUnit.SECONDS);
  }
}
