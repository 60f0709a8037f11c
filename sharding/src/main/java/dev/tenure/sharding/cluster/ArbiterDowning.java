package dev.tenure.sharding.cluster;

import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.DowningProvider;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.UniqueAddress;
import org.apache.pekko.remote.artery.ThisActorSystemQuarantinedEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;
import scala.Some;
import scala.concurrent.duration.FiniteDuration;

/**
 * Named in {@code pekko.cluster.downing-provider-class}. Pekko takes no member out by itself,
 * {@link Arbiter} does. A node that another member took out, and that cannot ask the store, learns
 * it from that member.
 */
public final class ArbiterDowning extends DowningProvider {
  private final ActorSystem system;

  /** Called by Pekko, which finds the constructor by its parameter. */
  public ArbiterDowning(ActorSystem system) {
    this.system = system;
  }

  @Override
  public FiniteDuration downRemovalMargin() {
    return Cluster.get(system).settings().DownRemovalMargin();
  }

  @Override
  public Option<Props> downingActorProps() {
    return Some.apply(Props.create(TakenOut.class, TakenOut::new));
  }

  /** Ends the node that another member has put into quarantine, which is for good. */
  private static final class TakenOut extends AbstractActor {
    private static final Logger log = LoggerFactory.getLogger(ArbiterDowning.class);

    private final Cluster cluster = Cluster.get(getContext().getSystem());

    @Override
    public void preStart() {
      getContext()
          .getSystem()
          .getEventStream()
          .subscribe(getSelf(), ThisActorSystemQuarantinedEvent.class);
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              ThisActorSystemQuarantinedEvent.class,
              event ->
                  quarantinedBy(
                      new UniqueAddress(
                          event.remoteAddress().address(), event.remoteAddress().uid())))
          .build();
    }

    private void quarantinedBy(UniqueAddress other) {
      for (Member member : cluster.state().getMembers()) {
        if (!member.uniqueAddress().equals(other)) continue;
        log.error("{} has taken this node out of the cluster: it stops", other.address());
        cluster.down(cluster.selfAddress());
        return;
      }
    }
  }
}
