package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.signal.InboxRead;
import dev.tenure.persistence.signal.PendingSignal;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** However large the signals are that a run gives back, its end is one commit that is stored. */
class GivenBackSizesTest {
  private static final int SIGNALS = 80;
  private static final int BYTES = 60 * 1024;

  /** Kept apart from the journal. */
  private static final int LARGE_BYTES = 1024 * 1024;

  private static GatedStorage gates;
  private static TestNode node;

  /** The first run asks for none of what came, the next for all of it. */
  @Workflow(name = "hoarding")
  public static class Hoarding {
    public int run(WorkflowContext ctx, int run) {
      List<Handle<String>> items = new ArrayList<>();
      for (int i = 0; i < SIGNALS; i++) items.add(ctx.signals("item", String.class).receiveAsync());
      if (run > 0) return ctx.all(items).size();
      ctx.awaitSignal("roll", String.class);
      return ctx.continueAsNew(1);
    }
  }

  @BeforeAll
  static void start() {
    node =
        TestNode.start(
            new TestNode.Plan()
                .with(Coded.class, Coded::new)
                .with(Hoarding.class, Hoarding::new)
                .settings(given -> given.withRecoveryPause(Duration.ofMillis(50)))
                .storage(
                    inner -> {
                      gates = new GatedStorage(inner);
                      return gates;
                    }));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static void signals(String id, int signals, int bytes) {
    for (int i = 0; i < signals; i++)
      Coded.signal(node, id, "item", String.valueOf((char) ('a' + i % 26)).repeat(bytes) + i);
  }

  private static long consumed(String id) {
    return Journal.whole(node.storage, id).stream()
        .filter(Event.SignalConsumed.class::isInstance)
        .count();
  }

  /** It is paused, and took in so many signals of which its code was not told. */
  private static void paused(String id, int signals, int bytes) {
    Coded.begin(
        node,
        id,
        ctx -> {
          List<Handle<String>> items = new ArrayList<>();
          for (int i = 0; i < signals; i++)
            items.add(ctx.signals("item", String.class).receiveAsync());
          return ctx.all(items).size();
        });
    Await.until("it waits", TestNode.SOON, () -> node.describe(id).status() == Status.WAITING);
    TestNode.await(node.workflows().pause(WorkflowId.of(id), "look"));
    signals(id, signals, bytes);
    Await.until("all are taken in", TestNode.SOON, () -> consumed(id) == signals);
  }

  private static List<PendingSignal> unconsumed(String id) {
    return node.storage
        .signals()
        .unconsumed(List.of(new InboxRead(WorkflowId.of(id), 0, 1_000)))
        .getFirst();
  }

  private static void isTerminated(String id, int signals, int bytes) {
    assertThat(TestNode.await(node.workflows().terminate(WorkflowId.of(id), "enough"))).isTrue();
    Await.until("it is over", TestNode.SOON, () -> node.describe(id).status() == Status.TERMINATED);
    List<PendingSignal> left = unconsumed(id);
    assertThat(left).hasSize(signals);
    for (int i = 0; i < signals; i++)
      assertThat(left.get(i).payload())
          .isEqualTo(TestNode.json(String.valueOf((char) ('a' + i % 26)).repeat(bytes) + i));
  }

  @Test
  void aHeldWorkflowIsTerminatedHoweverMuchItWasNotTold() {
    paused("held", SIGNALS, BYTES);
    isTerminated("held", SIGNALS, BYTES);
  }

  @Test
  void valuesKeptApartAreGivenBackWithoutBeingRead() {
    paused("held-large", 70, LARGE_BYTES);
    gates.largeValuesDown(true);
    try {
      isTerminated("held-large", 70, LARGE_BYTES);
    } finally {
      gates.largeValuesDown(false);
    }
  }

  @Test
  void theNextRunGetsAllThatThisOneDidNotReceive() {
    node.begin("hoarding", "hoarding", 0);
    signals("hoarding", SIGNALS, BYTES);
    Await.until("all are taken in", TestNode.SOON, () -> consumed("hoarding") == SIGNALS);
    Coded.signal(node, "hoarding", "roll", "");
    assertThat(node.result("hoarding")).isEqualTo("" + SIGNALS);
    assertThat(unconsumed("hoarding")).isEmpty();
  }
}
