package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.pekko.StorageExtension;
import dev.tenure.workflow.WorkflowId;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Counts the hand-overs of a start, a step and a signal while the engine runs: tasks of the pool,
 * and commits in the pipeline's queue. The numbers are those of docs/architecture.md.
 *
 * <p>What the node does beside a walk, several times a second, counts as well. So each walk is made
 * alone and often, and one of the quiet ones tells: a hand-over more would be there in all of them.
 */
class HandOversTest {
  private static final int WALKS = 300;
  private static TestNode node;

  @BeforeAll
  static void start() {
    node = TestNode.start(new TestNode.Plan().with(Coded.class, Coded::new));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static long handOvers() {
    return node.runtime.pool().orElseThrow().tasks()
        + StorageExtension.of(node.runtime.system()).commits().commits();
  }

  private static void assertEach(int expected, IntConsumer walk) {
    long[] at = new long[WALKS];
    for (int i = 0; i < WALKS; i++) {
      walk.accept(i);
      at[i] = handOvers();
    }
    assertBetween(expected, at);
  }

  private static void assertBetween(int expected, long[] at) {
    long[] each = new long[at.length - 1];
    for (int i = 0; i < each.length; i++) each[i] = at[i + 1] - at[i];
    Arrays.sort(each);
    assertThat(each[each.length / 8]).as("of %s", Arrays.toString(each)).isEqualTo(expected);
  }

  /** From the call until the answer. */
  @Test
  void ofAStart() {
    assertEach(
        6,
        number -> {
          String id = "start-" + number;
          Coded.begin(node, id, ctx -> ctx.awaitSignal("go", String.class));
        });
  }

  /** From a step until the next one. */
  @Test
  void ofAStep() {
    long[] at = new long[WALKS];
    Coded.begin(
        node,
        "steps",
        ctx -> {
          for (int i = 0; i < WALKS; i++) {
            int number = i;
            ctx.step("step", () -> at[number] = handOvers());
          }
          return "all";
        });
    assertThat(node.result("steps")).isEqualTo("\"all\"");
    assertBetween(4, at);
  }

  /** From the call until it is on record and its sender has the answer. */
  @Test
  void ofASignal() {
    Coded.begin(
        node,
        "signals",
        ctx -> {
          for (int i = 0; i < WALKS; i++) ctx.awaitSignal("go", String.class);
          return "all";
        });
    WorkflowId id = WorkflowId.of("signals");
    assertEach(
        5,
        number ->
            TestNode.await(
                node.workflows().signal(id, "go", TestNode.json("s" + number), Optional.empty())));
    assertThat(node.result("signals")).isEqualTo("\"all\"");
  }
}
