package dev.tenure.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.TypeRef;
import dev.tenure.workflow.UpdateRejectedException;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** Collects what is signalled to it, until it is told that that was all. */
@Workflow(name = "basket")
public class Basket {
  /** What it returns: its input, and what came in. */
  public record Filled(Object input, List<Object> items) {}

  public Filled run(WorkflowContext ctx, Object input) {
    List<Object> items = new ArrayList<>();
    int[] limit = {100};
    ctx.onQuery("items", () -> Map.of("count", items.size(), "limit", limit[0]));
    ctx.onQuery(
        "broken",
        () -> {
          throw new IllegalStateException("no answer to that");
        });
    ctx.onUpdate(
        "limit",
        TypeRef.of(Integer.class),
        wanted -> {
          if (wanted < 1) throw new UpdateRejectedException("a basket holds something");
        },
        wanted -> limit[0] = wanted);
    while (items.size() < limit[0]) {
      Object item = ctx.awaitSignal("item", Object.class);
      if ("done".equals(item)) return new Filled(input, items);
      items.add(item);
    }
    return new Filled(input, items);
  }

  /** Ends at once with what it was given. */
  @Workflow(name = "echo")
  public static class Echo {
    public Object run(WorkflowContext ctx, Object input) {
      return input;
    }
  }

  /** Asks something that may be down, and waits for a person when it is. */
  @Workflow(name = "fragile")
  public static class Fragile {
    static final AtomicBoolean DOWN = new AtomicBoolean();

    static final StepOptions UNTIL_SOMEBODY_LOOKS =
        StepOptions.retry(
            RetryPolicy.DEFAULT
                .backoff(Duration.ofMillis(5), 2, Duration.ofMillis(50))
                .thenIncident());

    public String run(WorkflowContext ctx) {
      String first = ctx.step("first", () -> "a");
      String asked =
          ctx.step(
              "ask",
              UNTIL_SOMEBODY_LOOKS,
              () -> {
                if (DOWN.get()) throw new IllegalStateException("it is down");
                return "b";
              });
      return ctx.step("last", () -> first + asked);
    }
  }

  /** The same, and asks nobody. */
  @Workflow(name = "fragile", version = 2)
  public static class Robust {
    public String run(WorkflowContext ctx) {
      String first = ctx.step("first", () -> "a");
      String asked = ctx.step("ask", Fragile.UNTIL_SOMEBODY_LOOKS, () -> "B");
      return ctx.step("last", () -> first + asked);
    }
  }

  /** Fails, with a code. */
  @Workflow(name = "failing")
  public static class Failing {
    public String run(WorkflowContext ctx, JsonNode input) {
      throw dev.tenure.workflow.WorkflowFailure.permanent("no-stock", "nothing left");
    }
  }
}
