package dev.tenure.sharding.cluster;

import static dev.tenure.sharding.lease.ClusterMembership.holder;

import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.membership.Members;
import dev.tenure.persistence.membership.Standing;
import dev.tenure.sharding.lease.ClusterMembership;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.AddressFromURIString;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.remote.FailureDetectorRegistry;
import org.apache.pekko.remote.RemoteActorRefProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;

/**
 * Takes members out of the cluster that are dead, cut off, or without the store. The store decides:
 * a node takes out another one only while it is a member itself, under the lock of the store, so of
 * two sides that take out each other exactly one goes on. A node that cannot reach the store takes
 * nobody out, and an outage of the store ends no node.
 *
 * <p>A wrong decision costs the restart of a node; leases and fences keep the data right.
 */
final class Arbiter implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Arbiter.class);

  private final Cluster cluster;
  private final ClusterMembership view;
  private final Members members;
  private final Holder self;
  private final ArbiterTimes times;
  private final LongSupplier nanoTime;
  private final PeerWatch watch;
  private final Optional<Knocker> knocker;

  /** What the last look that went through has shown; read by any thread. */
  private volatile Seen seen;

  private record Seen(long atNanos, Set<Holder> quiet) {}

  /**
   * @param soon called when another look is worth it
   */
  Arbiter(
      Cluster cluster, Members members, ArbiterTimes times, LongSupplier nanoTime, Runnable soon) {
    this.cluster = cluster;
    this.view = new ClusterMembership(cluster);
    this.members = members;
    this.self = holder(cluster.selfUniqueAddress());
    this.times = times;
    this.nanoTime = nanoTime;
    this.watch = new PeerWatch(self, times, nanoTime);
    this.knocker = listensByTcp(cluster) ? Optional.of(new Knocker(times, soon)) : Optional.empty();
    this.seen = new Seen(nanoTime.getAsLong() - times.quietAfter().toNanos(), Set.of());
  }

  /** Over UDP nobody listens for connections, and a refusal would prove nothing. */
  private static boolean listensByTcp(Cluster cluster) {
    return !cluster
        .system()
        .settings()
        .config()
        .getString("pekko.remote.artery.transport")
        .contains("udp");
  }

  static Address address(String node) {
    return AddressFromURIString.parse("pekko://" + node);
  }

  /** After a sign of life that went through: looks at the others, and takes out who must go. */
  Standing look(long generation) {
    Map<Holder, Long> beats;
    try {
      watch.begin();
      beats = members.beats();
    } catch (RuntimeException e) {
      watch.failed();
      throw e;
    }
    PeerWatch.Findings findings =
        watch.judge(
            peers(), beats, row -> knocker.map(known -> known.hasRefused(row)).orElse(false));
    seen = new Seen(nanoTime.getAsLong(), findings.quiet());
    knocker.ifPresent(with -> with.knock(findings.suspects()));
    return findings.out().isEmpty() ? new Standing.Current() : takeOut(generation, findings.out());
  }

  /** The other members; none while this node is not in the cluster, or not any more. */
  private List<PeerWatch.Peer> peers() {
    List<PeerWatch.Peer> peers = new ArrayList<>();
    boolean belongs = false;
    Set<Member> unreachable = cluster.state().getUnreachable();
    for (Member member : cluster.state().getMembers()) {
      MemberStatus status = member.status();
      if (member.uniqueAddress().equals(cluster.selfUniqueAddress()))
        belongs = status.equals(MemberStatus.up()) || status.equals(MemberStatus.leaving());
      else if (!status.equals(MemberStatus.down()))
        peers.add(
            new PeerWatch.Peer(holder(member.uniqueAddress()), isReachable(member, unreachable)));
    }
    return belongs && !cluster.isTerminated() ? peers : List.of();
  }

  /**
   * What this node sees itself counts. When the link between two others breaks, the rest reaches
   * both, and leaves it to these two which one stays.
   */
  private boolean isReachable(Member member, Set<Member> unreachable) {
    FailureDetectorRegistry<Address> detector = cluster.failureDetector();
    return detector.isMonitoring(member.address())
        ? detector.isAvailable(member.address())
        : !unreachable.contains(member);
  }

  private Standing takeOut(long generation, Map<Holder, PeerWatch.Reason> out) {
    Standing standing = members.forget(self, generation, out.keySet());
    if (standing instanceof Standing.Current) out.forEach(this::remove);
    return standing;
  }

  private void remove(Holder node, PeerWatch.Reason reason) {
    for (Member member : cluster.state().getMembers()) {
      // Another process may have come to the same address.
      if (!holder(member.uniqueAddress()).equals(node)) continue;
      log.warn("{} is taken out of the cluster: {}", node.node(), reason.text);
      cluster.down(member.address());
      // Pekko removes a downed member only when it is unreachable, too. A quarantined one is at
      // once, and learns of it if it lives.
      if (cluster.system().provider() instanceof RemoteActorRefProvider remote)
        remote.quarantine(
            member.address(), Option.apply(member.uniqueAddress().longUid()), reason.text);
    }
  }

  /**
   * Whether this node does what one node has to do for all: the lowest address whose beats go
   * through and that does not leave. For a moment there may be two of them, or none.
   */
  boolean leads() {
    Seen last = seen;
    if (nanoTime.getAsLong() - last.atNanos() >= times.quietAfter().toNanos()) return false;
    return view.staying().stream()
        .filter(node -> !last.quiet().contains(node))
        .min(Comparator.comparing(Holder::node))
        .map(self::equals)
        .orElse(false);
  }

  @Override
  public void close() {
    knocker.ifPresent(Knocker::close);
  }
}
