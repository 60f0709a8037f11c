package dev.tenure.sharding.workflow;

import com.typesafe.config.Config;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.journal.StorageExtension;
import dev.tenure.persistence.shard.ShardOf;
import dev.tenure.persistence.step.Step;
import dev.tenure.sharding.lease.Tenures;
import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.BackoffSupervisorStrategy;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.BehaviorInterceptor;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.PreRestart;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.sharding.typed.ShardingEnvelope;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.cluster.sharding.typed.javadsl.Entity;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityTypeKey;
import org.apache.pekko.persistence.typed.JournalPersistFailed;
import org.apache.pekko.persistence.typed.JournalPersistRejected;
import org.apache.pekko.persistence.typed.PersistenceId;
import org.apache.pekko.persistence.typed.RecoveryCompleted;
import org.apache.pekko.persistence.typed.RecoveryFailed;
import org.apache.pekko.persistence.typed.javadsl.CommandHandler;
import org.apache.pekko.persistence.typed.javadsl.EventHandler;
import org.apache.pekko.persistence.typed.javadsl.EventSourcedBehavior;
import org.apache.pekko.persistence.typed.javadsl.SignalHandler;

/** The actor around an {@link Owner}: it recovers, commits, and stops when its tenure is lost. */
final class WorkflowEntity extends EventSourcedBehavior<Message, Step, Owner> {
  static final EntityTypeKey<Message> TYPE = EntityTypeKey.create(Message.class, "workflow");

  private static final Duration RECOVERY_PAUSE_FIRST = Duration.ofMillis(20);

  private final Host host;
  private final StorageExtension journal;
  private final WorkflowId id;
  private final Owner.Self self;
  private final Owner owner;
  private final boolean assumedFresh;

  private WorkflowEntity(
      Host host,
      StorageExtension journal,
      WorkflowId id,
      Fence fence,
      boolean assumedFresh,
      Carry carry,
      Owner.Self self) {
    super(PersistenceId.ofUniqueId(Host.persistenceId(id)));
    this.host = host;
    this.journal = journal;
    this.id = id;
    this.self = self;
    this.assumedFresh = assumedFresh;
    this.owner = new Owner(host, self, id, fence, assumedFresh, carry);
  }

  static Entity<Message, ShardingEnvelope<Message>> entity(Host host) {
    return Entity.of(
            TYPE, context -> create(host, WorkflowId.of(context.getEntityId()), context.getShard()))
        .withStopMessage(Message.Stop.STOP);
  }

  private static Behavior<Message> create(
      Host host, WorkflowId id, ActorRef<ClusterSharding.ShardCommand> shard) {
    Carry carry = new Carry();
    Behavior<Message> owning = Behaviors.setup(context -> own(host, id, shard, carry, context));
    Behavior<Message> startingAnew =
        Behaviors.supervise(owning)
            .onFailure(
                StartAnewException.class, SupervisorStrategy.restart().withLoggingEnabled(false));
    Behavior<Message> recovering =
        Behaviors.supervise(startingAnew)
            .onFailure(NotCommittedException.class, afterAPause(host).withLoggingEnabled(false));
    // A defect of ours: logged, and tried again, because nothing else would wake the workflow.
    Behavior<Message> surviving =
        Behaviors.supervise(recovering).onFailure(RuntimeException.class, afterAPause(host));
    return Behaviors.intercept(() -> new Gate(carry), surviving);
  }

  private static BackoffSupervisorStrategy afterAPause(Host host) {
    return SupervisorStrategy.restartWithBackoff(
            RECOVERY_PAUSE_FIRST, host.settings.recoveryPauseMax(), 0.2)
        .withStashCapacity(WorkflowSettings.WAITING_MAX * 2);
  }

