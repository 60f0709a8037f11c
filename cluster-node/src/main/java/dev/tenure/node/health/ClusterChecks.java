package dev.tenure.node.health;

import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.ClassicActorSystemProvider;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.MemberStatus;

/** What the cluster says of this node's readiness. */
public final class ClusterChecks {
  private ClusterChecks() {}

  /** Ready is a member that is up and has not been told to leave. */
  public static List<Readiness.Check> of(ClassicActorSystemProvider system) {
    return List.of(
        Readiness.Check.immediate("member", () -> member(Cluster.get(system))),
        Readiness.Check.immediate("shutdown", () -> shutdown(CoordinatedShutdown.get(system))));
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
