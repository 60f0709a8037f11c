package dev.tenure.sharding.node;

import com.typesafe.config.ConfigFactory;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.entry.Snapshot;
import dev.tenure.persistence.merging.PipelineSaturatedError;
import dev.tenure.persistence.pekko.FencedJournalDao;
import dev.tenure.persistence.pekko.StorageExtension;
import dev.tenure.persistence.shard.ShardOf;
import dev.tenure.sharding.commit.EntryCommit;
import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.lease.Tenures;
import dev.tenure.sharding.mailbox.PendingMessages;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.message.ShardActors;
import dev.tenure.sharding.run.Owner;
import dev.tenure.sharding.unreadable.Unreadable;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.owner.OwnerLoop;
import dev.tenure.workflow.owner.OwnerPort;
import dev.tenure.workflow.owner.OwnerState;
import dev.tenure.workflow.owner.StandIn;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.ActorContext;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ExtensibleBehavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.sharding.ShardRegion;
import org.apache.pekko.cluster.sharding.typed.ShardingEnvelope;
import org.apache.pekko.cluster.sharding.typed.javadsl.Entity;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityTypeKey;
import org.apache.pekko.persistence.JournalProtocol;
import org.apache.pekko.persistence.Persistence;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The actor that runs one {@link OwnerLoop} on a node. It asks Pekko's journal for the history and
 * hands commits to the journal's DAO itself, because the loop already has all that a persistent
 * actor would add: it keeps messages that cannot be taken up yet, and begins anew by itself.
 */
