package dev.tenure.sharding.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.process.Await;
import dev.tenure.sharding.workflow.TestNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What is done often leaves a core its time, and goes on whatever happens to it. */
class ThreadTimersTest {
  private static final Duration PAUSE = Duration.ofMillis(1);

  private record Run(long begun, long ended) {}

  @Test
  void whatTakesItsTimePausesLongerAndNeverLongerThanItMay() {
    Duration takes = Duration.ofMillis(5);
    // Less than thirty times as long.
    Duration most = Duration.ofMillis(60);
    List<Run> runs = new CopyOnWriteArrayList<>();
    try (ThreadTimers timers = new ThreadTimers("test")) {
      timers.often(
          "it",
          PAUSE,
          most,
          () -> {
            long begun = System.nanoTime();
            Await.pass(takes);
            runs.add(new Run(begun, System.nanoTime()));
          });
      Await.until("it ran five times", TestNode.SOON, () -> runs.size() >= 5);
    }
    for (int i = 1; i < runs.size(); i++)
      assertThat(runs.get(i).begun - runs.get(i - 1).ended).isGreaterThanOrEqualTo(most.toNanos());
  }

  @Test
  void itGoesOnAfterAnErrorWhichIsReported() {
    AtomicInteger runs = new AtomicInteger();
    Map<String, Throwable> failures = new ConcurrentHashMap<>();
    try (ThreadTimers timers = new ThreadTimers("test", failures::put)) {
      timers.often(
          "the check",
          PAUSE,
          PAUSE,
          () -> {
            if (runs.incrementAndGet() == 1) throw new StackOverflowError("on purpose");
          });
      Await.until("it runs again", TestNode.SOON, () -> runs.get() > 1);
    }
    assertThat(failures).containsOnlyKeys("the check");
    assertThat(failures.get("the check")).isInstanceOf(StackOverflowError.class);
  }

  @Test
  void soIsTheErrorOfATaskThatRunsOnce() {
    Map<String, Throwable> failures = new ConcurrentHashMap<>();
    Runnable fails =
        () -> {
          throw new IllegalStateException("on purpose");
        };
    try (ThreadTimers timers = new ThreadTimers("test", failures::put)) {
      timers.after(PAUSE, fails);
      Await.until("it is reported", TestNode.SOON, () -> !failures.isEmpty());
      failures.clear();
      timers.after(PAUSE, fails, () -> {});
      Await.until("it is reported, too", TestNode.SOON, () -> !failures.isEmpty());
    }
    assertThat(failures).containsOnlyKeys("A task of test");
    assertThat(failures.get("A task of test")).hasMessage("on purpose");
  }

  @Test
  void aReplacementThatFailsKeepsNoOtherFromRunning() {
    Map<String, Throwable> failures = new ConcurrentHashMap<>();
    AtomicInteger replaced = new AtomicInteger();
    Runnable fails =
        () -> {
          replaced.incrementAndGet();
          throw new IllegalStateException("on purpose");
        };
    ThreadTimers timers = new ThreadTimers("test", failures::put);
    for (int i = 0; i < 3; i++) timers.after(Duration.ofDays(1), () -> {}, fails);
    timers.close();
    assertThat(replaced).hasValue(3);
    assertThat(failures.get("A task of test")).hasMessage("on purpose");
  }

  @Test
  void aPromisedTaskIsReplacedWhenTheTimersClose() {
    List<String> done = new CopyOnWriteArrayList<>();
    ThreadTimers timers = new ThreadTimers("test");
    timers.after(PAUSE, () -> done.add("task"), () -> done.add("instead"));
    Await.until("the pause is over", TestNode.SOON, () -> !done.isEmpty());
    timers.after(Duration.ofDays(1), () -> done.add("late"), () -> done.add("closed"));
    timers.close();
    timers.after(PAUSE, () -> done.add("too late"), () -> done.add("was closed"));
    timers.close();
    assertThat(done).containsExactly("task", "closed", "was closed");
  }
}
