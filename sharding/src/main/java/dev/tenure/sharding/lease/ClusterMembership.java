package dev.tenure.sharding.lease;

import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Membership;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.UniqueAddress;

/** Who is gone for good, as this node's view of the cluster has it. */
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
    for (Member member : cluster.state().getMembers()) {
      if (holder(member.uniqueAddress()).equals(holder)) {
        return member.status().equals(MemberStatus.down())
            || member.status().equals(MemberStatus.removed());
      }
    }
    // Only a member's view is complete: while we are joining, everybody is unknown to us.
    return cluster.selfMember().status().equals(MemberStatus.up());
  }
}
