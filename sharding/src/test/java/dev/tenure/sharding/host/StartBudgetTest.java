package dev.tenure.sharding.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.WorkflowId;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What counts as not begun, and for how long. */
@Timeout(60)
class StartBudgetTest {
  private final AtomicLong nanos = new AtomicLong();
  private final Set<WorkflowId> inMemory = new HashSet<>();
  private final StartBudget budget = new StartBudget(2, inMemory::contains, nanos::get);

  private static WorkflowId id(int number) {
    return WorkflowId.of("w" + number);
  }

  @Test
  void oneThatWasWokenIsNotWokenAgainUntilItHasBegun() {
    assertThat(budget.take(id(1))).isTrue();
    assertThat(budget.take(id(1))).isFalse();
    budget.begun(id(1));
    assertThat(budget.take(id(1))).isTrue();
  }

  @Test
  void oneThatRestsInMemoryIsNotCounted() {
    inMemory.add(id(1));
    assertThat(budget.take(id(1))).isTrue();
    assertThat(budget.take(id(1))).isTrue();
    assertThat(budget.notBegun()).isZero();
  }

  @Test
  void theNextWaitsUntilOneHasBegun() throws Exception {
    budget.take(id(1));
    budget.take(id(2));
    CompletableFuture<Boolean> third = CompletableFuture.supplyAsync(() -> budget.take(id(3)));
    assertThat(third).isNotDone();
    budget.begun(id(2));
    assertThat(third.get(30, TimeUnit.SECONDS)).isTrue();
    assertThat(budget.notBegun()).isEqualTo(2);
  }

  @Test
  void aWakeUpThatWasLostIsForgottenSoonerThanAnOwnerThatWaits() {
    budget.take(id(1));
    budget.take(id(2));
    inMemory.add(id(2));
    nanos.addAndGet(StartBudget.LOST_AFTER.toNanos());
    assertThat(budget.take(id(1))).as("its wake-up was lost").isTrue();
    assertThat(budget.take(id(2))).as("it is there").isFalse();
    nanos.addAndGet(StartBudget.COUNTS_FOR.toNanos());
    assertThat(budget.take(id(3))).isTrue();
  }
}
