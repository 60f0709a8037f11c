package dev.tenure.sharding.message;

import dev.tenure.sharding.lease.Tenures;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.pekko.actor.ActorPath;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.DeadLetter;
import org.apache.pekko.actor.Dropped;
import org.apache.pekko.actor.UnhandledMessage;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.sharding.typed.ShardingEnvelope;
import org.apache.pekko.event.EventStream;

/**
 * Pekko's actors of the shards that this node holds. Messages to a workflow in one of them go to
 * that actor directly, and not through the shard region, which passes on all messages of the node
 * one after the other.
 *
 * <p>A shard's first entity says which actor the shard is, and that holds for one tenure. The
 * region learns that a shard moves before this node's lease ends. A message that a shard does not
 * take any more, because it stops or has stopped, is not lost: Pekko publishes it, and this class
 * sends it once more, through the region. Pekko also publishes the messages that an owner had not
 * read when its shard ended, and those that the region kept for a shard and gave up: their senders
 * are told to ask again.
 */
public final class ShardActors {
  private record Held(long epoch, ActorRef actor) {}

  private final Tenures tenures;
  private final AtomicReferenceArray<Held> held;

  public ShardActors(ActorSystem<?> system, int shards) {
    this.tenures = Tenures.of(system);
    this.held = new AtomicReferenceArray<>(shards);
  }

  /** The actor of a shard has created an entity under this tenure. */
  public void creates(int shard, long epoch, ActorRef actor) {
    Held known = held.get(shard);
    if (known == null || known.epoch != epoch || !known.actor.equals(actor))
      held.set(shard, new Held(epoch, actor));
  }

  /** False when the shard is not here, or no entity has said yet which actor it is. */
  boolean tell(int shard, ShardingEnvelope<Message> message) {
    Held known = held.get(shard);
    if (known == null) return false;
    OptionalLong epoch = tenures.epochOf(shard);
    if (epoch.isEmpty() || epoch.getAsLong() != known.epoch) return false;
    known.actor.tell(message, ActorRef.noSender());
    return true;
  }

  private void stops(ActorRef shard) {
    for (int i = 0; i < held.length(); i++) {
      Held known = held.get(i);
      if (known != null && known.actor.equals(shard)) held.compareAndSet(i, known, null);
    }
  }

  /** From now on, messages that stopping shards did not take are sent again through this region. */
  void sendBackThrough(ActorSystem<?> system, ActorRef region) {
    Behavior<Object> back =
        Behaviors.receive(Object.class)
            .onMessage(
                DeadLetter.class,
                letter -> {
                  sendBack(letter.message(), letter.recipient(), region);
                  return Behaviors.same();
                })
            .onMessage(
                UnhandledMessage.class,
                refused -> {
                  sendBack(refused.message(), refused.recipient(), region);
                  return Behaviors.same();
                })
            .build();
    ActorRef actor =
        Adapter.toClassic(system.systemActorOf(back, "tenure-sent-back", Props.empty()));
    EventStream events = Adapter.toClassic(system).eventStream();
    events.subscribe(actor, DeadLetter.class);
    events.subscribe(actor, UnhandledMessage.class);
  }

  private void sendBack(Object message, ActorRef recipient, ActorRef region) {
    ActorPath above = recipient.path().parent();
    switch (message) {
      case ShardingEnvelope<?> forWorkflow when above.equals(region.path()) -> {
        stops(recipient);
        region.tell(forWorkflow, ActorRef.noSender());
      }
      case ShardingEnvelope<?> forWorkflow -> giveBack(forWorkflow.message());
      // The region gives up what it kept for a shard when that is handed over.
      case Dropped dropped -> sendBack(dropped.message(), recipient, region);
      case Message ofAnOwner when above.parent().equals(region.path()) -> giveBack(ofAnOwner);
      default -> {}
    }
  }

  /**
   * Does what a stopped owner does with its messages. The next holder of the shard scans for all
   * due workflows.
   */
  private static void giveBack(Object message) {
    if (message instanceof Message.Asked request)
      request.replyTo().tell(new Answer.Again("The workflow's shard moves or has ended."));
    else if (message instanceof Message.Signalled(IncomingSignal signal)) signal.toInbox();
  }
}
