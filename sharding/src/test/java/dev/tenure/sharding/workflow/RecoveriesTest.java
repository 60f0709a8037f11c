package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.sharding.host.JournalLimits;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Many workflows that are brought up at once: so many histories are read, the others wait. */
class RecoveriesTest {
  private static final int MANY = 40;
  private static final int AT_ONCE = 3;

  /** Counts the histories of one query. The first query waits for something. */
  private static final class CountedReads extends ForwardingStorage {
    private final AtomicInteger most = new AtomicInteger();
    private volatile BooleanSupplier before;

    CountedReads(Storage inner) {
      super(inner);
    }

    @Override
    public List<List<JournalRow>> read(List<JournalRead> reads) {
      BooleanSupplier awaited = before;
      before = null;
      if (awaited != null) Await.until("all have begun", TestNode.SOON, awaited);
      most.accumulateAndGet(reads.size(), Math::max);
      return super.read(reads);
    }
  }

  @Test
  void theyAreDelayedAndAllBegin() {
    CountedReads[] counted = new CountedReads[1];
    TestNode.Plan plan =
        new TestNode.Plan()
            .with(Coded.class, Coded::new)
            .storage(
                inner -> {
                  counted[0] = new CountedReads(inner);
                  return counted[0];
                })
            .settings(
                given ->
                    given
                        .withRest(Duration.ofMillis(200), 1_000)
                        .withJournal(
                            new JournalLimits(
                                AT_ONCE, TestNode.SOON, TestNode.SOON, TestNode.SOON)));
    try (TestNode node = TestNode.start(plan)) {
      for (int i = 0; i < MANY; i++)
        Coded.begin(node, "w" + i, ctx -> ctx.awaitSignal("go", String.class));
      Await.until("they left", TestNode.SOON, () -> node.node.resident() == 0);
      counted[0].before = () -> node.node.resident() == MANY;
      for (int i = 0; i < MANY; i++)
        node.node.transport().tell(WorkflowId.of("w" + i), Message.WakeUp.WAKE_UP);
      for (int i = 0; i < MANY; i++)
        assertThat(node.describe("w" + i).status()).isEqualTo(Status.WAITING);
      assertThat(counted[0].before).as("a query was made").isNull();
      // What asks for pages of a history to answer a caller is not counted in.
      assertThat(counted[0].most.get()).isBetween(1, AT_ONCE);
    }
  }
}
