package dev.tenure.sharding.cluster;

import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.membership.RowWatch;
import dev.tenure.persistence.membership.RowWatch.Sighting;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Finds the members that have to leave the cluster, from what one node has seen itself: their rows,
 * and whether the network reaches them. A node looks only while its own beats go through, so an
 * outage of the store is no evidence against anybody. Used by one thread.
 */
final class PeerWatch {
  /** Of a member that has no row. */
  private static final long NO_ROW = -1;

  /** While the reach of nodes goes on changing, a decision is put off at most this many times. */
  private static final int UNREST_MAX = 3;

  /** Why a member is taken out. */
  enum Reason {
    GONE("it gives no sign of life, and nothing listens at its address"),
    SILENT("it gave no sign of life for too long, while this node's went through"),
    UNREACHABLE("this node cannot reach it");

    final String text;

    Reason(String text) {
      this.text = text;
    }
  }

  /**
   * Another member of the cluster.
   *
   * @param reachable as this node sees it
   */
  record Peer(Holder node, boolean reachable) {}

  /**
   * @param out who is to be taken out, and why
   * @param suspects whose address is worth a look
   * @param quiet members that do nothing on behalf of the cluster
   */
  record Findings(Map<Holder, Reason> out, Set<Sighting> suspects, Set<Holder> quiet) {}

  private final Holder self;
  private final ArbiterTimes times;
  private final LongSupplier nanoTime;
  private final RowWatch rows;
  private final Map<Holder, Long> unreachableSince = new HashMap<>();
  private long lastLook;

  PeerWatch(Holder self, ArbiterTimes times, LongSupplier nanoTime) {
    this.self = self;
    this.times = times;
    this.nanoTime = nanoTime;
    this.rows = new RowWatch(times.longestGap(), nanoTime);
  }

  /** A look begins; the rows are asked for after this. */
  void begin() {
    rows.begin();
  }

  /** The store did not answer. */
  void failed() {
    rows.failed();
  }

  /**
   * Judges what the look has shown.
   *
   * @param beats of the members that have a row
   * @param refused whether nothing listens at the address of a suspect
   */
  Findings judge(Collection<Peer> peers, Map<Holder, Long> beats, Predicate<Sighting> refused) {
    long now = nanoTime.getAsLong();
    watchReach(peers, now);
    Map<Holder, Reason> out = new HashMap<>();
    Set<Sighting> all = new HashSet<>();
    Set<Sighting> suspects = new HashSet<>();
    Set<Holder> quiet = new HashSet<>();
    Set<Holder> cutOff = new HashSet<>();
    for (Peer peer : peers) {
      Sighting row = new Sighting(peer.node(), beats.getOrDefault(peer.node(), NO_ROW));
      all.add(row);
      Duration still = rows.unchangedFor(row);
      boolean isQuiet = reached(still, times.quietAfter());
      if (isQuiet) quiet.add(peer.node());
      if (reached(still, times.suspectAfter())) suspects.add(row);
      if (reached(still, times.silentAfter())) out.put(peer.node(), Reason.SILENT);
      else if (suspects.contains(row) && refused.test(row)) out.put(peer.node(), Reason.GONE);
      else if (!isQuiet && !peer.reachable()) cutOff.add(peer.node());
      else if (isQuiet && isUnreachableFor(peer.node(), times.unreachableAfter(), now))
        out.put(peer.node(), Reason.UNREACHABLE);
    }
    rows.end(all);
    if (mayDecide(cutOff, peers, now)) for (Holder node : cutOff) out.put(node, Reason.UNREACHABLE);
    return new Findings(Map.copyOf(out), Set.copyOf(suspects), Set.copyOf(quiet));
  }

  private static boolean reached(Duration time, Duration limit) {
    return time.compareTo(limit) >= 0;
  }

  private void watchReach(Collection<Peer> peers, long now) {
    // A pause of this process: it has not heard the others, because it did not listen.
    if (now - lastLook > times.unreachableAfter().toNanos()) unreachableSince.clear();
    lastLook = now;
    Set<Holder> unreachable = new HashSet<>();
    for (Peer peer : peers) if (!peer.reachable()) unreachable.add(peer.node());
    unreachableSince.keySet().retainAll(unreachable);
    for (Holder node : unreachable) unreachableSince.putIfAbsent(node, now);
  }

  private boolean isUnreachableFor(Holder node, Duration limit, long now) {
    Long since = unreachableSince.get(node);
    return since != null && now - since >= limit.toNanos();
  }

  /**
   * Whether this side of a cut may take the other one out. The nodes there live and beat, so each
   * side may ask the store; the smaller one asks later. Nodes are seen to be out of reach one after
   * the other: this waits until no new one was added, because a part of the other side might take
   * this one out meanwhile.
   */
  private boolean mayDecide(Set<Holder> cutOff, Collection<Peer> peers, long now) {
    if (cutOff.isEmpty()) return false;
    Duration wait = times.unreachableAfter();
    if (isSmallerSide(cutOff, peers)) wait = wait.plus(times.minorityWaits());
    Duration limit = wait;
    Duration atMost = limit.multipliedBy(UNREST_MAX);
    if (cutOff.stream().anyMatch(node -> isUnreachableFor(node, atMost, now))) return true;
    return cutOff.stream().allMatch(node -> isUnreachableFor(node, limit, now));
  }

  private boolean isSmallerSide(Set<Holder> cutOff, Collection<Peer> peers) {
    Set<String> here = new HashSet<>(Set.of(self.node()));
    for (Peer peer : peers) if (peer.reachable()) here.add(peer.node().node());
    if (cutOff.size() != here.size()) return cutOff.size() > here.size();
    String lowestHere = here.stream().sorted().findFirst().orElseThrow();
    return cutOff.stream().anyMatch(node -> node.node().compareTo(lowestHere) < 0);
  }
}
