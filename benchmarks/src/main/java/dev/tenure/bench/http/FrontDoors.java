package dev.tenure.bench.http;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tenure.bench.workflows.Engine;
import dev.tenure.http.access.Access;
import dev.tenure.http.access.ApiKeys;
import dev.tenure.http.access.Throttle;
import dev.tenure.http.gateway.Gateway;
import dev.tenure.http.gateway.GatewaySettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The gateways of the node, as in production: each client needs a key. There are several keys,
 * because one credential alone may ask for less than a node can do.
 */
public final class FrontDoors {
  private static final int KEYS = 8;

  private final Engine engine;
  private final Access access;
  private final List<String> keys = new ArrayList<>();

  /**
   * @param scope of all keys
   */
  public FrontDoors(Engine engine, Path folder, String scope) {
    this.engine = engine;
    List<Map<String, Object>> known = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      String key = "a-benchmark-needs-no-secret-keys-" + i;
      keys.add(key);
      known.add(
          Map.of("name", "load-" + i, "sha256", ApiKeys.hashOf(key), "scopes", List.of(scope)));
    }
    Path file = folder.resolve("api-keys.json");
    try {
      new ObjectMapper().writeValue(file.toFile(), Map.of("keys", known));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.access = new Access.Guarded(ApiKeys.read(file), Optional.empty());
  }

  public List<String> keys() {
    return keys;
  }

  public URI open(Throttle.Limits limits) {
    return Engine.within(
        Gateway.start(
            engine.system(),
            GatewaySettings.of("127.0.0.1", 0, access).withLimits(limits),
            dev.tenure.http.workflow.Engine.of(
                engine.workflows(),
                engine.storage(),
                engine.tasks(),
                () -> UUID.randomUUID().toString()),
            Optional.empty()));
  }
}
