package dev.tenure.sharding.message;

import dev.tenure.persistence.shard.ShardOf;
import dev.tenure.sharding.cluster.ClusterRuntime;
import dev.tenure.sharding.lease.Tenures;
import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.sharding.typed.ShardingEnvelope;

/** Sends messages to workflows through the cluster's sharding, the short way where there is one. */
public final class ClusterTransport implements WorkflowTransport {
  /** The receiver of an answer that may come from another node. */
  record Remote(ActorRef<Answer> actor) implements ReplyTo {
    @Override
    public void tell(Answer answer) {
      actor.tell(answer);
    }
  }

  /** The address of a client in this node, for an answer that comes from another node after all. */
  static ActorRef<Answer> address(ActorSystem<?> system, LocalAsks.Ask here) {
    Behavior<Answer> relay =
        Behaviors.setup(
            context -> {
              context.setReceiveTimeout(ADDRESS_LIMIT, new Answer.Again("No answer came in time."));
              return Behaviors.receiveMessage(
                  answer -> {
                    here.tell(answer);
                    return Behaviors.stopped();
                  });
            });
    String name = "tenure-answer-" + ADDRESSES.incrementAndGet();
    return system.systemActorOf(relay, name, Props.empty());
  }

  /** No client waits longer for an answer. */
  private static final Duration ADDRESS_LIMIT = Duration.ofSeconds(30);

  private static final AtomicLong ADDRESSES = new AtomicLong();

  private final ActorSystem<?> system;
  private final int shards;
  private final ShardActors shardActors;
  private volatile ActorRef<ShardingEnvelope<Message>> region;

  public ClusterTransport(ClusterRuntime runtime) {
    this.system = runtime.system();
    this.shards = runtime.shards();
    this.shardActors = new ShardActors(system, shards);
  }

  public void reachedThrough(ActorRef<ShardingEnvelope<Message>> shardRegion) {
    region = shardRegion;
    shardActors.sendBackThrough(system, Adapter.toClassic(shardRegion));
  }

  public ShardActors shardActors() {
    return shardActors;
  }

  @Override
  public void tell(WorkflowId id, Message message) {
    ShardingEnvelope<Message> envelope = new ShardingEnvelope<>(id.value(), message);
    if (!shardActors.tell(ShardOf.workflow(id.value(), shards), envelope)) region.tell(envelope);
  }

  @Override
  public CompletionStage<Answer> ask(
      WorkflowId id, Function<ReplyTo, Message> message, Duration limit) {
    return AskPattern.ask(
        region,
        replyTo -> new ShardingEnvelope<>(id.value(), message.apply(new Remote(replyTo))),
        limit,
        system.scheduler());
  }

  @Override
  public boolean isOurs(WorkflowId id) {
    return Tenures.of(system).epochOf(ShardOf.workflow(id.value(), shards)).isPresent();
  }
}
