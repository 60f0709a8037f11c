package dev.tenure.sharding.workflow;

import com.typesafe.config.Config;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.shard.ShardOf;
import dev.tenure.persistence.step.Step;
import dev.tenure.sharding.lease.Tenures;
import dev.tenure.workflow.WorkflowId;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.sharding.typed.ShardingEnvelope;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.cluster.sharding.typed.javadsl.Entity;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityTypeKey;
import org.apache.pekko.persistence.typed.PersistenceId;
import org.apache.pekko.persistence.typed.RecoveryCompleted;
import org.apache.pekko.persistence.typed.javadsl.CommandHandler;
import org.apache.pekko.persistence.typed.javadsl.Effect;
import org.apache.pekko.persistence.typed.javadsl.EventHandler;
import org.apache.pekko.persistence.typed.javadsl.EventSourcedBehavior;
import org.apache.pekko.persistence.typed.javadsl.SignalHandler;

/** A workflow's actor: commits what its {@link Owner} decides. A failed commit ends it. */
final class WorkflowEntity extends EventSourcedBehavior<Message, Step, Owner> {
  static final EntityTypeKey<Message> TYPE = EntityTypeKey.create(Message.class, "workflow");

  private final Host host;
  private final Owner owner;

  private WorkflowEntity(Host host, WorkflowId id, Owner owner) {
    super(PersistenceId.ofUniqueId(Host.persistenceId(id)));
    this.host = host;
    this.owner = owner;
  }

  static Entity<Message, ShardingEnvelope<Message>> entity(Host host) {
    return Entity.of(
            TYPE, context -> start(host, WorkflowId.of(context.getEntityId()), context.getShard()))
        .withStopMessage(Message.Stop.STOP);
  }

  private static Behavior<Message> start(
      Host host, WorkflowId id, ActorRef<ClusterSharding.ShardCommand> shardActor) {
    return Behaviors.setup(
        context -> {
          // Otherwise every start walks the stack to find out whose logger it is.
          context.setLoggerName(WorkflowEntity.class);
          int shard = ShardOf.workflow(id.value(), host.shards);
          OptionalLong epoch = Tenures.of(context.getSystem()).epochOf(shard);
          if (epoch.isEmpty()) return Behaviors.stopped();
          ActorRef<Message> self = context.getSelf();
          Owner owner =
              new Owner(
                  host,
                  id,
                  new Fence(shard, epoch.getAsLong()),
                  self::tell,
                  () -> shardActor.tell(new ClusterSharding.Passivate<>(self)));
          return new WorkflowEntity(host, id, owner);
        });
  }

  @Override
  public Owner emptyState() {
    return owner;
  }

  @Override
  public CommandHandler<Message, Step, Owner> commandHandler() {
    return (state, message) -> effect(state.receive(message));
  }

  private Effect<Step, Owner> effect(Next next) {
    return switch (next) {
      case Next.Nothing nothing -> Effect().none();
      case Next.Commit(Step step, Runnable then) ->
          Effect().persist(step).thenRun(state -> then.run());
      case Next.Stop stop -> Effect().stop();
    };
  }

  @Override
  public EventHandler<Owner, Step> eventHandler() {
    return (state, step) -> {
      state.fold(step);
      return state;
    };
  }

  @Override
  public SignalHandler<Owner> signalHandler() {
    return newSignalHandlerBuilder()
        .onSignal(RecoveryCompleted.instance(), Owner::recovered)
        .onSignal(PostStop.instance(), Owner::close)
        .build();
  }

  @Override
  public String journalPluginId() {
    return "tenure-journal";
  }

  @Override
  public String snapshotPluginId() {
    return "pekko.persistence.no-snapshot-store";
  }

  @Override
  public Optional<Config> journalPluginConfig() {
    return host.journal.pluginConfig();
  }

  @Override
  public Optional<Config> snapshotPluginConfig() {
    return host.journal.pluginConfig();
  }
}
