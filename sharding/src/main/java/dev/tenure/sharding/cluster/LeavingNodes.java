package dev.tenure.sharding.cluster;

import dev.tenure.persistence.lease.Holder;
import dev.tenure.sharding.deployment.Drains;
import dev.tenure.sharding.lease.ClusterMembership;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
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
final class LeavingNodes implements Drains {
  private static final String NAME = "tenure-leaving-nodes";

  /** Before the numbers of shards. The name of a node has no space. */
  private static final String BEGUN = "begun ";

  private final Cluster cluster;
  private final ActorRef<Topic.Command<String>> topic;
  private final Set<String> leaving = ConcurrentHashMap.newKeySet();
  private final Map<Integer, Long> begun = new ConcurrentHashMap<>();

  private LeavingNodes(Cluster cluster, ActorRef<Topic.Command<String>> topic) {
    this.cluster = cluster;
    this.topic = topic;
  }

  /** Listens to what the others say; once for a node. */
  static LeavingNodes start(ActorSystem<?> system) {
    ActorRef<Topic.Command<String>> topic =
        system.systemActorOf(Topic.create(String.class, NAME), NAME, Props.empty());
    LeavingNodes nodes = new LeavingNodes(Cluster.get(system), topic);
    Behavior<String> listener =
        Behaviors.receiveMessage(
            said -> {
              nodes.hear(said);
              return Behaviors.same();
            });
    topic.tell(Topic.subscribe(system.systemActorOf(listener, NAME + "-listener", Props.empty())));
    return nodes;
  }

  private void hear(String said) {
    if (!said.startsWith(BEGUN)) {
      leaving.add(said);
      return;
    }
    long now = System.nanoTime();
    for (String shard : said.substring(BEGUN.length()).split(","))
      begun.put(Integer.valueOf(shard), now);
  }

  /** Tells all nodes that this one is being drained. A message may get lost: to be repeated. */
  void announce() {
    topic.tell(Topic.publish(name(cluster.selfMember())));
  }

  /** Whether a node of the cluster is being drained. */
  boolean any() {
    if (leaving.isEmpty()) return false;
    for (Member member : cluster.state().getMembers())
      if (leaving.contains(name(member))) return true;
    return false;
  }

  /** Tells the coordinator that what was due in these shards has begun here. */
  void announceBegun(Set<Integer> shards) {
    topic.tell(
        Topic.publish(
            BEGUN + shards.stream().map(String::valueOf).collect(Collectors.joining(","))));
  }

  @Override
  public OptionalLong begunAt(int shard) {
    Long at = begun.get(shard);
    return at == null ? OptionalLong.empty() : OptionalLong.of(at);
  }

  /** Whether the node at this address is being drained, and not another one that came after it. */
  @Override
  public boolean leaves(String address) {
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
