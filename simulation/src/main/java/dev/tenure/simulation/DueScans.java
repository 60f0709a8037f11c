package dev.tenure.simulation;

import dev.tenure.sharding.loop.Loop;
import dev.tenure.sharding.loop.LoopNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * When the nodes of a life look for due rows: each second as nodes do, or once an hour. An owner in
 * memory needs no such look, which would repair what the owner forgets before anybody sees it. So
 * where the looks are seldom, {@link Standstill} looks before them. A node that takes a shard over
 * scans it in any life, because there the rows are all there is.
 */
final class DueScans {
  /** How often nodes look, and in all lives for workflows that wait for code. */
  static final Duration EVERY = Duration.ofSeconds(1);

  private static final Duration SELDOM = Duration.ofHours(1);

  /**
   * The clock may jump by hours to what is due: so much later the nodes scan. By then an owner has
   * moved by itself.
   */
  private static final Duration AFTER_A_JUMP = Duration.ofMinutes(10);

  private final boolean seldom;
  private final Loop loop;
  private final Cluster cluster;
  private final Standstill standstill;
  private Instant lookedAt;
  private Instant nextAt;
  private boolean hasWaited;

  /**
   * @param seldom once an hour
   */
  DueScans(boolean seldom, Loop loop, Cluster cluster, Standstill standstill) {
    this.seldom = seldom;
    this.loop = loop;
    this.cluster = cluster;
    this.standstill = standstill;
    this.lookedAt = loop.instant();
    this.nextAt = loop.instant().plus(SELDOM);
  }

  boolean areSeldom() {
    return seldom;
  }

  /** The node scans now, once more than it has to. */
  void once(LoopNode node) {
    if (!cluster.reachesStore(node)) return;
    if (seldom) node.scanForCode();
    else node.scan();
  }

  /** Has the nodes scan when it is time; whether they looked for due rows. */
  boolean scan() {
    Instant now = loop.instant();
    if (now.isBefore(lookedAt.plus(EVERY))) return false;
    lookedAt = now;
    boolean looks = !seldom || isTime(now);
    List<LoopNode> reaching = cluster.nodes().stream().filter(cluster::reachesStore).toList();
    if (looks && seldom) {
      standstill.requireNone();
      if (reaching.equals(cluster.nodes())) standstill.looks();
    }
    reaching.forEach(looks ? LoopNode::scan : LoopNode::scanForCode);
    return looks;
  }

  private boolean isTime(Instant now) {
    if (now.isBefore(nextAt)) return false;
    boolean isIt = hasWaited;
    hasWaited = !hasWaited;
    nextAt = now.plus(isIt ? SELDOM : AFTER_A_JUMP);
    return isIt;
  }

  /**
   * The time to pass to while nothing happens.
   *
   * @param next when something is due
   */
  Instant until(Optional<Instant> next) {
    Optional<Instant> ahead = next.filter(loop.instant()::isBefore);
    if (!seldom) return ahead.orElse(lookedAt.plus(EVERY));
    return ahead.filter(nextAt::isAfter).orElse(nextAt);
  }
}
