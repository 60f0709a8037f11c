package dev.tenure.sharding.cluster;

import dev.tenure.persistence.format.EngineBuild;
import dev.tenure.persistence.storage.Durability;
import dev.tenure.persistence.storage.StoreIdentity;
import java.time.Duration;

/**
 * The settings of a node's membership in the cluster.
 *
 * @param host the name under which other nodes reach this one
 * @param port the port of it, 0 for any free one
 * @param bindHost where to listen, which differs from {@code host} behind address translation
 * @param identity what the store is for good
 * @param appVersion of this node: while they differ, new shards go to the newest
 * @param beatEvery how often a member gives a sign of life
 * @param silence for how long members must be silent before a starting node may found a new cluster
 * @param exitJvm whether the process ends with the actor system, as that of a real node must
 */
public record ClusterSettings(
    String host,
    int port,
    String bindHost,
    StoreIdentity identity,
    Durability durability,
    String appVersion,
    Duration beatEvery,
    Duration silence,
    boolean exitJvm) {
  /** A node whose row stands still for some of these is looked after by the others. */
  public static final Duration DEFAULT_BEAT = Duration.ofMillis(300);

  /** A call to the database may take some seconds to fail, and is then made again. */
  public static final Duration DEFAULT_SILENCE = Duration.ofSeconds(15);

  public static final int MIN_BEATS_IN_SILENCE = 4;

  public ClusterSettings {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("the cluster port is " + port + ": choose 0 to 65535");
    }
    if (host.isBlank()) throw new IllegalArgumentException("the cluster host is empty");
    if (silence.compareTo(beatEvery.multipliedBy(MIN_BEATS_IN_SILENCE)) < 0) {
      throw new IllegalArgumentException(
          "members beat every %s and count as silent after %s: make that at least %d beats"
              .formatted(beatEvery, silence, MIN_BEATS_IN_SILENCE));
    }
  }

  /** A real node with the usual times. */
  public static ClusterSettings node(String host, int port, StoreIdentity identity) {
    return new ClusterSettings(
        host,
        port,
        host,
        identity,
        Durability.REQUIRED,
        EngineBuild.CURRENT.version(),
        DEFAULT_BEAT,
        DEFAULT_SILENCE,
        true);
  }

  public ClusterSettings withBindHost(String address) {
    return new ClusterSettings(
        host, port, address, identity, durability, appVersion, beatEvery, silence, exitJvm);
  }

  public ClusterSettings withDurability(Durability wanted) {
    return new ClusterSettings(
        host, port, bindHost, identity, wanted, appVersion, beatEvery, silence, exitJvm);
  }

  public ClusterSettings withAppVersion(String version) {
    return new ClusterSettings(
        host, port, bindHost, identity, durability, version, beatEvery, silence, exitJvm);
  }

  public ClusterSettings withTimes(Duration beat, Duration silent) {
    return new ClusterSettings(
        host, port, bindHost, identity, durability, appVersion, beat, silent, exitJvm);
  }

  /** For several nodes in one process. */
  public ClusterSettings withoutExit() {
    return new ClusterSettings(
        host, port, bindHost, identity, durability, appVersion, beatEvery, silence, false);
  }
}
