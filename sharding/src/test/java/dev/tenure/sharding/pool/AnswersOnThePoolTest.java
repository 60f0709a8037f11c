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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where callers go on with the answers that the engine's tasks give them. */
class AnswersOnThePoolTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  private final CountDownLatch end = new CountDownLatch(1);
  private TaskPool pool;

  private void begin(int threads) {
    pool = new TaskPool(threads, "pool-of-a-test", Thread.ofPlatform().factory());
  }

  @AfterEach
  void close() {
    end.countDown();
    pool.close();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(SOON.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aCallerIsAnsweredAtTheEndOfTheTaskAndBeforeTheNext() {
    begin(2);
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    CountDownLatch done = new CountDownLatch(1);
    long before = pool.tasks();
    pool.execute(
        TaskKind.ENGINE,
        () -> {
          pool.execute(
              TaskKind.ENGINE,
              () -> {
                order.add("next");
                threads.add(Thread.currentThread());
                done.countDown();
              });
          pool.execute(
              TaskKind.ANSWER,
              () -> {
                order.add("answer");
                threads.add(Thread.currentThread());
              });
          order.add("task");
          threads.add(Thread.currentThread());
        });

    await(done);
    assertThat(order).containsExactly("task", "answer", "next");
    assertThat(threads).hasSize(1);
    assertThat(pool.tasks() - before).isEqualTo(2);
  }

  @Test
  void anAnswerThatWaitsForATaskThatTakesLongIsGivenElsewhere() {
    begin(1);
    CountDownLatch answered = new CountDownLatch(1);
    pool.execute(
        TaskKind.ENGINE,
        () -> {
          pool.execute(TaskKind.ANSWER, answered::countDown);
          await(answered);
        });

    await(answered);
  }

  @Test
  void aCallerThatBlocksWhereItIsAnsweredHoldsUpNobody() {
    begin(1);
    AtomicInteger blocked = new AtomicInteger();
    Runnable blocks =
        () -> {
          blocked.incrementAndGet();
          await(end);
        };
    for (int i = 0; i < 10; i++)
      pool.execute(TaskKind.ENGINE, () -> pool.execute(TaskKind.ANSWER, blocks));

    Await.until("each is answered", SOON, () -> blocked.get() == 10);
    for (TaskKind kind : TaskKind.values()) {
      CountDownLatch ran = new CountDownLatch(1);
      pool.execute(kind, ran::countDown);
      await(ran);
    }
  }
}
