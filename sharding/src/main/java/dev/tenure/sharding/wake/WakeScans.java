package dev.tenure.sharding.wake;

import dev.tenure.persistence.incident.IncidentFilter;
import dev.tenure.persistence.incident.IncidentRow;
import dev.tenure.persistence.lease.Lease;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.visibility.BlockedType;
import dev.tenure.persistence.visibility.Page;
import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.persistence.visibility.WakeUp;
import dev.tenure.persistence.visibility.WorkflowFilter;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.sharding.deployment.Deployments;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Looks for workflows that must be awake. When the node gets a shard, it wakes all of these in the
 * shard, which is crash recovery. Later one query finds those that became due in all of its shards.
 * It also looks for shards that no node holds, because no message has asked for them since their
 * node died. Each method blocks, and throws what the store throws; each has one thread that calls
 * it.
 */
public final class WakeScans {
  /** The kind of an incident: the workflow's owner cannot read it, or always fails. */
  public static final String UNREADABLE = "unreadable-history";

  /** The kind of an incident: a newer engine wrote the workflow's history. */
  public static final String NEEDS_NEWER_ENGINE = "needs-newer-engine";

  static final int PAGE_ROWS = 1_000;

  /**
   * How far a scan goes back behind the last: rows are seen when their transaction is over, and
   * nodes reckon the store's time each for itself.
   */
  static final Duration OVERLAP = Duration.ofSeconds(30);

  private final Storage storage;
  private final WakeScanner.Node node;
  private final Duration ahead;
  private Instant scannedUntil;
  private boolean looksAtAll;

  /** Shards whose tenure began since the last look at blocked workflows. */
  private final Set<Integer> begun = ConcurrentHashMap.newKeySet();

  // Used by the look at blocked workflows.
  private final Set<Deployments.Blocked> lookedAt = new HashSet<>();
  private Object code = Set.of();

  /** As the other, and wakes nothing before it is due. */
  public WakeScans(Storage storage, WakeScanner.Node node, Instant from) {
    this(storage, node, from, Duration.ZERO);
  }

  /**
   * @param from the store's time: what was due before is found when its shard is taken
   * @param ahead what becomes due within this time of a takeover is woken then. Its last owner knew
   *     when to go on, and the next scan would find it late
   */
  public WakeScans(Storage storage, WakeScanner.Node node, Instant from, Duration ahead) {
    this.storage = storage;
    this.node = node;
    this.scannedUntil = from;
    this.ahead = ahead;
  }

  /** Counts what was lost with these shards, and wakes all workflows that must be awake there. */
  public void shards(Set<Integer> shards) {
    losses(shards);
    awake(shards);
    unreadable(shards);
  }

  /** Counts what was lost with these shards: until then nothing in them is woken. */
  void losses(Set<Integer> shards) {
    Set<Integer> ours = owned(shards);
    if (ours.isEmpty()) return;
    node.countLosses(ours);
    // What was looked at before was held back.
    begun.addAll(ours);
  }

  private Set<Integer> owned(Set<Integer> shards) {
    Set<Integer> ours = new HashSet<>(shards);
    ours.retainAll(node.owned());
    return ours;
  }

  /** Wakes all workflows in these shards that must be awake. */
  void awake(Set<Integer> shards) {
    Set<Integer> ours = owned(shards);
    if (ours.isEmpty()) return;
    scan(WakeUp.Point.FIRST, after -> storage.workflows().mustBeAwake(ours, after, PAGE_ROWS));
    soonDue(ours);
  }

  /** All workflows in these shards that must be awake have been woken. */
  void woken(Set<Integer> shards) {
    Set<Integer> ours = owned(shards);
    if (!ours.isEmpty()) node.woken(ours);
  }

  private void soonDue(Set<Integer> ours) {
    if (ahead.isZero()) return;
    Instant now = storage.time();
    Instant until = now.plus(ahead);
    scan(
        WakeUp.Point.before(now.minus(ahead)),
        after -> storage.workflows().due(ours, after, until, PAGE_ROWS));
  }

  /**
   * Wakes workflows that another node could not own: this node may succeed. Their rows say that
   * they rest.
   */
  void unreadable(Set<Integer> shards) {
    Set<Integer> ours = owned(shards);
    if (ours.isEmpty()) return;
    for (String kind : List.of(UNREADABLE, NEEDS_NEWER_ENGINE)) unreadable(ours, kind);
  }

