package dev.tenure.node.http;

import dev.tenure.http.access.Access;
import dev.tenure.http.access.ApiKeys;
import dev.tenure.http.access.Rotating;
import dev.tenure.http.access.Tokens;
import dev.tenure.http.gateway.Gateway;
import dev.tenure.http.gateway.GatewaySettings;
import dev.tenure.http.gateway.Tls;
import dev.tenure.http.workflow.Engine;
import dev.tenure.node.config.HttpAccess;
import dev.tenure.node.config.NodeConfig;
import dev.tenure.node.config.Secret;
import dev.tenure.node.health.HealthAnswers;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorSystem;
import scala.concurrent.ExecutionContext;

/** What a node's configuration says about its HTTP, put together. */
public final class FrontDoor {
  private FrontDoor() {}

  /** Reads what there is to read; throws what says which of it cannot be used. */
  public static GatewaySettings settings(NodeConfig config) {
    HttpAccess wanted = config.httpAccess();
    GatewaySettings settings =
        GatewaySettings.of(config.http().host(), config.http().port(), access(wanted))
            .withLimits(config.httpLimits().callers())
            .withRequests(config.httpLimits().requests());
    return wanted
        .tls()
        .map(
            tls ->
                settings.withTls(
                    Tls.of(tls.keystore(), tls.password().map(Secret::reveal).orElse(""))))
        .orElse(settings);
  }

  private static Access access(HttpAccess wanted) {
    if (wanted.open()) return new Access.Open();
    List<Path> files = new ArrayList<>();
    wanted.apiKeys().ifPresent(files::add);
    wanted.tokens().ifPresent(tokens -> files.add(tokens.keys()));
    return new Rotating(files, () -> guarded(wanted));
  }

  private static Access.Guarded guarded(HttpAccess wanted) {
    return new Access.Guarded(
        wanted.apiKeys().map(ApiKeys::read).orElseGet(ApiKeys::none),
        wanted
            .tokens()
            .map(
                tokens ->
                    Tokens.of(
                        tokens.keys(), tokens.algorithm(), tokens.issuer(), tokens.audience())));
  }

  /**
   * Listens; completes with where.
   *
   * @param readEvery how often it is looked whether the credentials have changed
   */
  public static CompletionStage<URI> open(
      ActorSystem<?> system,
      GatewaySettings settings,
      Duration readEvery,
      Engine engine,
      HealthAnswers health) {
    if (settings.access() instanceof Rotating credentials) {
      // Files are read on a thread of their own; it ends with the system.
      system
          .scheduler()
          .scheduleWithFixedDelay(
              readEvery,
              readEvery,
              credentials::look,
              ExecutionContext.fromExecutor(task -> Thread.ofVirtual().start(task)));
    }
    return Gateway.start(system, settings, engine, Optional.of(health));
  }
}
