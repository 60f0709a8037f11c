package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.sharding.process.Await;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** A history whose rows are few and large is taken up in pages that fit. */
class LargeHistoryTest {
  private static final int STEPS = 150;
  private static final int CHARACTERS = 60_000;
  private static final long PAGE_BYTES = 4L * 1024 * 1024;

  private static final class Weighing extends ForwardingStorage {
    private final List<Long> pages = new CopyOnWriteArrayList<>();

    private Weighing(Storage inner) {
      super(inner);
    }

    @Override
    public List<List<JournalRow>> read(List<JournalRead> reads) {
      List<List<JournalRow>> found = inner.read(reads);
      for (List<JournalRow> rows : found)
        pages.add(rows.stream().mapToLong(row -> row.payload().length).sum());
      return found;
    }
  }

  @Test
  void aWorkflowOfManyLargeResultsGoesOnAfterItLeftTheMemory() {
    Weighing[] weighing = new Weighing[1];
    TestNode.Plan plan =
        new TestNode.Plan()
            .with(Coded.class, Coded::new)
            .settings(given -> given.withRest(Duration.ofMillis(50), 0))
            .storage(inner -> weighing[0] = new Weighing(inner));
    try (TestNode node = TestNode.start(plan)) {
      Coded.begin(
          node,
          "large",
          ctx -> {
            long sum = 0;
            for (int i = 0; i < STEPS; i++) {
              String digit = Integer.toString(i % 10);
              sum += ctx.step("large", () -> digit.repeat(CHARACTERS)).length();
            }
            return sum + ctx.awaitSignal("add", Integer.class);
          });
      Await.until(
          "it waits, and is not in memory",
          TestNode.SOON,
          () -> node.describe("large").status().name().equals("WAITING"));
      Await.until("it left the memory", TestNode.SOON, () -> node.node.resident() == 0);
      weighing[0].pages.clear();
      Coded.signal(node, "large", "add", 7);
      assertThat(node.result("large")).isEqualTo(Long.toString((long) STEPS * CHARACTERS + 7));
      List<Long> large = weighing[0].pages.stream().filter(bytes -> bytes > CHARACTERS).toList();
      assertThat(large).hasSizeGreaterThan(1).allMatch(bytes -> bytes < 2 * PAGE_BYTES);
      assertThat(large.stream().mapToLong(Long::longValue).sum())
          .as("the whole history was read")
          .isGreaterThan((long) STEPS * CHARACTERS);
    }
  }
}
