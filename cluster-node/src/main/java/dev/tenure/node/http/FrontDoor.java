package dev.tenure.node.http;

import dev.tenure.http.access.Access;
import dev.tenure.http.access.ApiKeys;
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
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorSystem;

/** What a node's configuration says about its HTTP, put together. */
public final class FrontDoor {
  private FrontDoor() {}

  /** Reads what there is to read; throws what says which of it cannot be used. */
  public static GatewaySettings settings(NodeConfig config) {
    HttpAccess wanted = config.httpAccess();
    GatewaySettings settings =
        GatewaySettings.of(config.http().host(), config.http().port(), access(wanted));
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
    return new Access.Guarded(
        wanted.apiKeys().map(ApiKeys::read).orElseGet(ApiKeys::none),
        wanted
            .tokens()
            .map(
                tokens ->
                    Tokens.of(
                        tokens.keys(), tokens.algorithm(), tokens.issuer(), tokens.audience())));
  }

  /** Listens; completes with where. */
  public static CompletionStage<URI> open(
      ActorSystem<?> system, GatewaySettings settings, Engine engine, HealthAnswers health) {
    return Gateway.start(system, settings, engine, Optional.of(health));
  }
}
