package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.process.Await;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What is chance in a run is the same in each replay, whatever the node makes of it. */
class ReplayedChanceTest {
  @Test
  void chanceAndRecordedValuesAreTheSameInAReplay() {
    AtomicInteger made = new AtomicInteger();
    List<String> told = new CopyOnWriteArrayList<>();
    try (TestNode node =
        TestNode.start(
            new TestNode.Plan()
                .with(Coded.class, Coded::new)
                .settings(given -> given.withRest(Duration.ofMillis(5), 0)))) {
      Coded.begin(
          node,
          "chance",
          ctx -> {
            String uuid = ctx.uuid().toString();
            long random = ctx.random().nextLong();
            int recorded = ctx.record("made", Integer.class, made::incrementAndGet);
            String all = uuid + " " + random + " " + recorded + " " + ctx.uuid();
            told.add(all);
            ctx.awaitSignal("go", String.class);
            return all;
          });
      Await.until("it began", TestNode.SOON, () -> !told.isEmpty());
      Await.until("nothing is in memory", TestNode.SOON, () -> node.node.resident() == 0);
      Coded.signal(node, "chance", "go", "on");
      assertThat(node.result("chance")).isEqualTo("\"" + told.getFirst() + "\"");
      assertThat(told).as("it was replayed").hasSizeGreaterThan(1);
      assertThat(told.stream().distinct()).hasSize(1);
      assertThat(made).as("a value is recorded once").hasValue(1);

      // The same id and the same code: chance is of the run, not of the code.
      Coded.put("other", ctx -> ctx.uuid().toString());
      assertThat(node.run("other", "coded", null)).isNotEqualTo(told.getFirst());
    }
  }
}
