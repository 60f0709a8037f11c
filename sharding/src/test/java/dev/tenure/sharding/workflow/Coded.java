package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** A workflow whose code is written where it is tested, found by the workflow's id. */
@Workflow(name = "coded")
public class Coded {
  private static final Map<String, Function<WorkflowContext, Object>> CODE =
      new ConcurrentHashMap<>();

  public Object run(WorkflowContext ctx) {
    return CODE.get(ctx.info().id().value()).apply(ctx);
  }

  /** The code that the next run of the id runs. */
  public static void put(String id, Function<WorkflowContext, Object> code) {
    CODE.put(id, code);
  }

  public static void begin(TestNode node, String id, Function<WorkflowContext, Object> code) {
    put(id, code);
    node.begin(id, "coded", null);
  }

  /** Its result, as JSON. */
  static String run(TestNode node, String id, Function<WorkflowContext, Object> code) {
    begin(node, id, code);
    return node.result(id);
  }

  public static void signal(TestNode node, String id, String name, Object value) {
    assertThat(
            TestNode.await(
                node.workflows()
                    .signal(WorkflowId.of(id), name, TestNode.json(value), Optional.empty())))
        .isInstanceOf(SignalResult.Accepted.class);
  }
}
