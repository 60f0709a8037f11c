package dev.tenure.sharding.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.WorkflowId;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What counts as not begun, and for how long. */
@Timeout(60)
class StartBudgetTest {
  private static final int AT_WORK_MAX = 10;

  private final AtomicLong nanos = new AtomicLong();
  private final Set<WorkflowId> inMemory = new HashSet<>();
  private final AtomicInteger atWork = new AtomicInteger();
  private final StartBudget budget =
      new StartBudget(2, AT_WORK_MAX, inMemory::contains, atWork::get, nanos::get);

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
  void theNextWaitsWhileTooManyAreAtWork() throws Exception {
    atWork.set(AT_WORK_MAX);
    CompletableFuture<Boolean> waits = CompletableFuture.supplyAsync(() -> budget.take(id(1)));
    assertThat(waits).isNotDone();
    assertThat(budget.notBegun()).isZero();
    atWork.set(AT_WORK_MAX - 1);
    assertThat(waits.get(30, TimeUnit.SECONDS)).isTrue();
  }

  /** Not one a minute: many may be due, and what is at work may take hours. */
  @Test
  void afterThatWaitManyMayBegin() {
    atWork.set(AT_WORK_MAX);
    long second = TimeUnit.SECONDS.toNanos(1);
    // A second passes with each look.
    StartBudget one =
        new StartBudget(
            2, AT_WORK_MAX, inMemory::contains, atWork::get, () -> nanos.addAndGet(second));
    for (int i = 0; i < StartBudget.LET_BY; i++) {
      assertThat(one.take(id(i))).isTrue();
      one.begun(id(i));
    }
    long took = nanos.get();
    assertThat(took)
        .isBetween(StartBudget.WAITS_FOR.toNanos(), 10 * StartBudget.WAITS_FOR.toNanos());
    assertThat(one.take(id(StartBudget.LET_BY))).isTrue();
    assertThat(nanos.get() - took)
        .as("and then the wait begins anew")
        .isGreaterThanOrEqualTo(StartBudget.WAITS_FOR.toNanos());
  }

  @Test
  void oneThatCameIntoMemoryMeanwhileIsNotCounted() {
    AtomicReference<StartBudget> one = new AtomicReference<>();
    AtomicBoolean full = new AtomicBoolean();
    one.set(
        new StartBudget(
            1,
            AT_WORK_MAX,
            id -> {
              // Asked about the first one while the second one waits.
              if (full.get() && id.equals(id(1))) {
                inMemory.add(id(2));
                one.get().begun(id(1));
              }
              return inMemory.contains(id);
            },
            atWork::get,
            nanos::get));
    one.get().take(id(1));
    full.set(true);
    assertThat(one.get().take(id(2))).isTrue();
    assertThat(one.get().notBegun()).isZero();
  }

  /** They may wait for it. */
  @Test
  void itDoesNotWaitForThemForEver() throws Exception {
    atWork.set(AT_WORK_MAX);
    CompletableFuture<Boolean> waits = CompletableFuture.supplyAsync(() -> budget.take(id(1)));
    while (!waits.isDone()) {
      nanos.addAndGet(StartBudget.WAITS_FOR.dividedBy(10).toNanos());
      Thread.onSpinWait();
    }
    assertThat(waits.get()).isTrue();
    assertThat(nanos.get()).isGreaterThanOrEqualTo(StartBudget.WAITS_FOR.toNanos());
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

  @Test
  void aTaskRunsWhenAllThatWereWokenHaveBegun() {
    AtomicInteger ran = new AtomicInteger();
    budget.take(id(1));
    budget.take(id(2));
    budget.whenBegun(ran::incrementAndGet);
    budget.begun(id(1));
    budget.take(id(3));
    assertThat(ran).hasValue(0);
    budget.begun(id(2));
    assertThat(ran).as("what was woken later does not count").hasValue(1);
    budget.begun(id(3));
    assertThat(ran).hasValue(1);
  }

  @Test
  void aTaskRunsAtOnceWhenNoneIsToBegin() {
    AtomicInteger ran = new AtomicInteger();
    budget.whenBegun(ran::incrementAndGet);
    assertThat(ran).hasValue(1);
  }
}
