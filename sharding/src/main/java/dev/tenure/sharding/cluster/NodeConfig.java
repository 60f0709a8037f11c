package dev.tenure.sharding.cluster;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The configuration of a node's actor system, from what is most particular to what is least. */
final class NodeConfig {
  private static final ConfigParseOptions MUST_EXIST =
      ConfigParseOptions.defaults().setAllowMissing(false);

  private NodeConfig() {}

  static Config of(ClusterSettings settings, Config configured) {
    return ConfigFactory.parseMap(fromSettings(settings), "cluster settings")
        .withFallback(configured)
        .withFallback(ConfigFactory.parseResources("tenure-pekko.conf", MUST_EXIST))
        .withFallback(ConfigFactory.parseResources("tenure-persistence.conf", MUST_EXIST))
        .withFallback(ConfigFactory.defaultReferenceUnresolved())
        .resolve();
  }

  private static Map<String, Object> fromSettings(ClusterSettings settings) {
    Map<String, Object> keys = new LinkedHashMap<>();
    keys.put("pekko.remote.artery.canonical.hostname", settings.host());
    keys.put("pekko.remote.artery.canonical.port", settings.port());
    keys.put("pekko.remote.artery.bind.hostname", settings.bindHost());
    // Fixed for the store; all nodes and all times must agree on it.
    keys.put("pekko.cluster.sharding.number-of-shards", settings.identity().shards());
    keys.put("pekko.cluster.app-version", settings.appVersion());
    // Nodes are found through the store, never through a list in a file.
    keys.put("pekko.cluster.seed-nodes", List.of());
    // A process whose actor system has ended serves nothing: it exits, and its supervisor starts it
    // again.
    keys.put("pekko.coordinated-shutdown.exit-jvm", settings.exitJvm());
    keys.put("pekko.coordinated-shutdown.run-by-jvm-shutdown-hook", settings.exitJvm());
    // Where the application stops the node on a signal, the transport must not close on its own: it
    // would do so at once, and the node could not hand its shards over any more.
    keys.put("pekko.jvm-shutdown-hooks", settings.exitJvm());
    keys.put("pekko.jvm-exit-on-fatal-error", settings.exitJvm());
    return keys;
  }
}