  private void unreadable(Set<Integer> ours, String kind) {
    IncidentFilter unreadable = IncidentFilter.ALL.withKind(kind);
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

  private void scan(WakeUp.Point from, Pages pages) {
    WakeUp.Point after = from;
    while (true) {
      List<WakeUp> page = pages.after(after);
      if (page.isEmpty()) return;
      for (WakeUp row : page) wake(row.workflowId());
      after = page.getLast().point();
    }
  }

  private void wake(WorkflowId id) {
    if (node.isAtWork(id) || node.isHeldBack(id)) return;
    if (node.mayStart(id)) node.wake(id);
  }

  /** Wakes the workflows that became due in the node's shards since the last call. */
  public void due() {
    Set<Integer> owned = node.owned();
    if (owned.isEmpty()) return;
    Instant until = storage.time();
    // Where the store's clock was set back, nobody knows what became due since then.
    WakeUp.Point from =
        looksAtAll || until.isBefore(scannedUntil)
            ? WakeUp.Point.FIRST
            : WakeUp.Point.before(scannedUntil.minus(OVERLAP));
    scan(from, after -> storage.workflows().due(owned, after, until, PAGE_ROWS));
    scannedUntil = until;
    looksAtAll = false;
  }

  /**
   * As {@link #due}, and wakes what became due earlier, too, and is not at work: a wake-up may have
   * been lost, and an owner may have left because its lease seemed to be over.
   */
  public void allDue() {
    // Also by the calls that follow one that fails.
    looksAtAll = true;
    due();
  }

  /**
   * Pekko starts a shard when a message is sent to it. This sends one to each shard whose node died
   * and to which no client sends anything: as soon as the cluster is certain that the node is gone,
   * not only when the lease runs out.
   */
  public void orphans() {
    if (!node.leads()) return;
    Set<Integer> free =
        IntStream.range(0, node.shards()).boxed().collect(Collectors.toCollection(HashSet::new));
    retainFree(free);
    if (free.isEmpty()) return;
    // Also for workflows that are due in years: the holder of the shard wakes them then.
    storage.workflows().firstDue(free).forEach(row -> node.wake(row.workflowId()));
  }

  /** Those that no node holds. */
  private void retainFree(Set<Integer> shards) {
    shards.removeAll(node.owned());
    if (shards.isEmpty()) return;
    Instant now = storage.time();
    for (Lease lease : storage.leases().all()) if (isHeld(lease, now)) shards.remove(lease.shard());
  }

  private boolean isHeld(Lease lease, Instant now) {
    return lease.holder().isPresent()
        && now.isBefore(lease.expiresAt())
        && !node.isGone(lease.holder().get());
  }

  /** A tenure of this shard begins: its blocked workflows are looked at anew. */
  void begins(int shard) {
    begun.add(shard);
  }

  /**
   * Wakes blocked workflows of the node's shards whose code may be here, because no timer and no
   * message would: those of a shard once when its tenure begins, and once more when the code of the
   * nodes has changed.
   */
  public void blocked() {
    List<BlockedType> found = storage.workflows().blockedTypes();
    Set<Deployments.Blocked> all = new HashSet<>();
    for (BlockedType one : found) all.add(new Deployments.Blocked(one.shard(), one.type()));
    node.blocked(all);
    beginShards(found);
    Set<Deployments.Blocked> candidates = notLookedAt(all);
    if (candidates.isEmpty()) return;
    wakeBlocked(candidates);
    lookedAt.addAll(candidates);
  }

  /**
   * As {@link #orphans}: a shard in which nothing but blocked workflows is left has nothing due.
   */
  private void beginShards(List<BlockedType> found) {
    if (!node.leads()) return;
    Set<Integer> free = found.stream().map(BlockedType::shard).collect(Collectors.toSet());
    retainFree(free);
    for (BlockedType one : found) if (free.remove(one.shard())) node.wake(one.one());
  }

  private Set<Deployments.Blocked> notLookedAt(Set<Deployments.Blocked> all) {
    Object now = node.code();
    if (!now.equals(code)) lookedAt.clear();
    code = now;
    Set<Integer> anew = Set.copyOf(begun);
    begun.removeAll(anew);
    Set<Integer> owned = node.owned();
    lookedAt.removeIf(
        one -> anew.contains(one.shard()) || !owned.contains(one.shard()) || !all.contains(one));
    return all.stream()
        .filter(one -> owned.contains(one.shard()) && !lookedAt.contains(one))
        // Definitions that are stored later make this true later.
        .filter(one -> node.mayHave(one.type()))
        .collect(Collectors.toSet());
  }

  private void wakeBlocked(Set<Deployments.Blocked> candidates) {
    WorkflowFilter blocked = WorkflowFilter.ALL.withStatus(Status.BLOCKED);
    Optional<String> cursor = Optional.empty();
    do {
      Page<WorkflowRow> page =
          storage.workflows().list(blocked, new PageRequest(PAGE_ROWS, cursor));
      for (WorkflowRow row : page.rows())
        if (candidates.contains(new Deployments.Blocked(row.shard(), row.type()))) wake(row.id());
      cursor = page.next();
    } while (cursor.isPresent());
  }
}
