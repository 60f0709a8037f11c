package dev.tenure.sharding.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.process.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where tasks run, and that none keeps the others waiting. */
class TaskPoolTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  private final List<Throwable> reported = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch end = new CountDownLatch(1);
  private TaskPool pool;

  private TaskPool pool(int threads) {
    pool =
        new TaskPool(
            threads,
            "pool-of-a-test",
            Thread.ofPlatform().uncaughtExceptionHandler((t, e) -> reported.add(e)).factory());
    return pool;
  }

  @AfterEach
  void close() {
    end.countDown();
    if (pool != null) pool.close();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(SOON.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A task that holds its thread until the test is over, however long the test waits. */
  private Runnable blocking(AtomicInteger count) {
    return () -> {
      count.incrementAndGet();
      try {
        end.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    };
  }

  private void assertRuns(TaskKind kind) {
    CountDownLatch ran = new CountDownLatch(1);
    pool.execute(kind, ran::countDown);
    await(ran);
  }

  private void assertWaits(TaskKind kind, AtomicInteger ran) {
    int before = ran.get();
    pool.execute(kind, ran::incrementAndGet);
    // As long as a thread in its stead would have taken to come, and more.
    Await.pass(PoolWatch.LOOK_EVERY.multipliedBy(5L * PoolWatch.WAITING_LOOKS));
    assertThat(ran).hasValue(before);
  }

  @Test
  void whatATaskMakesRunnableRunsNextOnTheSameThread() {
    Executor executor = pool(2).executor(TaskKind.ENGINE);
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    CountDownLatch done = new CountDownLatch(1);
    executor.execute(
        () -> {
          threads.add(Thread.currentThread());
          executor.execute(
              () -> {
                order.add("second");
                threads.add(Thread.currentThread());
                done.countDown();
              });
          order.add("first");
        });

    await(done);
    assertThat(order).containsExactly("first", "second");
    assertThat(threads).hasSize(1);
  }

  @Test
  void whatIsMoreThanOneIsRunByOtherThreads() {
    Executor executor = pool(2).executor(TaskKind.ENGINE);
    CountDownLatch both = new CountDownLatch(2);
    executor.execute(
        () -> {
          executor.execute(() -> {});
          // Neither of these ends before the other has begun.
          executor.execute(
              () -> {
                both.countDown();
                await(both);
              });
          both.countDown();
          await(both);
        });

    await(both);
  }

  @Test
  void aTaskThatAlwaysMakesItselfRunnableDoesNotStarveTheQueue() {
    Executor executor = pool(1).executor(TaskKind.ENGINE);
    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger own = new AtomicInteger();
    Runnable again =
        new Runnable() {
          @Override
          public void run() {
            own.incrementAndGet();
            if (!over.get()) executor.execute(this);
          }
        };
    executor.execute(again);
    Await.until("it runs", SOON, () -> own.get() > 10 * TaskPool.CHAIN_MAX);
    for (TaskKind kind : TaskKind.values()) assertRuns(kind);
    over.set(true);
  }

  @Test
  void tasksOfAllKindsTakeTurns() {
    TaskPool one = pool(1);
    CountDownLatch queued = new CountDownLatch(1);
    one.execute(TaskKind.ENGINE, () -> await(queued));
    List<TaskKind> order = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch done = new CountDownLatch(30);
    for (TaskKind kind : TaskKind.values())
      for (int i = 0; i < 10; i++)
        one.execute(
            kind,
            () -> {
              order.add(kind);
              done.countDown();
            });
    queued.countDown();

    await(done);
    // The watch may have brought a second thread meanwhile, so not one by one.
    for (TaskKind kind : TaskKind.values())
      assertThat(order.subList(0, 10)).as("the first ten").contains(kind);
  }

  @Test
  void whatWasToRunAfterATaskThatTakesLongIsRunByAnotherThread() {
    Executor executor = pool(2).executor(TaskKind.ENGINE);
    CountDownLatch ran = new CountDownLatch(1);
    executor.execute(
        () -> {
          executor.execute(ran::countDown);
          await(end);
        });

    await(ran);
  }

  @Test
  void tasksOfTheEngineThatBlockGetThreadsInTheirStead() {
    pool(2);
    AtomicInteger blocked = new AtomicInteger();
    for (int i = 0; i < 2; i++) pool.execute(TaskKind.ENGINE, blocking(blocked));
    Await.until("all threads are blocked", SOON, () -> blocked.get() == 2);

    for (TaskKind kind : TaskKind.values()) assertRuns(kind);
  }

  @Test
  void codeThatNeverEndsLeavesThreadsToTheEngineAndToAnswers() {
    pool(2);
    AtomicInteger computing = new AtomicInteger();
    for (int i = 0; i < 10; i++)
      pool.execute(
          TaskKind.CODE,
          () -> {
            computing.incrementAndGet();
            while (end.getCount() > 0) Thread.onSpinWait();
          });
    Await.until("code holds all it may", SOON, () -> computing.get() == 2);

    assertRuns(TaskKind.ENGINE);
    assertRuns(TaskKind.ANSWER);
    assertWaits(TaskKind.CODE, computing);
    pool.allowCode(1);
    Await.until("one more", SOON, () -> computing.get() == 3);
    assertThat(pool.freeForCode()).isZero();
    assertRuns(TaskKind.ENGINE);
  }

  @Test
  void callersThatBlockHoldUpNobody() {
    pool(2);
    AtomicInteger blocked = new AtomicInteger();
    for (int i = 0; i < 10; i++) pool.execute(TaskKind.ANSWER, blocking(blocked));

    for (TaskKind kind : TaskKind.values()) assertRuns(kind);
    assertThat(blocked).hasValue(10);
    end.countDown();
    Await.until("the threads have gone", SOON, () -> pool.threads().length == 2);
  }

  @Test
  void codeThatWaitedForALimitRunsWhenOtherCodeEnds() {
    pool(2);
    CountDownLatch ends = new CountDownLatch(1);
    AtomicInteger begun = new AtomicInteger();
    for (int i = 0; i < 2; i++)
      pool.execute(
          TaskKind.CODE,
          () -> {
            begun.incrementAndGet();
            await(ends);
          });
    Await.until("code holds all it may", SOON, () -> begun.get() == 2);
    CountDownLatch ran = new CountDownLatch(1);
    pool.execute(TaskKind.CODE, ran::countDown);
    ends.countDown();

    await(ran);
  }

  @Test
  void threadsThatWereNeededForAWhileGoAgain() {
    pool(2);
    CountDownLatch ends = new CountDownLatch(1);
    AtomicInteger blocked = new AtomicInteger();
    for (int i = 0; i < 2; i++)
      pool.execute(
          TaskKind.ENGINE,
          () -> {
            blocked.incrementAndGet();
            await(ends);
          });
    Await.until("all threads are blocked", SOON, () -> blocked.get() == 2);
    assertRuns(TaskKind.ENGINE);
    // The thread may have run the task before the pool counts it.
    Await.until("another thread is there", SOON, () -> pool.threads().length > 2);
    ends.countDown();

    Await.until("they have gone", SOON, () -> pool.threads().length == 2);
    for (TaskKind kind : TaskKind.values()) assertRuns(kind);
  }

  @Test
  void aThreadTooManyGoesAlsoWhereAllAreBusy() {
    Executor executor = pool(3).executor(TaskKind.ENGINE);
    AtomicBoolean over = new AtomicBoolean();
    for (int i = 0; i < 8; i++)
      executor.execute(
          new Runnable() {
            @Override
            public void run() {
              if (!over.get()) executor.execute(this);
            }
          });
    List<PoolThread> before = List.of(pool.threads());
    pool.dismissThread();

    Await.until("one has gone", SOON, () -> !List.of(pool.threads()).containsAll(before));
    over.set(true);
  }

  @Test
  void whatATaskThrowsIsReportedAndTheNextOneRuns() {
    pool(1);
    Error fatal = new Error("on purpose");
    RuntimeException usual = new IllegalStateException("on purpose");
    for (Throwable thrown : List.of(fatal, usual))
      pool.execute(
          TaskKind.CODE,
          () -> {
            if (thrown instanceof Error e) throw e;
            throw (RuntimeException) thrown;
          });

    assertRuns(TaskKind.CODE);
    Await.until("both are known", SOON, () -> reported.size() == 2);
    assertThat(reported).containsExactly(fatal, usual);
  }

  @Test
  void anInterruptDoesNotReachTheNextTask() {
    pool(1);
    AtomicReference<Boolean> seen = new AtomicReference<>();
    pool.execute(TaskKind.ENGINE, () -> Thread.currentThread().interrupt());
    pool.execute(TaskKind.ENGINE, () -> seen.set(Thread.currentThread().isInterrupted()));

    Await.until("the next has run", SOON, () -> seen.get() != null);
    assertThat(seen.get()).isFalse();
  }

  @Test
  void everyTaskRunsOnceHoweverManyComeFromWherever() throws InterruptedException {
    TaskPool all = pool(3);
    int each = 20_000;
    AtomicInteger ran = new AtomicInteger();
    List<Thread> producers = new ArrayList<>();
    for (TaskKind kind : TaskKind.values())
      producers.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = 0; i < each; i++) {
                      all.execute(
                          kind,
                          () -> {
                            ran.incrementAndGet();
                            all.execute(TaskKind.ENGINE, ran::incrementAndGet);
                            all.execute(kind, ran::incrementAndGet);
                          });
                      // Now and then, so that threads fall asleep in between.
                      if (i % 100 == 0) Await.pass(Duration.ofNanos(50_000));
                    }
                  }));
    for (Thread producer : producers) producer.join();

    int expected = 3 * 3 * each;
    Await.until("all have run", SOON, () -> ran.get() == expected);
    assertThat(all.freeForCode()).isEqualTo(3);
  }

  @Test
  void whatWasHandedInBeforeTheEndIsRunAndTheThreadsEnd() {
    pool(2);
    AtomicInteger ran = new AtomicInteger();
    for (int i = 0; i < 1_000; i++) pool.execute(TaskKind.CODE, ran::incrementAndGet);
    pool.close();

    Await.until("all have run", SOON, () -> ran.get() == 1_000);
    Await.until("the threads have ended", SOON, () -> pool.threads().length == 0);
  }

  @Test
  void whatIsHandedInAfterTheEndStillRuns() {
    pool(2).close();
    Await.until("the threads have ended", SOON, () -> pool.threads().length == 0);

    for (TaskKind kind : TaskKind.values()) assertRuns(kind);
  }

  @Test
  void codeThatLoopsAtTheEndDoesNotHoldUpWhatWaitsBehindIt() {
    pool(2);
    AtomicInteger computing = new AtomicInteger();
    for (int i = 0; i < 2; i++) pool.execute(TaskKind.CODE, blocking(computing));
    Await.until("code holds all it may", SOON, () -> computing.get() == 2);
    CountDownLatch ran = new CountDownLatch(1);
    pool.execute(TaskKind.CODE, ran::countDown);
    pool.close();

    await(ran);
  }
}
