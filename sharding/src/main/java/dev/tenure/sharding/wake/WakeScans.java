package dev.tenure.sharding.wake;

import dev.tenure.persistence.incident.IncidentFilter;
import dev.tenure.persistence.incident.IncidentRow;
import dev.tenure.persistence.lease.Lease;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.visibility.Page;
import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.persistence.visibility.WakeUp;
import dev.tenure.persistence.visibility.WorkflowFilter;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.sharding.deployment.Deployments;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Looks for workflows that must be awake: all of a shard when the node gets it, which is crash
 * recovery; then, for all of its shards in one query, what became due. And for shards that nobody
 * holds, because no message has asked for them since their owner died. Each look blocks, and throws
 * what the store throws; it is for one thread.
 */
public final class WakeScans {
  /** The kind of an incident: the workflow's owner cannot read it, or always fails. */
  public static final String UNREADABLE = "unreadable-history";

  static final int PAGE_ROWS = 1_000;

  /**
   * How far a scan goes back behind the last: rows are stamped by several clocks, and are seen when
   * their transaction is over.
   */
  static final Duration OVERLAP = Duration.ofSeconds(30);

  private final Storage storage;
  private final WakeScanner.Node node;
  private final InstantSource clock;
  private Instant scannedUntil;

  public WakeScans(Storage storage, WakeScanner.Node node, InstantSource clock) {
    this.storage = storage;
    this.node = node;
    this.clock = clock;
    this.scannedUntil = clock.instant();
  }

  /** Everything of these shards that must be awake. */
  public void shards(Set<Integer> shards) {
    Set<Integer> ours = new HashSet<>(shards);
    ours.retainAll(node.owned());
    if (ours.isEmpty()) return;
    WakeUp.Point last =
        scan(WakeUp.Point.FIRST, after -> storage.workflows().mustBeAwake(ours, after, PAGE_ROWS));
    // What is due for this node's clock only, which may be ahead of the database's: later looks
    // begin a little before that clock, and would pass over it.
    Instant until = clock.instant();
    scan(last, after -> storage.workflows().due(ours, after, until, PAGE_ROWS));
    unreadable(ours);
  }

  /** What another node could not own may be no trouble here; its rows say that it rests. */
  private void unreadable(Set<Integer> ours) {
    IncidentFilter unreadable = IncidentFilter.ALL.withKind(UNREADABLE);
    Optional<String> cursor = Optional.empty();
    do {
      Page<IncidentRow> page =
          storage.incidents().list(unreadable, new PageRequest(PAGE_ROWS, cursor));
      for (IncidentRow row : page.rows())
        if (ours.contains(row.shard())) node.wakeUnreadable(row.workflow());
      cursor = page.next();
    } while (cursor.isPresent());
  }

  private interface Pages {
    List<WakeUp> after(WakeUp.Point point);
  }

  /** Returns the last one that was found. */
  private WakeUp.Point scan(WakeUp.Point from, Pages pages) {
    WakeUp.Point after = from;
    while (true) {
      List<WakeUp> page = pages.after(after);
      for (WakeUp row : page) if (!node.isAtWork(row.workflowId())) node.wake(row.workflowId());
      if (!page.isEmpty()) after = page.getLast().point();
      if (page.size() < PAGE_ROWS) return after;
    }
  }

  /** What became due in the node's shards since the last time. */
  public void due() {
    Set<Integer> owned = node.owned();
    if (owned.isEmpty()) return;
    Instant until = clock.instant();
    WakeUp.Point from = WakeUp.Point.before(scannedUntil.minus(OVERLAP));
    scan(from, after -> storage.workflows().due(owned, after, until, PAGE_ROWS));
    scannedUntil = until;
  }

  /**
   * A shard comes up when something is sent to it. One that died with its node, with nobody to send
   * it anything, is asked for here: as soon as the cluster is certain, not when the lease runs out.
   */
  public void orphans() {
    if (!node.leads()) return;
    Set<Integer> free =
        IntStream.range(0, node.shards()).boxed().collect(Collectors.toCollection(HashSet::new));
    free.removeAll(node.owned());
    for (Lease lease : storage.leases().all()) if (isHeld(lease)) free.remove(lease.shard());
    if (free.isEmpty()) return;
    // Also for workflows that are due in years: the holder of the shard wakes them then.
    storage.workflows().firstDue(free).forEach(row -> node.wake(row.workflowId()));
  }

  private boolean isHeld(Lease lease) {
    return lease.holder().isPresent()
        && clock.instant().isBefore(lease.expiresAt())
        && !node.isGone(lease.holder().get());
  }

  /** What is blocked waits for no time and no message: only a node that has its code can tell. */
  public void blocked() {
    WorkflowFilter blocked = WorkflowFilter.ALL.withStatus(Status.BLOCKED);
    Set<Deployments.Blocked> shards = new HashSet<>();
    Optional<String> cursor = Optional.empty();
    do {
      Page<WorkflowRow> page =
          storage.workflows().list(blocked, new PageRequest(PAGE_ROWS, cursor));
      for (WorkflowRow row : page.rows()) {
        shards.add(new Deployments.Blocked(row.shard(), row.type()));
        if (node.mayHave(row.type())) node.wake(row.id());
      }
      cursor = page.next();
    } while (cursor.isPresent());
    node.blocked(shards);
  }
}
