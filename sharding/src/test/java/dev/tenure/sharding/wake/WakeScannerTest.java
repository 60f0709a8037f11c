package dev.tenure.sharding.wake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The threads on which a node scans: none of them holds up another one. */
@Timeout(120)
class WakeScannerTest extends WakeRows {
  /** Owners of the other shard wait for its count, whatever the scan of the first one waits for. */
  @Test
  void theLossesOfAShardAreCountedWhileTheScanOfAnotherOneWaits() throws Exception {
    due("due", 1, 1);
    CountDownLatch waits = new CountDownLatch(1);
    CountDownLatch counted = new CountDownLatch(1);
    Woken node =
        new Woken(1) {
          @Override
          public boolean mayStart(WorkflowId id) {
            waits.countDown();
            try {
              return counted.await(60, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
              return false;
            }
          }

          @Override
          public void countLosses(Set<Integer> shards) {
            if (shards.contains(2)) counted.countDown();
          }
        };
    try (WakeScanner scanner =
        new WakeScanner(storage, node, storage.time(), Duration.ofHours(1))) {
      scanner.acquired(1);
      assertThat(waits.await(60, TimeUnit.SECONDS)).isTrue();
      node.owned.add(2);
      scanner.acquired(2);
      assertThat(counted.await(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void aShardWhoseLossesCannotBeCountedHoldsUpNoOther() throws Exception {
    WorkflowId other = due("other", 1, 2).getFirst();
    CountDownLatch failed = new CountDownLatch(2);
    CountDownLatch awake = new CountDownLatch(1);
    Woken node =
        new Woken(1, 2) {
          @Override
          public void countLosses(Set<Integer> shards) {
            if (!shards.contains(1)) return;
            failed.countDown();
            throw new IllegalStateException("on purpose");
          }

          @Override
          public void wake(WorkflowId id) {
            if (id.equals(other)) awake.countDown();
          }
        };
    ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    try {
      WakeScans scans = scans(node);
      ShardTurns turns =
          new ShardTurns(
              thread,
              Duration.ofMillis(10),
              shards -> {
                try {
                  scans.losses(shards);
                  return true;
                } catch (IllegalStateException onPurpose) {
                  return false;
                }
              },
              scans::awake);
      turns.add(Set.of(1, 2));
      assertThat(awake.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(failed.await(60, TimeUnit.SECONDS)).as("it is tried again").isTrue();
    } finally {
      thread.shutdownNow();
    }
  }

  @Test
  void anErrorEndsNoScans() throws Exception {
    WorkflowId due = due("due", 1, 1).getFirst();
    AtomicInteger errors = new AtomicInteger();
    CountDownLatch found = new CountDownLatch(1);
    Woken node =
        new Woken(1) {
          @Override
          public Set<Integer> owned() {
            if (errors.getAndIncrement() < 3) throw new StackOverflowError("on purpose");
            return super.owned();
          }

          @Override
          public void wake(WorkflowId id) {
            if (id.equals(due)) found.countDown();
          }
        };
    // The first look goes back far enough to find what was due long ago.
    try (WakeScanner scanner = new WakeScanner(storage, node, PAST, Duration.ofMillis(20))) {
      scanner.acquired(1);
      assertThat(found.await(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void aShardThatIsTakenOverIsScannedWhileDueWorkflowsWaitForTheBudget() throws Exception {
    WorkflowId old = due("old", 1, 1).getFirst();
    WorkflowId young = due("young", 1, 2).getFirst();
    CountDownLatch waits = new CountDownLatch(1);
    CountDownLatch open = new CountDownLatch(1);
    CountDownLatch recovered = new CountDownLatch(1);
    Woken node =
        new Woken(1) {
          @Override
          public boolean mayStart(WorkflowId id) {
            if (!id.equals(old)) return true;
            waits.countDown();
            try {
              return open.await(60, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
              return false;
            }
          }

          @Override
          public void wake(WorkflowId id) {
            super.wake(id);
            if (id.equals(young)) recovered.countDown();
          }
        };
    // The first look goes back far enough to find what was due long ago.
    try (WakeScanner scanner = new WakeScanner(storage, node, PAST, Duration.ofMillis(20))) {
      assertThat(waits.await(60, TimeUnit.SECONDS)).isTrue();
      node.owned.add(2);
      scanner.acquired(2);
      assertThat(recovered.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(node.woken).doesNotContain(old);
      open.countDown();
    }
  }
}
