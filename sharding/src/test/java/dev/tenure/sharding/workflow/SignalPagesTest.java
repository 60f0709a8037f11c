package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.signal.InboxRead;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.host.OwnerLimits;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** More signals than one page are pending: all are consumed, in the order of acceptance (I14). */
class SignalPagesTest {
  private static final int SIGNALS = 2 * OwnerLimits.DEFAULT.signalsPerPage() + 50;
  private static TestDatabase database;
  private static TestNode node;

  @BeforeAll
  static void start() {
    database = TestDatabase.migrated();
    node = node();
  }

  private static TestNode node() {
    return TestNode.start(
        database,
        new TestNode.Plan()
            .with(Coded.class, Coded::new)
            .settings(given -> given.withRest(Duration.ofMillis(200), 1_000)));
  }

  @AfterAll
  static void stop() {
    node.close();
    database.close();
  }

  private static Object takesAll(WorkflowContext ctx) {
    List<Integer> got = new ArrayList<>();
    for (int i = 0; i < SIGNALS; i++) got.add(ctx.awaitSignal("item", Integer.class));
    return got;
  }

  private static int awaits(CountDownLatch latch) {
    try {
      latch.await();
      return 1;
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }

  private static void sends(String id) {
    for (int i = 0; i < SIGNALS; i++) Coded.signal(node, id, "item", i);
  }

  private static void assertInOrder(String id) {
    assertThat(node.result(id))
        .isEqualTo(IntStream.range(0, SIGNALS).boxed().toList().toString().replace(" ", ""));
    assertThat(
            Journal.whole(node.storage, id).stream()
                .filter(Event.SignalConsumed.class::isInstance)
                .map(event -> ((Event.SignalConsumed) event).arrival())
                .filter(arrival -> arrival.signal().equals("item"))
                .map(arrival -> arrival.position()))
        .hasSize(SIGNALS)
        .isSorted();
    assertThat(
            node.storage
                .signals()
                .pending(List.of(new InboxRead(WorkflowId.of(id), 0, SIGNALS)))
                .getFirst())
        .isEmpty();
  }

  @Test
  void whenTheWaitBeginsAfterAllWereAccepted() {
    CountDownLatch sent = new CountDownLatch(1);
    Coded.begin(
        node,
        "late-wait",
        ctx -> {
          ctx.step("works", () -> awaits(sent));
          return takesAll(ctx);
        });
    sends("late-wait");
    sent.countDown();
    assertInOrder("late-wait");
  }

  @Test
  void whileTheyAreSent() {
    Coded.begin(node, "at-once", SignalPagesTest::takesAll);
    sends("at-once");
    assertInOrder("at-once");
  }

  @Test
  void whenItLeftTheMemoryBefore() {
    Coded.begin(
        node,
        "leaves",
        ctx -> {
          ctx.awaitSignal("begin", String.class);
          return takesAll(ctx);
        });
    Await.until("it left", TestNode.SOON, () -> node.node.resident() == 0);
    sends("leaves");
    Coded.signal(node, "leaves", "begin", "now");
    assertInOrder("leaves");
  }

  /** Another name's signals stand between them. */
  @Test
  void behindAPageOfOthers() {
    CountDownLatch sent = new CountDownLatch(1);
    Coded.begin(
        node,
        "others",
        ctx -> {
          ctx.step("works", () -> awaits(sent));
          Object all = takesAll(ctx);
          for (int i = 0; i < SIGNALS; i++)
            assertThat(ctx.awaitSignal("other", Integer.class, Duration.ofSeconds(5)))
                .isEqualTo(Optional.of(i));
          return all;
        });
    for (int i = 0; i < SIGNALS; i++) Coded.signal(node, "others", "other", i);
    sends("others");
    sent.countDown();
    assertThat(node.result("others"))
        .isEqualTo(IntStream.range(0, SIGNALS).boxed().toList().toString().replace(" ", ""));
  }
}
