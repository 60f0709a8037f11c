package dev.tenure.sharding.wake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.deployment.Deployments;
import dev.tenure.sharding.host.StartBudget;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which workflows a node wakes, how often, and how many at once. */
@Timeout(120)
class WakeScansTest extends WakeRows {
  /** Its last owner would have gone on in time, and the next scan would be late. */
  @Test
  void whatIsDueSoonAfterATakeoverIsWokenWithIt() {
    Instant now = storage.time();
    List<WorkflowId> soon = new ArrayList<>();
    for (int ms : List.of(-500, 0, 500))
      soon.add(
          workflow("in " + ms, 1, HERE, Status.RUNNING, Optional.of(now.plusMillis(60_000 + ms))));
    workflow("later", 1, HERE, Status.RUNNING, Optional.of(now.plusSeconds(90)));
    workflow("elsewhere", 2, HERE, Status.RUNNING, Optional.of(now.plusSeconds(60)));
    Woken node = new Woken(1);
    new WakeScans(storage, node, storage.time(), Duration.ofSeconds(75)).shards(Set.of(1, 2));
    assertThat(node.takeWoken()).containsExactlyInAnyOrderElementsOf(soon);
    new WakeScans(storage, node, storage.time(), Duration.ZERO).shards(Set.of(1));
    assertThat(node.takeWoken()).isEmpty();
  }

  @Test
  void whatIsDueIsFoundAfterTheClockOfTheStoreWasSet() {
    Woken node = new Woken(1);
    WakeScans scans = scans(node);
    for (Duration by : List.of(Duration.ofHours(2), Duration.ofHours(-1), Duration.ofDays(3))) {
      scans.due();
      node.takeWoken();
      set = by;
      WorkflowId due =
          workflow(
              "due " + by,
              1,
              HERE,
              Status.RUNNING,
              Optional.of(storage.time().minus(Duration.ofMinutes(9))));
      scans.due();
      assertThat(node.takeWoken()).as(by.toString()).contains(due);
    }
  }

  /** A wake-up was lost longer ago than scans overlap, and its shard was scanned before. */
  @Test
  void whatBecameDueLongAgoIsFoundByTheLookAtAllThatIsDue() {
    WorkflowId lost =
        workflow(
            "lost",
            1,
            HERE,
            Status.RUNNING,
            Optional.of(storage.time().minus(WakeScans.OVERLAP.multipliedBy(2))));
    Woken node = new Woken(1);
    WakeScans scans = scans(node);
    scans.due();
    assertThat(node.takeWoken()).isEmpty();
    scans.allDue();
    assertThat(node.takeWoken()).containsExactly(lost);
    scans.due();
    assertThat(node.takeWoken()).isEmpty();
  }

  @Test
  void manyBlockedWorkflowsOfOwnedShardsAreEachWokenOnce() {
    // More than a page.
    List<WorkflowId> ours = blocked("ours", 1_200, 1, HERE);
    blocked("theirs", 20, 2, HERE);
    blocked("without-code", 20, 1, ELSEWHERE);
    Woken node = new Woken(1, 3);
    WakeScans scans = scans(node);
    for (int look = 0; look < 3; look++) scans.blocked();
    assertThat(node.takeWoken()).containsExactlyInAnyOrderElementsOf(ours);
    assertThat(node.blocked)
        .as("what the other nodes have to know")
        .containsExactlyInAnyOrder(
            new Deployments.Blocked(1, HERE),
            new Deployments.Blocked(2, HERE),
            new Deployments.Blocked(1, ELSEWHERE));
  }

  @Test
  void blockedWorkflowsAreWokenAgainWhenTheCodeChangesOrTheirShardComes() {
    List<WorkflowId> first = blocked("first", 3, 1, HERE);
    List<WorkflowId> second = blocked("second", 3, 2, HERE);
    Woken node = new Woken(1);
    WakeScans scans = scans(node);
    scans.blocked();
    assertThat(node.takeWoken()).containsExactlyInAnyOrderElementsOf(first);
    node.owned.add(2);
    scans.begins(2);
    scans.blocked();
    assertThat(node.takeWoken()).containsExactlyInAnyOrderElementsOf(second);
    scans.begins(1);
    scans.blocked();
    assertThat(node.takeWoken()).as("it was lost and came back").containsAll(first).hasSize(3);
    node.code = "second";
    scans.blocked();
    assertThat(node.takeWoken()).hasSize(6);
    scans.blocked();
    assertThat(node.takeWoken()).isEmpty();
  }

  /** As definitions do, which are stored while the node runs. */
  @Test
  void blockedWorkflowsAreWokenOnceWhenTheirProgramComes() {
    List<WorkflowId> waiting = blocked("waiting", 3, 1, ELSEWHERE);
    Woken node = new Woken(1);
    WakeScans scans = scans(node);
    scans.blocked();
    assertThat(node.takeWoken()).isEmpty();
    node.types.add(ELSEWHERE);
    for (int look = 0; look < 3; look++) scans.blocked();
    assertThat(node.takeWoken()).containsExactlyInAnyOrderElementsOf(waiting);
  }

