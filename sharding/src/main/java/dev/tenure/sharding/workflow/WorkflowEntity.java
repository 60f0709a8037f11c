package dev.tenure.sharding.workflow;

import com.typesafe.config.ConfigFactory;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.merging.PipelineSaturatedError;
import dev.tenure.persistence.pekko.CommitRejected;
import dev.tenure.persistence.shard.ShardOf;
import dev.tenure.persistence.step.Step;
import dev.tenure.sharding.lease.Tenures;
import dev.tenure.sharding.owner.OwnerLoop;
import dev.tenure.sharding.owner.OwnerPort;
import dev.tenure.sharding.owner.OwnerState;
import dev.tenure.sharding.owner.StandIn;
import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ExtensibleBehavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.sharding.typed.ShardingEnvelope;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.cluster.sharding.typed.javadsl.Entity;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityTypeKey;
import org.apache.pekko.persistence.AtomicWrite;
import org.apache.pekko.persistence.JournalProtocol;
import org.apache.pekko.persistence.Persistence;
import org.apache.pekko.persistence.PersistentEnvelope;
import org.apache.pekko.persistence.PersistentRepr;
import org.apache.pekko.persistence.PersistentRepr$;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The actor that carries an {@link OwnerLoop} on a node. It speaks the protocol of Pekko's journal
 * itself, because the loop already has all that a persistent actor would add: it keeps what cannot
 * be taken up yet, and begins anew by itself.
 */
