package dev.tenure.examples.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.node.NodeBuilder;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** An application that runs twice on one database. */
class TwoNodesTest {
  private static final int MANY = 60;

  /** Says on which node it began and on which it ended. */
  @Workflow(name = "where")
  public static final class Where {
    private final String node;
    private final Set<String> seen;

    Where(String node, Set<String> seen) {
      this.node = node;
      this.seen = seen;
    }

    public String run(WorkflowContext ctx) {
      ctx.step("begin", () -> seen.add(node));
      ctx.awaitSignal("go", String.class);
      return ctx.step("end", () -> node);
    }
  }

  private final Set<String> seen = ConcurrentHashMap.newKeySet();

  @Test
  void theTwoShareTheWorkAndOneGoesOnAloneWhenTheOtherLeaves() {
    try (TestDatabase database = TestDatabase.empty();
        Engine one = Engine.start(database, node -> on("one", node))) {
      List<WorkflowHandle<String>> all;
      try (Engine two = Engine.start(database, node -> on("two", node))) {
        all =
            IntStream.range(0, MANY)
                .mapToObj(i -> two.workflows().start(Where::run, "where-" + i))
                .toList();
        // Whoever asks, and whoever owns it: the answer is the same.
        for (WorkflowHandle<String> each : all)
          Engine.await(
              each + " to have begun",
              () ->
                  !one.workflows()
                      .handle(each.id().value(), String.class)
                      .describe()
                      .open()
                      .isEmpty());
        Engine.await("both at work", () -> seen.equals(Set.of("one", "two")));
      }
      for (WorkflowHandle<String> each : all) {
        WorkflowHandle<String> here = one.workflows().handle(each.id().value(), String.class);
        here.signal("go", "on");
        assertThat(here.result(Engine.SOON)).isEqualTo("one");
      }
    }
  }

  private NodeBuilder on(String name, NodeBuilder node) {
    return node.workflow(Where.class, () -> new Where(name, seen));
  }
}
