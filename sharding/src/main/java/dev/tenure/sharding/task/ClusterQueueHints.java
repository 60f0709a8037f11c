package dev.tenure.sharding.task;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.pubsub.Topic;
import org.apache.pekko.cluster.Cluster;

/** Hints over a topic to which the desks of all nodes of the cluster listen. */
public final class ClusterQueueHints implements QueueHints {
  private static final String NAME = "tenure-queue-hints";

  private final String self;
  private final ActorRef<Topic.Command<QueueHint>> topic;

  private ClusterQueueHints(String self, ActorRef<Topic.Command<QueueHint>> topic) {
    this.self = self;
    this.topic = topic;
  }

  /**
   * Joins the topic; once for a node.
   *
   * @param heard gets what the other nodes send. It does not block
   */
  public static ClusterQueueHints start(ActorSystem<?> system, Consumer<Set<String>> heard) {
    String self = Cluster.get(system).selfUniqueAddress().toString();
    ActorRef<Topic.Command<QueueHint>> topic =
        system.systemActorOf(Topic.create(QueueHint.class, NAME), NAME, Props.empty());
    ActorRef<QueueHint> listener =
        system.systemActorOf(listener(self, heard), NAME + "-listener", Props.empty());
    topic.tell(Topic.subscribe(listener));
    return new ClusterQueueHints(self, topic);
  }

  private static Behavior<QueueHint> listener(String self, Consumer<Set<String>> heard) {
    Behavior<QueueHint> listening =
        Behaviors.receiveMessage(
            hint -> {
              // The desk that sent it knows.
              if (!hint.from().equals(self)) heard.accept(hint.queues());
              return Behaviors.same();
            });
    // One hint that fails must not be the last that this node hears.
    return Behaviors.supervise(listening).onFailure(SupervisorStrategy.resume());
  }

  @Override
  public void send(Set<String> queues) {
    if (queues.size() <= QueueHint.QUEUES_MAX) {
      publish(queues);
      return;
    }
    List<String> all = new ArrayList<>(queues);
    for (int i = 0; i < all.size(); i += QueueHint.QUEUES_MAX)
      publish(Set.copyOf(all.subList(i, Math.min(all.size(), i + QueueHint.QUEUES_MAX))));
  }

  private void publish(Set<String> queues) {
    topic.tell(Topic.publish(new QueueHint(self, queues)));
  }
}
