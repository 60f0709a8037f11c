package dev.tenure.sharding.workflow;

import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** A workflow whose code a test gives it, by the workflow's id. Ids are unique to their tests. */
@Workflow(name = "coded")
public final class Coded {
  private static final Map<String, Function<WorkflowContext, Object>> CODE =
      new ConcurrentHashMap<>();

  static void code(String id, Function<WorkflowContext, Object> code) {
    CODE.put(id, code);
  }

  public Object run(WorkflowContext ctx) {
    return CODE.get(ctx.info().id().value()).apply(ctx);
  }
}
