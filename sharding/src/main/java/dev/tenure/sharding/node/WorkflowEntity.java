package dev.tenure.sharding.node;

import com.typesafe.config.ConfigFactory;
import dev.tenure.persistence.commit.CommitId;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.entry.Snapshot;
import dev.tenure.persistence.merging.PipelineSaturatedError;
import dev.tenure.persistence.pekko.FencedJournalDao;
import dev.tenure.persistence.pekko.StorageExtension;
import dev.tenure.persistence.shard.ShardOf;
import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.lease.Tenures;
import dev.tenure.sharding.mailbox.PendingMessages;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.owner.OwnerLoop;
import dev.tenure.sharding.owner.OwnerPort;
import dev.tenure.sharding.owner.OwnerState;
import dev.tenure.sharding.owner.RecoveryPermits;
import dev.tenure.sharding.owner.StandIn;
import dev.tenure.sharding.run.Owner;
import dev.tenure.sharding.unreadable.Unreadable;
import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
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
import org.apache.pekko.persistence.JournalProtocol;
import org.apache.pekko.persistence.Persistence;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The actor that carries an {@link OwnerLoop} on a node. It asks Pekko's journal for the history
 * and hands commits to the journal's DAO itself, because the loop already has all that a persistent
 * actor would add: it keeps what cannot be taken up yet, and begins anew by itself.
 */