public final class WorkflowEntity extends ExtensibleBehavior<Object>
    implements OwnerPort<Message, JournalEntry, Snapshot>, Owner.Self {
  static final EntityTypeKey<Message> TYPE = EntityTypeKey.create(Message.class, "workflow");

  private static final Logger log = LoggerFactory.getLogger(WorkflowEntity.class);
  private static final String JOURNAL = "tenure-journal";

  /** The messages that the entity sends to itself. */
  private sealed interface Told {
    record PauseOver(long number) implements Told {}

    record Restored(long number) implements Told {}

    /** The stand-in has nothing left to do. */
    record Unneeded(long number) implements Told {}

    /** The result of the commit with that number. */
    record Written(long number, CommitResult result) implements Told {}

    /** The pipeline did not take the commit. */
    record NotTaken(long number, Throwable why) implements Told {}

    /** The journal may not have answered for too long. */
    record Silence() implements Told {}

    /** All messages that were sent here without the cluster before the owner ended have arrived. */
    record Gone() implements Told {}
  }

  /** The objects that all entities of a node share. */
  private record Node(
      Host host,
      ActorSystem<?> system,
      ActorRef history,
      CompletionStage<FencedJournalDao> journal,
      ShardActors shards) {}

  private final Node node;
  private final Host host;
  private final WorkflowId id;
  private final int shardNumber;
  private final ActorRef shard;
  private final ActorRef self;
  private final PendingMessages pending;
  private final OwnerLoop<Message, JournalEntry, Snapshot> loop;
  private final AnswerDeadline deadline;
  private final HistoryReading history;
  private Fence fence;

  /** The number of the commit that the journal has. */
  private long writing;

  private WorkflowEntity(Node node, WorkflowId id, ActorRef shard, ActorRef self) {
    this.node = node;
    this.host = node.host;
    this.id = id;
    this.shardNumber = ShardOf.workflow(id.value(), host.shards);
    this.shard = shard;
    this.self = self;
    this.pending = new PendingMessages(host.limits, message -> host.transport.tell(id, message));
    this.loop = new OwnerLoop<>(this, pending, host.settings.recoveryPauseMax());
    this.deadline = new AnswerDeadline(host.nanos);
    this.history = new HistoryReading(host, id, node.history, self, loop, deadline);
  }

  private static Node node(Host host, ActorSystem<?> system, ShardActors shards) {
    return new Node(
        host,
        system,
        Persistence.get(system).journalFor(JOURNAL, ConfigFactory.empty()),
        StorageExtension.of(system).journal(),
        shards);
  }

  /** The owner of one workflow. Its parent is the actor of its shard. */
  public static Behavior<Message> behavior(
      Host host, ActorSystem<?> system, ShardActors shards, WorkflowId id) {
    return create(node(host, system, shards), id);
  }

  static Entity<Message, ShardingEnvelope<Message>> entity(
      Host host, ActorSystem<?> system, ShardActors shards) {
    Node node = node(host, system, shards);
    return Entity.of(TYPE, context -> create(node, WorkflowId.of(context.getEntityId())))
        .withStopMessage(Message.Stop.STOP);
  }

  private static Behavior<Message> create(Node node, WorkflowId id) {
    Behavior<Object> owning =
        Behaviors.setup(
            context -> {
              ActorContext here = Adapter.toClassic(context);
              WorkflowEntity entity = new WorkflowEntity(node, id, here.parent(), here.self());
              entity.loop.begin();
              return entity;
            });
    return owning.narrow();
  }

  // --- messages

  @Override
  public Behavior<Object> receive(TypedActorContext<Object> context, Object message) {
    switch (message) {
      case Message.Stop stop -> loop.stop();
      case Message told -> loop.on(told);
      case Told.Written(long number, CommitResult result) -> written(number, result);
      case Told.NotTaken(long number, Throwable why) -> notTaken(number, why);
      case JournalProtocol.ReplayedMessage row -> history.rowRead(row);
      case JournalProtocol.RecoverySuccess answer -> history.wasRead(answer.highestSequenceNr());
      case JournalProtocol.ReplayMessagesFailure answer -> history.failed(answer.cause());
      case HistoryReading.Told told -> history.on(told);
      case Told.PauseOver(long number) -> loop.pauseOver(number);
      case Told.Restored(long number) -> loop.restored(number);
      case Told.Unneeded(long number) -> loop.unneeded(number);
      case Told.Silence silence -> silence();
      case Told.Gone gone -> {
        return Behaviors.stopped();
      }
      default -> log.warn("the owner of workflow {} does not know {}", id, message);
    }
    return this;
  }

  private void written(long number, CommitResult result) {
    if (!loop.awaits(number)) return;
    deadline.answered();
    switch (result) {
      case CommitResult.Committed done -> loop.commitStands(number);
      case CommitResult.Fenced fenced -> {
        Tenures.of(node.system).fenced(fence);
        loop.commitRefused(number, fenced.toString());
      }
      case CommitResult.Conflict conflict -> loop.commitRefused(number, conflict.toString());
      case CommitResult.SignalNotTaken signal -> loop.commitRefused(number, signal.toString());
      case CommitResult.Unknown unknown -> loop.commitUncertain(number);
    }
  }

  @Override
  public Behavior<Object> receiveSignal(TypedActorContext<Object> context, Signal signal) {
    if (signal instanceof PostStop) loop.killed();
    return this;
  }

  private void notTaken(long number, Throwable failure) {
    if (!loop.awaits(number)) return;
    deadline.answered();
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    // The database is slower than the load. The commit was not tried, so this is no failure of the
    // owner.
    if (cause instanceof PipelineSaturatedError) loop.commitRefused(number, cause.toString());
    else
      loop.commitInvalid(
          number, cause instanceof RuntimeException why ? why : new IllegalStateException(cause));
  }

  // --- silence

  @Override
  public void look(long nanos) {
    if (deadline.passesNow(nanos)) tellSelf(new Told.Silence());
  }

  /** The answer may be lost with the journal's actor. It may also have come meanwhile. */
  private void silence() {
    boolean reads = loop.state() == OwnerState.RECOVERING;
    long asked = reads ? history.number() : writing;
    if (!deadline.hasPassed() || !loop.awaits(asked)) return;
    deadline.answered();
    if (reads && history.goesOnWithoutSnapshot()) return;
    log.warn("workflow {}: the journal does not answer a {}", id, reads ? "read" : "commit");
    // The next owner has to read again, and only this one knows that the workflow must be awake.
    if (reads) host.wakeLater(id);
    loop.journalSilent(asked);
  }

  // --- what the loop needs

  @Override
  public void tell(Message message) {
    tellSelf(message);
  }

  @Override
  public void historyIsDone() {
    history.forget();
  }

  private void tellSelf(Object message) {
    self.tell(message, ActorRef.noSender());
  }

  @Override
  public Optional<TakenUp<Message, JournalEntry, Snapshot>> takeUp(Optional<String> failure) {
    Optional<Fence> held = Tenures.of(node.system).fenceOf(shardNumber);
    if (held.isEmpty()) return Optional.empty();
    fence = held.get();
    node.shards.creates(shardNumber, fence.epoch(), shard);
    boolean fresh = host.takeFresh(id);
    return Optional.of(
        new TakenUp<>(new Owner(host, this, id, fence, fresh, pending, failure), fresh));
  }

  @Override
  public void readHistory(long number) {
    history.begin(number);
  }

  @Override
  public void write(JournalEntry entry, long number) {
    writing = number;
    deadline.await(host.settings.journal().commitSilenceMax());
    node.journal
        .thenCompose(journal -> journal.write(EntryCommit.id(entry), entry))
        .whenComplete(
            (result, failure) ->
                tellSelf(
                    failure == null
                        ? new Told.Written(number, result)
                        : new Told.NotTaken(number, failure)));
  }

  @Override
  public void pause(Duration pause, long number) {
    host.timers.after(pause, () -> tellSelf(new Told.PauseOver(number)));
  }

  @Override
  public Optional<String> damage(Throwable failure) {
    return Unreadable.damage(failure);
  }

  @Override
  public boolean mayPass(Throwable failure) {
    return Unreadable.mayPass(failure);
  }

  @Override
  public StandIn<Message> standIn(String evidence, long number) {
    Unreadable.Self me =
        new Unreadable.Self() {
          @Override
          public void readAgain() {
            tellSelf(new Told.Restored(number));
          }

          @Override
          public void leave() {
            tellSelf(new Told.Unneeded(number));
          }

          @Override
          public void fenced() {
            Tenures.of(node.system).fenced(fence);
          }
        };
    Unreadable workflow = new Unreadable(host, id, fence, pending, evidence, me);
    workflow.raise();
    return workflow;
  }

  @Override
  public void leave() {
    pending.asksToGo();
    passivate();
  }

  /** Pekko's shard keeps new messages for the next owner, and stops this one. */
  private void passivate() {
    // As typed sharding would, by an actor that stands between the two.
    shard.tell(new ShardRegion.Passivate(Message.Stop.STOP), self);
  }

  @Override
  public void letGo() {
    history.end();
    passivate();
  }

  @Override
  public void failed(RuntimeException failure) {
    log.error("the owner of workflow {} failed", id, failure);
  }

  @Override
  public void ended() {
    history.end();
    tellSelf(new Told.Gone());
  }
}
