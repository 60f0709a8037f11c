package dev.tenure.sharding.workflow;

import dev.tenure.workflow.CancelledException;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A workflow made up from a seed: steps that succeed and fail, branches, timers, values, children,
 * scopes and sagas. What it returns is a trace of all that it saw, which depends on the seed alone.
 */
@Workflow(name = "generated")
public class GeneratedWorkflow {
  private static final int DEPTH_MAX = 2;
  private static final RetryPolicy QUICK =
      RetryPolicy.DEFAULT.backoff(Duration.ofMillis(1), 1, Duration.ofMillis(1));

  public record Plan(long seed, int parts, int depth) {}

  private WorkflowContext ctx;
  private List<String> trace;

  public List<String> run(WorkflowContext context, Plan plan) {
    ctx = context;
    trace = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(plan.seed());
    for (int i = 0; i < plan.parts(); i++) part(random.split(), "p" + i, plan.depth());
    return trace;
  }

  private void part(SplittableRandom random, String name, int depth) {
    switch (random.nextInt(depth >= DEPTH_MAX ? 6 : 13)) {
      case 0, 1 -> trace.add(ctx.step(name, () -> name + random.nextInt(100)));
      case 2 -> failing(name);
      case 3 -> {
        ctx.sleep(Duration.ofMillis(random.nextInt(3)));
        trace.add(name + " slept");
      }
      case 4 -> trace.add(name + ctx.record(name, Integer.class, () -> random.nextInt(10)));
      case 5 -> {
        ctx.attribute("part", name);
        trace.add(name + " " + ctx.isCancelRequested());
      }
      case 6, 7 -> branches(random, name, depth);
      case 8 -> saga(name);
      case 9 -> scope(name);
      case 10 -> parallelSaga(random, name);
      case 11 -> forEach(random, name);
      default -> child(random, name, depth);
    }
  }

  private void failing(String name) {
    try {
      ctx.step(
          name,
          StepOptions.retry(QUICK.attempts(2)),
          () -> {
            throw WorkflowFailure.retryable("E7", name + " fails");
          });
    } catch (WorkflowFailure e) {
      trace.add(e.getMessage() + e.code().orElse("?"));
    }
  }

  private void branches(SplittableRandom random, String name, int depth) {
    int count = 2 + random.nextInt(2);
    List<Handle<String>> handles = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int number = i;
      SplittableRandom own = random.split();
      handles.add(
          ctx.async(
              name,
              "b" + i,
              () -> {
                int steps = own.nextInt(3);
                String seen = "";
                for (int s = 0; s < steps; s++) seen += ctx.step("s", () -> number);
                return name + number + ":" + seen;
              }));
    }
    trace.addAll(ctx.all(handles));
    if (depth == 0) part(random, name + "x", depth + 1);
  }

  private void saga(String name) {
    try {
      ctx.saga(
          saga -> {
            saga.step(name + "a", () -> "a", made -> {});
            saga.step(name + "b", () -> "b", made -> {});
            throw WorkflowFailure.permanent("undone", name + " undone");
          });
    } catch (WorkflowFailure e) {
      trace.add(e.getMessage());
    }
  }

  /** One of its branches fails while the others are in their steps, or before, or behind them. */
  private void parallelSaga(SplittableRandom random, String name) {
    int fails = random.nextInt(3);
    try {
      ctx.saga(
          saga -> {
            List<Handle<String>> handles = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
              int number = i;
              handles.add(
                  ctx.async(
                      name,
                      "b" + i,
                      () -> {
                        String made = saga.step("a", () -> "a" + number, done -> {});
                        if (number == fails)
                          throw WorkflowFailure.permanent("no", name + " undone");
                        ctx.sleep(Duration.ofMillis(number));
                        return saga.stepUndoneEvenIfFailed("b", () -> made, done -> {});
                      }));
            }
            return ctx.all(handles);
          });
    } catch (WorkflowFailure e) {
      trace.add(e.getMessage());
    }
  }

  private void forEach(SplittableRandom random, String name) {
    List<Integer> items = List.of(1, 2, 3, 4, 5);
    int limit = 1 + random.nextInt(3);
    trace.add(
        name
            + ctx.forEach(
                items, limit, item -> "i" + item, item -> ctx.step("s", () -> item * 10)));
  }

  private void scope(String name) {
    try {
      ctx.scope(
          name,
          scope -> {
            Handle<Void> timer = ctx.timer("long", Duration.ofDays(1));
            ctx.step("in", () -> 1);
            scope.cancel(name + " over");
            timer.get();
            return null;
          });
    } catch (CancelledException e) {
      trace.add(e.getMessage());
    }
  }

  private void child(SplittableRandom random, String name, int depth) {
    Plan plan = new Plan(random.nextLong(), 2, depth + 1);
    String id = ctx.info().id() + "." + name;
    trace.add(name + ctx.child("generated", id, plan, List.class));
  }
}
