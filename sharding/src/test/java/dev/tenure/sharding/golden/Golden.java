package dev.tenure.sharding.golden;

import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.ChildCall;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowFailure;
import java.time.Duration;
import java.util.Map;

/**
 * The workflow of the golden stores. Its input says what it does. Code that stands here is in
 * stored histories: it is never changed, and new cases come beside it.
 */
@Workflow(name = "golden")
public final class Golden {
  /**
   * What waits for so long does not go on while the store is written, and is due when it is read.
   */
  static final Duration LATER = Duration.ofMinutes(3);

  static final ActivityDefinition<String, String> QUEUED =
      ActivityDefinition.of("golden-queued", String.class, String.class).onQueue("golden");

  static final ActivityDefinition<String, String> KEYED =
      ActivityDefinition.of("golden-keyed", String.class, String.class)
          .keyed()
          .withRetry(RetryPolicy.DEFAULT.attempts(5).backoff(LATER, 1, LATER));

  private static final int LARGE_CHARS = 66_000;

  /** Whether what fails while the store is written succeeds now. */
  static volatile boolean mended;

  public Object run(WorkflowContext ctx, String what) {
    return switch (what) {
      case "done" -> ctx.step("one", () -> "first") + ctx.step("two", () -> " and second");
      case "failed" -> throw WorkflowFailure.permanent("golden", "as it should");
      case "waiting" -> ctx.step("one", () -> "first ") + awaitGo(ctx);
      case "sleeping" -> {
        ctx.sleep(LATER);
        yield "awake";
      }
      case "parent" ->
          ctx.child(ChildCall.to("golden", String.class).id("kid").input("waiting")) + "'s parent";
      case "renew" -> ctx.continueAsNew("renewed");
      case "renewed" -> "again " + awaitGo(ctx);
      case "large" -> {
        String large = ctx.step("large", () -> "x".repeat(LARGE_CHARS));
        yield large.length() + " " + awaitGo(ctx);
      }
      case "two-signals" -> awaitGo(ctx) + " " + ctx.awaitSignal("other", String.class);
      case "shaky" ->
          ctx.step(
              "shaky",
              StepOptions.retry(RetryPolicy.DEFAULT.attempts(5).backoff(LATER, 1, LATER)),
              () -> {
                if (!mended) throw new IllegalStateException("not yet");
                return "steady";
              });
      case "attributes" -> {
        ctx.attributes(Map.of("who", "Ada", "number", 7));
        yield awaitGo(ctx);
      }
      case "updated" -> {
        ctx.onUpdate("add", Integer.class, number -> ctx.step("add", () -> number + 1));
        yield awaitGo(ctx);
      }
      case "queued" -> ctx.activity(QUEUED, "work");
      case "keyed" -> ctx.activity(KEYED, "pay");
      default -> throw new IllegalArgumentException(what);
    };
  }

  private static String awaitGo(WorkflowContext ctx) {
    return ctx.awaitSignal("go", String.class);
  }
}