  /** A message begins a shard, and for one in which nothing is due there would be none. */
  @Test
  void theLeaderBeginsShardsInWhichOnlyBlockedWorkflowsAreLeft() {
    List<WorkflowId> free = blocked("free", 3, 2, ELSEWHERE);
    storage.leases().find(2).ifPresent(lease -> storage.leases().release(2, NORA, lease.epoch()));
    blocked("held", 3, 3, ELSEWHERE);
    Woken node = new Woken(1);
    WakeScans scans = scans(node);
    scans.blocked();
    assertThat(node.takeWoken()).as("another node leads").isEmpty();
    node.leads = true;
    scans.blocked();
    assertThat(node.takeWoken()).hasSize(1).isSubsetOf(free);
  }

  @Test
  void whatIsAtWorkOrHeldBackIsNotWoken() {
    List<WorkflowId> blocked = blocked("blocked", 3, 1, HERE);
    List<WorkflowId> due = due("due", 4, 1);
    Woken node = new Woken(1);
    node.atWork.addAll(List.of(blocked.get(0), due.get(0)));
    node.heldBack.addAll(List.of(blocked.get(1), due.get(1)));
    WakeScans scans = scans(node);
    scans.blocked();
    scans.shards(Set.of(1));
    assertThat(node.takeWoken()).containsExactlyInAnyOrder(blocked.get(2), due.get(2), due.get(3));
  }

  /** A node whose owners begin one after the other, on a thread of their own. */
  private static final class Beginning extends Woken {
    private static final int MAX = 50;

    private final Set<WorkflowId> inMemory = ConcurrentHashMap.newKeySet();
    private final StartBudget budget =
        new StartBudget(MAX, Integer.MAX_VALUE, inMemory::contains, () -> 0, System::nanoTime);
    private final BlockingQueue<WorkflowId> toBegin = new LinkedBlockingQueue<>();
    private final AtomicInteger most = new AtomicInteger();

    private Beginning() {
      super(1, 2, 3);
    }

    @Override
    public boolean mayStart(WorkflowId id) {
      return budget.take(id);
    }

    @Override
    public void wake(WorkflowId id) {
      super.wake(id);
      inMemory.add(id);
      toBegin.add(id);
      most.accumulateAndGet(toBegin.size(), Math::max);
    }

    /** Lets so many owners begin. */
    void begin(int count) throws InterruptedException {
      for (int i = 0; i < count; i++) {
        WorkflowId id = toBegin.poll(60, TimeUnit.SECONDS);
        assertThat(id).as("owner %d of %d", i, count).isNotNull();
        budget.begun(id);
      }
    }
  }

  @Test
  void ofManyThatAreDueNeverMoreThanTheBudgetHaveNotBegun() throws Exception {
    List<WorkflowId> all = new ArrayList<>();
    for (int shard = 1; shard <= 3; shard++) all.addAll(due("due" + shard + "-", 800, shard));
    Beginning node = new Beginning();
    Thread scan = Thread.ofPlatform().start(() -> scans(node).shards(Set.of(1, 2, 3)));
    node.begin(all.size());
    assertThat(scan.join(Duration.ofSeconds(60))).isTrue();
    assertThat(node.woken).containsExactlyInAnyOrderElementsOf(all);
    assertThat(node.most.get()).isEqualTo(Beginning.MAX);
    assertThat(node.budget.notBegun()).isZero();
  }

  /** A look before the count finds that its owners must not begin yet. */
  @Test
  void blockedWorkflowsAreWokenWhenTheLossesOfTheirShardAreCounted() {
    List<WorkflowId> blocked = blocked("blocked", 3, 1, HERE);
    Woken node = new Woken(1);
    WakeScans scans = scans(node);
    scans.begins(1);
    node.heldBack.addAll(blocked);
    scans.blocked();
    assertThat(node.takeWoken()).isEmpty();
    scans.blocked();
    assertThat(node.takeWoken()).isEmpty();

    node.heldBack.clear();
    scans.losses(Set.of(1));
    scans.blocked();
    assertThat(node.takeWoken()).containsExactlyInAnyOrderElementsOf(blocked);
  }

  @Test
  void aScanThatWaitsForTheBudgetEndsWithItsNode() throws Exception {
    due("due", 200, 1);
    Beginning node = new Beginning();
    Thread scan = Thread.ofPlatform().start(() -> scans(node).shards(Set.of(1)));
    while (node.budget.notBegun() < Beginning.MAX) Thread.onSpinWait();
    scan.interrupt();
    assertThat(scan.join(Duration.ofSeconds(60))).isTrue();
    assertThat(node.woken).hasSize(Beginning.MAX);
  }
}
