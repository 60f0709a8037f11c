package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.Payload;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The threads of a node: shared, or each kind of its own, and gone with it. */
class ThreadsTest {
  private static TestNode.Plan plan() {
    return new TestNode.Plan().with(Coded.class, Coded::new);
  }

  private static String threadOfAStep(TestNode node, String id) {
    Coded.begin(node, id, ctx -> ctx.step("where", () -> Thread.currentThread().toString()));
    return node.result(id);
  }

  private static long poolThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("tenure-pool-"))
        .count();
  }

  @Test
  void actorsCodeAndAnswersShareThreadsThatEndWithTheNode() {
    try (TestNode node = TestNode.start(plan())) {
      assertThat(node.runtime.pool()).isPresent();
      boolean mayShare =
          Thread.class.getModule().isOpen("java.lang", ThreadsTest.class.getModule());
      assertThat(threadOfAStep(node, "where")).contains(mayShare ? "@tenure-pool-" : "@ForkJoin");
      assertThat(poolThreads()).isPositive();
    }
    Await.until("the threads have ended", TestNode.SOON, () -> poolThreads() == 0);
  }

  @Test
  void anOperatorCanGiveActorsThreadsOfTheirOwn() {
    TestNode.Plan plan =
        plan()
            .configured(
                ConfigFactory.parseString(
                    "pekko.actor.default-dispatcher.executor = fork-join-executor"));
    try (TestNode node = TestNode.start(plan)) {
      assertThat(node.runtime.pool()).isEmpty();
      assertThat(threadOfAStep(node, "apart")).contains("@ForkJoin");
    }
  }

  @Test
  void callersWhoBlockWhereTheyAreAnsweredHoldUpNoWorkflow() {
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger blocked = new AtomicInteger();
    AtomicInteger steps = new AtomicInteger();
    int callers = 3 * Runtime.getRuntime().availableProcessors() + 3;
    try (TestNode node = TestNode.start(plan())) {
      for (int i = 0; i < callers; i++) {
        String id = "caller-" + i;
        Coded.put(
            id,
            ctx -> {
              ctx.step("first", steps::incrementAndGet);
              return ctx.step("second", steps::incrementAndGet);
            });
        node.workflows()
            .start(StartRequest.of(id, "coded", Payload.NONE))
            .thenAccept(
                started -> {
                  blocked.incrementAndGet();
                  Await.until("the end", TestNode.SOON, () -> end.getCount() == 0);
                });
      }
      Await.until("callers block", TestNode.SOON, () -> blocked.get() > 0);
      Await.until("all workflows went on", TestNode.SOON, () -> steps.get() == 2 * callers);
      end.countDown();
      Await.until("all were answered", TestNode.SOON, () -> blocked.get() == callers);
    }
  }
}