public final class WorkflowEntity extends ExtensibleBehavior<Object>
    implements OwnerPort<Message>, Owner.Self {
  static final EntityTypeKey<Message> TYPE = EntityTypeKey.create(Message.class, "workflow");

  private static final Logger log = LoggerFactory.getLogger(WorkflowEntity.class);
  private static final String JOURNAL = "tenure-journal";

  /** What the entity tells itself. */
  private sealed interface Told {
    record PauseOver(long number) implements Told {}

    record Restored(long number) implements Told {}

    /** Nothing is left to stand for. */
    record Unneeded(long number) implements Told {}

    /** The history may be read now. */
    record MayRead(long number) implements Told {}

    /**
     * What the look for a snapshot came to.
     *
     * @param readTo what of the history was read before
     */
    record Looked(long number, long readTo, Optional<Snapshot> found) implements Told {}

    /** What became of the commit that was asked for under that number. */
    record Written(long number, CommitResult result) implements Told {}

    /** It was not taken to be stored. */
    record NotTaken(long number, Throwable why) implements Told {}

    /** The journal seems to have said nothing for too long. */
    record Silence() implements Told {}

    /** All that was sent the short way before the owner ended has arrived. */
    record Gone() implements Told {}
  }

  /** What all entities of a node share. */
  private record Node(
      Host host,
      ActorSystem<?> system,
      org.apache.pekko.actor.ActorRef history,
      CompletionStage<FencedJournalDao> journal) {}

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

  private int rowsRead;
  private boolean hasLooked;

  /** What was read before the look for a snapshot that is under way; empty when none is. */
  private OptionalLong looksBehind = OptionalLong.empty();

  private RecoveryPermits.Permit permit;

  /** Of the commit that the journal has. */
  private long writing;

  /**
   * When the journal must have said something, 0 when nothing was asked. Looked at from outside.
   */
  private volatile long answerBy;

  /** Of the thread that looks. */
  private long silenceTold;

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

  private static Node node(Host host, ActorSystem<?> system) {
    return new Node(
        host,
        system,
        Persistence.get(system).journalFor(JOURNAL, ConfigFactory.empty()),
        StorageExtension.of(system).journal());
  }

  /** The owner of one workflow, in that shard. */
  public static Behavior<Message> behavior(
      Host host,
      ActorSystem<?> system,
      WorkflowId id,
      ActorRef<ClusterSharding.ShardCommand> shard) {
    return create(node(host, system), id, shard);
  }

  static Entity<Message, ShardingEnvelope<Message>> entity(Host host, ActorSystem<?> system) {
    Node node = node(host, system);
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
      case Message told -> loop.on(told);
      case Told.Written(long number, CommitResult result) -> written(number, result);
      case Told.NotTaken(long number, Throwable why) -> notTaken(number, why);
      case JournalProtocol.ReplayedMessage answer -> {
        awaitAnswer(host.settings.journal().readSilenceMax());
        rowsRead++;
        loop.entryRead(reading, (JournalEntry) answer.persistent().payload());
      }
      case JournalProtocol.RecoverySuccess answer -> wasRead(answer.highestSequenceNr());
      case JournalProtocol.ReplayMessagesFailure answer -> {
        endReading();
        loop.historyFailed(reading, answer.cause());
      }
      case Told.PauseOver(long number) -> loop.pauseOver(number);
      case Told.Restored(long number) -> loop.restored(number);
      case Told.Unneeded(long number) -> loop.unneeded(number);
      case Told.MayRead(long number) -> mayRead(number);
      case Told.Looked(long number, long readTo, var found) -> looked(number, readTo, found);
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
    answerBy = 0;
    switch (result) {
      case CommitResult.Committed done -> loop.commitStands(number);
      case CommitResult.Fenced fenced -> loop.commitRefused(number, fenced.toString());
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
    answerBy = 0;
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    // The database is slower than the load: that says nothing of this commit.
    if (cause instanceof PipelineSaturatedError) loop.commitRefused(number, cause.toString());
    else
      loop.commitInvalid(
          number, cause instanceof RuntimeException why ? why : new IllegalStateException(cause));
  }

  // --- silence

  private void awaitAnswer(Duration limit) {
    long until = host.nanos.getAsLong() + limit.toNanos();
    answerBy = until == 0 ? 1 : until;
  }

  @Override
  public void look(long nanos) {
    long until = answerBy;
    if (until == 0 || nanos - until < 0 || until == silenceTold) return;
    silenceTold = until;
    self.tell(new Told.Silence());
  }

  /** The answer may have been lost with the journal's actor, unless it came meanwhile. */
  private void silence() {
    long until = answerBy;
    boolean reads = loop.state() == OwnerState.RECOVERING;
    long asked = reads ? reading : writing;
    if (until == 0 || host.nanos.getAsLong() - until < 0 || !loop.awaits(asked)) return;
    answerBy = 0;
    if (reads && looksBehind.isPresent()) {
      log.warn("workflow {}: nobody says whether there is a snapshot: all is read", id);
      looked(asked, looksBehind.getAsLong(), Optional.empty());
      return;
    }
    log.warn("workflow {}: the journal does not answer a {}", id, reads ? "read" : "commit");
    // Another actor reads again, and nobody but this one knew that the workflow must be awake.
    if (reads) host.wakeLater(id);
    loop.journalSilent(asked);
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
    rowsRead = 0;
    hasLooked = false;
    looksBehind = OptionalLong.empty();
    permit = host.recoveries.take(() -> self.tell(new Told.MayRead(number)));
    if (permit.isRunning()) readFirst();
  }

  private void mayRead(long number) {
    if (loop.awaits(number)) readFirst();
    else endReading();
  }

  private void endReading() {
    answerBy = 0;
    if (permit != null) permit.end();
    permit = null;
  }

  private void readFirst() {
    read(1, host.limits.rowsBeforeSnapshot());
  }

  private void read(long from, long max) {
    awaitAnswer(host.settings.journal().readSilenceMax());
    node.history.tell(
        new JournalProtocol.ReplayMessages(
            from, Long.MAX_VALUE, max, Host.persistenceId(id), classicSelf),
        classicSelf);
  }

  /** A history that goes on may be a long one: then a snapshot may spare some of it. */
  private void wasRead(long readTo) {
    if (hasLooked || rowsRead < host.limits.rowsBeforeSnapshot()) {
      endReading();
      loop.historyRead(reading);
      return;
    }
    hasLooked = true;
    looksBehind = OptionalLong.of(readTo);
    awaitAnswer(host.settings.journal().lookSilenceMax());
    long number = reading;
    host.reading(() -> host.snapshotReader.find(id, Host.persistenceId(id), readTo))
        .whenComplete(
            (found, failure) ->
                self.tell(
                    new Told.Looked(number, readTo, failure == null ? found : Optional.empty())));
  }

  private void looked(long number, long readTo, Optional<Snapshot> found) {
    // The history is read without a snapshot that comes too late.
    if (!loop.awaits(number) || looksBehind.isEmpty()) return;
    looksBehind = OptionalLong.empty();
    found.ifPresent(snapshot -> loop.snapshotRead(number, snapshot));
    read(found.map(snapshot -> snapshot.readOn(readTo)).orElse(readTo + 1), Long.MAX_VALUE);
  }

  @Override
  public void write(JournalEntry entry, long number) {
    writing = number;
    awaitAnswer(host.settings.journal().commitSilenceMax());
    node.journal
        .thenCompose(journal -> journal.write(commitId(entry), entry))
        .whenComplete(
            (result, failure) ->
                self.tell(
                    failure == null
                        ? new Told.Written(number, result)
                        : new Told.NotTaken(number, failure)));
  }

  private CommitId commitId(JournalEntry entry) {
    return new CommitId(Host.persistenceId(id), entry.head().version(), writer);
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
    Unreadable.Self me =
        new Unreadable.Self() {
          @Override
          public void readAgain() {
            self.tell(new Told.Restored(number));
          }

          @Override
          public void leave() {
            self.tell(new Told.Unneeded(number));
          }
        };
    Unreadable workflow = new Unreadable(host, id, fence, evidence, me);
    workflow.raise();
    return workflow;
  }

  @Override
  public void leave() {
    pending.asksToGo();
    passivate();
  }

  /** The shard keeps what comes for the next owner, and has this one stop. */
  private void passivate() {
    ActorRef<Message> me = self.narrow();
    shard.tell(new ClusterSharding.Passivate<>(me));
  }

  @Override
  public void letGo() {
    endReading();
    passivate();
  }

  @Override
  public void failed(RuntimeException failure) {
    log.error("the owner of workflow {} failed", id, failure);
  }

  @Override
  public void ended() {
    endReading();
    self.tell(new Told.Gone());
  }
}
