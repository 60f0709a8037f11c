package dev.tenure.sharding.lease;

import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Membership;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.UniqueAddress;

/** Which nodes are gone for good, as this node sees the cluster. */
public final class ClusterMembership implements Membership {
  private final Cluster cluster;

  public ClusterMembership(Cluster cluster) {
    this.cluster = cluster;
  }

  /** The node behind an address of the cluster. */
  public static Holder holder(UniqueAddress node) {
    return new Holder(node.address().hostPort(), node.longUid());
  }

  @Override
  public boolean isGone(Holder holder) {
    return living().map(nodes -> !nodes.contains(holder)).orElse(false);
  }

  /** The full members of the cluster that are not on their way out, as this node sees it. */
  public Set<Holder> staying() {
    Set<Holder> nodes = new HashSet<>();
    for (Member member : cluster.state().getMembers())
      if (member.status().equals(MemberStatus.up())) nodes.add(holder(member.uniqueAddress()));
    return nodes;
  }

  /**
   * The nodes of the cluster that are not down; nothing when this one is no full member. While it
   * joins, others are unknown to it, and while it leaves its view empties, although they are well.
   */
  public Optional<Set<Holder>> living() {
    Set<Holder> nodes = new HashSet<>();
    boolean belongs = false;
    for (Member member : cluster.state().getMembers()) {
      if (member.status().equals(MemberStatus.down())) continue;
      nodes.add(holder(member.uniqueAddress()));
      if (member.uniqueAddress().equals(cluster.selfUniqueAddress()))
        belongs = member.status().equals(MemberStatus.up());
    }
    // Asked after the view was read: the others may be taken out of it before this node is.
    return belongs && !cluster.isTerminated() ? Optional.of(nodes) : Optional.empty();
  }
}
