package dev.tenure.sharding.cluster;

import dev.tenure.persistence.lease.Holder;
import dev.tenure.sharding.lease.ClusterMembership;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.pubsub.Topic;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.Member;

/**
 * The nodes that said that they are being drained. They are full members of the cluster still: when
 * Pekko learns that the node of the coordinator leaves, it stops all shards of that node at once.
 */
final class LeavingNodes {
  private static final String NAME = "tenure-leaving-nodes";

  private final Cluster cluster;
  private final ActorRef<Topic.Command<String>> topic;
  private final Set<String> leaving;

  private LeavingNodes(
      Cluster cluster, ActorRef<Topic.Command<String>> topic, Set<String> leaving) {
    this.cluster = cluster;
    this.topic = topic;
    this.leaving = leaving;
  }

  /** Listens to what the others say; once for a node. */
  static LeavingNodes start(ActorSystem<?> system) {
    Set<String> leaving = ConcurrentHashMap.newKeySet();
    ActorRef<Topic.Command<String>> topic =
        system.systemActorOf(Topic.create(String.class, NAME), NAME, Props.empty());
    Behavior<String> listener =
        Behaviors.receiveMessage(
            node -> {
              leaving.add(node);
              return Behaviors.same();
            });
    topic.tell(Topic.subscribe(system.systemActorOf(listener, NAME + "-listener", Props.empty())));
    return new LeavingNodes(Cluster.get(system), topic, leaving);
  }

  /** Tells all nodes that this one is being drained. A message may get lost: to be repeated. */
  void announce() {
    topic.tell(Topic.publish(name(cluster.selfMember())));
  }

  /** Whether the node at this address is being drained, and not another one that came after it. */
  boolean contains(String address) {
    if (leaving.isEmpty()) return false;
    for (Member member : cluster.state().getMembers())
      if (member.address().hostPort().equals(address)) return leaving.contains(name(member));
    return false;
  }

  private static String name(Member member) {
    Holder node = ClusterMembership.holder(member.uniqueAddress());
    return node.node() + "#" + node.incarnation();
  }
}