  private static Behavior<Message> own(
      Host host,
      WorkflowId id,
      ActorRef<ClusterSharding.ShardCommand> shard,
      Carry carry,
      ActorContext<Message> context) {
    int number = ShardOf.workflow(id.value(), host.shards);
    OptionalLong epoch = Tenures.of(context.getSystem()).epochOf(number);
    if (epoch.isEmpty()) return Behaviors.stopped();
    boolean fresh = host.takeFresh(id);
    StorageExtension journal = StorageExtension.of(context.getSystem());
    if (fresh) journal.reads().expectFresh(Host.persistenceId(id));
    ActorRef<Message> me = context.getSelf();
    Owner.Self self =
        new Owner.Self() {
          @Override
          public void tell(Message message) {
            me.tell(message);
          }

          @Override
          public void passivate() {
            carry.leaves();
            shard.tell(new ClusterSharding.Passivate<>(me));
          }
        };
    Fence fence = new Fence(number, epoch.getAsLong());
    return new WorkflowEntity(host, journal, id, fence, fresh, carry, self);
  }

  /** Answers what would wait for too long, before it waits. */
  private static final class Gate extends BehaviorInterceptor<Message, Message> {
    private final Carry carry;
    private boolean stopping;

    Gate(Carry carry) {
      super(Message.class);
      this.carry = carry;
    }

    @Override
    public Behavior<Message> aroundReceive(
        TypedActorContext<Message> context, Message message, ReceiveTarget<Message> target) {
      if (message instanceof Message.Stop) {
        stopping = true;
        carry.leaves();
      }
      if (message instanceof Message.Asked asked) {
        // It took the short way and came too late: behind a stop nothing is taken up any more.
        if (stopping) asked.replyTo().tell(new Answer.Again("The owner stops."));
        else if (!carry.arrives())
          asked.replyTo().tell(new Answer.Busy(WorkflowSettings.WAITING_MAX));
        else return target.apply(context, message);
        return Behaviors.same();
      }
      return target.apply(context, message);
    }
  }

  @Override
  public Owner emptyState() {
    return owner;
  }

  @Override
  public CommandHandler<Message, Step, Owner> commandHandler() {
    return (current, message) ->
        switch (current.on(message)) {
          case Next.Nothing nothing -> Effect().none();
          case Next.Commit(Step step, Runnable then) ->
              Effect().persist(step).thenRun(done -> then.run());
          case Next.Stop stop -> Effect().stop();
        };
  }

  @Override
  public EventHandler<Owner, Step> eventHandler() {
    return (current, step) -> {
      // Its own commits the owner has folded when it decided them.
      if (!current.hasBegun()) current.recover(step);
      return current;
    };
  }

  @Override
  public SignalHandler<Owner> signalHandler() {
    return newSignalHandlerBuilder()
        // Certainly not stored: the tenure is lost, or the id was not as new as it seemed.
        .onSignal(
            JournalPersistRejected.class,
            (current, rejected) -> recover("The commit was refused: " + rejected.failure()))
        .onSignal(
            JournalPersistFailed.class,
            (current, failed) -> recover("Whether it was committed is not known yet."))
        // Without this nobody would ask for the workflow again.
        .onSignal(RecoveryFailed.class, (current, failed) -> host.wakeLater(id))
        .onSignal(PreRestart.class, (current, restart) -> owner.end("The owner starts again."))
        .onSignal(PostStop.class, (current, stop) -> owner.end("The owner has stopped."))
        // Only a message starts what is taken for new: there is nothing else to go on with.
        .onSignal(
            RecoveryCompleted.class,
            (current, complete) -> {
              if (!assumedFresh) self.tell(Message.GoOn.GO_ON);
            })
        .build();
  }

  /**
   * What is in memory is of no use any more. The actor begins anew, with whatever tenure it has
   * then; the behavior by itself would stop, or keep its fence.
   */
  private void recover(String why) {
    owner.end(why);
    throw new NotCommittedException(why);
  }

  @Override
  public String journalPluginId() {
    return "tenure-journal";
  }

  @Override
  public Optional<Config> journalPluginConfig() {
    return journal.pluginConfig();
  }

  @Override
  public String snapshotPluginId() {
    return "pekko.persistence.no-snapshot-store";
  }

  @Override
  public Optional<Config> snapshotPluginConfig() {
    return journal.pluginConfig();
  }
}