final class WorkflowEntity extends ExtensibleBehavior<Object>
    implements OwnerPort<Message>, Owner.Self {
  static final EntityTypeKey<Message> TYPE = EntityTypeKey.create(Message.class, "workflow");

  private static final Logger log = LoggerFactory.getLogger(WorkflowEntity.class);
  private static final String JOURNAL = "tenure-journal";

  /** So long a journal may read a history without a word. */
  private static final Duration SILENCE_MAX = Duration.ofSeconds(30);

  /** What the entity tells itself. */
  private sealed interface Told {
    record PauseOver(long number) implements Told {}

    record Restored(long number) implements Told {}

    /** All that was sent the short way before the owner ended has arrived. */
    record Gone() implements Told {}
  }

  /** What all entities of a node share. */
  private record Node(Host host, ActorSystem<?> system, org.apache.pekko.actor.ActorRef journal) {}

  private final Node node;
  private final Host host;
  private final WorkflowId id;
  private final int shardNumber;
  private final ActorRef<ClusterSharding.ShardCommand> shard;
  private final ActorRef<Object> self;
  private final org.apache.pekko.actor.ActorRef classicSelf;
  private final PendingMessages pending;
  private final OwnerLoop<Message> loop;
  private Fence fence;
  private String writer = "";

  /** Of what was read last, while the history is being read. */
  private long reading;

  private long heardAtNanos;

  /** Of the commit that the journal has. */
  private long writing;

  private WorkflowEntity(
      Node node,
      WorkflowId id,
      ActorRef<ClusterSharding.ShardCommand> shard,
      ActorRef<Object> self) {
    this.node = node;
    this.host = node.host;
    this.id = id;
    this.shardNumber = ShardOf.workflow(id.value(), host.shards);
    this.shard = shard;
    this.self = self;
    this.classicSelf = Adapter.toClassic(self);
    this.pending = new PendingMessages(host.limits, message -> host.post.tell(id, message));
    this.loop = new OwnerLoop<>(this, pending, host.settings.recoveryPauseMax());
  }

  static Entity<Message, ShardingEnvelope<Message>> entity(Host host, ActorSystem<?> system) {
    Node node =
        new Node(host, system, Persistence.get(system).journalFor(JOURNAL, ConfigFactory.empty()));
    return Entity.of(
            TYPE, context -> create(node, WorkflowId.of(context.getEntityId()), context.getShard()))
        .withStopMessage(Message.Stop.STOP);
  }

  private static Behavior<Message> create(
      Node node, WorkflowId id, ActorRef<ClusterSharding.ShardCommand> shard) {
    Behavior<Object> owning =
        Behaviors.setup(
            context -> {
              WorkflowEntity entity = new WorkflowEntity(node, id, shard, context.getSelf());
              entity.loop.begin();
              return entity;
            });
    return owning.narrow();
  }

  // --- what it is told

  @Override
  public Behavior<Object> receive(TypedActorContext<Object> context, Object message) {
    switch (message) {
      case Message.Stop stop -> loop.stop();
      case Message told -> {
        if (loop.state() == OwnerState.RECOVERING) lookForTheJournal();
        loop.on(told);
      }
      case JournalProtocol.WriteMessageSuccess answer -> {
        if (isOfWriting(answer.actorInstanceId())) loop.commitStands(writing);
      }
      case JournalProtocol.WriteMessageRejected answer -> {
        if (isOfWriting(answer.actorInstanceId())) refused(answer.cause());
      }
      case JournalProtocol.WriteMessageFailure answer -> {
        if (isOfWriting(answer.actorInstanceId())) loop.commitUncertain(writing);
      }
      case JournalProtocol.ReplayedMessage answer -> {
        heardAtNanos = host.nanos.getAsLong();
        loop.stepRead(reading, (Step) answer.persistent().payload());
      }
      case JournalProtocol.RecoverySuccess answer -> loop.historyRead(reading);
      case JournalProtocol.ReplayMessagesFailure answer ->
          loop.historyFailed(reading, answer.cause());
      case Told.PauseOver(long number) -> loop.pauseOver(number);
      case Told.Restored(long number) -> loop.restored(number);
      case Told.Gone gone -> {
        return Behaviors.stopped();
      }
      // The journal says the same again of the one commit that it was given.
      case JournalProtocol.WriteMessagesFailed all -> {}
      default -> {
        if (message != JournalProtocol.WriteMessagesSuccessful$.MODULE$)
          log.warn("the owner of workflow {} does not know {}", id, message);
      }
    }
    return this;
  }

  /** The journal's answers have room for a part of the number. */
  private boolean isOfWriting(int answered) {
    return (int) writing == answered;
  }

  @Override
  public Behavior<Object> receiveSignal(TypedActorContext<Object> context, Signal signal) {
    if (signal instanceof PostStop) loop.killed();
    return this;
  }

  private void refused(Throwable cause) {
    // The database is slower than the load: that says nothing of this commit.
    if (cause instanceof CommitRejected || cause instanceof PipelineSaturatedError)
      loop.commitRefused(writing, cause.toString());
    else
      loop.commitInvalid(
          writing, cause instanceof RuntimeException why ? why : new IllegalStateException(cause));
  }

  /** Its answer may have been lost with the journal's actor. */
  private void lookForTheJournal() {
    if (host.nanos.getAsLong() - heardAtNanos < SILENCE_MAX.toNanos()) return;
    log.warn("workflow {}: the journal does not answer; another actor reads it again", id);
    host.wakeLater(id);
    loop.stop();
  }

  // --- what the loop needs

  @Override
  public void tell(Message message) {
    self.tell(message);
  }

  @Override
  public Optional<TakenUp<Message>> takeUp(Optional<String> failure) {
    OptionalLong epoch = Tenures.of(node.system).epochOf(shardNumber);
    if (epoch.isEmpty()) return Optional.empty();
    fence = new Fence(shardNumber, epoch.getAsLong());
    writer = host.nextWriter();
    boolean fresh = host.takeFresh(id);
    return Optional.of(
        new TakenUp<>(new Owner(host, this, id, fence, fresh, pending, failure), fresh));
  }

  @Override
  public void readHistory(long number) {
    reading = number;
    heardAtNanos = host.nanos.getAsLong();
    node.journal.tell(
        new JournalProtocol.ReplayMessages(
            1, Long.MAX_VALUE, Long.MAX_VALUE, Host.persistenceId(id), classicSelf),
        classicSelf);
  }

  @Override
  public void write(Step step, long number) {
    writing = number;
    PersistentRepr event =
        PersistentRepr$.MODULE$.apply(
            step,
            step.head().version(),
            Host.persistenceId(id),
            "",
            false,
            org.apache.pekko.actor.ActorRef.noSender(),
            writer);
    PersistentEnvelope write =
        new AtomicWrite(CollectionConverters.asScala(List.of(event)).toSeq());
    node.journal.tell(
        new JournalProtocol.WriteMessages(
            CollectionConverters.asScala(List.of(write)).toSeq(), classicSelf, (int) number),
        classicSelf);
  }

  @Override
  public void pause(Duration pause, long number) {
    host.timers.after(pause, () -> self.tell(new Told.PauseOver(number)));
  }

  @Override
  public Optional<String> damage(Throwable failure) {
    return Unreadable.damage(failure).map(Throwable::toString);
  }

  @Override
  public boolean mayPass(Throwable failure) {
    return Unreadable.mayPass(failure);
  }

  @Override
  public StandIn<Message> standIn(String evidence, long number) {
    Unreadable workflow =
        new Unreadable(host, id, fence, evidence, () -> self.tell(new Told.Restored(number)));
    workflow.raise();
    return workflow;
  }

  @Override
  public void leave() {
    pending.asksToGo();
    ActorRef<Message> me = self.narrow();
    shard.tell(new ClusterSharding.Passivate<>(me));
  }

  @Override
  public void failed(RuntimeException failure) {
    log.error("the owner of workflow {} failed", id, failure);
  }

  @Override
  public void ended() {
    self.tell(new Told.Gone());
  }
}
