package dev.tenure.node.health;

import dev.tenure.sharding.cluster.ClusterRuntime;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.ClassicActorSystemProvider;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.MemberStatus;

/** What the cluster says of this node's readiness. */
public final class ClusterChecks {
  private ClusterChecks() {}

  /**
   * Ready is a member that is up, has not been told to leave, and holds leases if it was given
   * shards.
   */
  public static List<Readiness.Check> of(ClusterRuntime runtime) {
    ClassicActorSystemProvider system = runtime.system();
    return List.of(
        new Readiness.Check("leases", () -> runtime.lacksLeases().thenApply(ClusterChecks::leases)),
        Readiness.Check.immediate("member", () -> member(Cluster.get(system))),
        Readiness.Check.immediate("shutdown", () -> shutdown(CoordinatedShutdown.get(system))));
  }

  private static Optional<String> leases(boolean lacking) {
    return lacking ? Optional.of("none of its shards has one") : Optional.empty();
  }

  private static Optional<String> member(Cluster cluster) {
    MemberStatus status = cluster.selfMember().status();
    return status.equals(MemberStatus.up())
        ? Optional.empty()
        : Optional.of("is " + status + ", not Up");
  }

  // The reason is set before the first phase runs, so a node is not ready from the signal on.
  private static Optional<String> shutdown(CoordinatedShutdown shutdown) {
    return shutdown.getShutdownReason().isPresent()
        ? Optional.of("is under way")
        : Optional.empty();
  }
}
