package dev.tenure.testkit;

import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;

/** A trial period: asks for a card, waits a month or for a decision, then charges. */
@Workflow(name = "trial")
public class Trial {
  /** What goes out into the world. */
  public static class World {
    final AtomicInteger charges = new AtomicInteger();

    String charge(String customer) {
      charges.incrementAndGet();
      return "receipt for " + customer;
    }
  }

  public record Ended(String receipt, Instant at, boolean early) {}

  private final World world;
  private String stage = "new";

  public Trial(World world) {
    this.world = world;
  }

  public Ended run(WorkflowContext ctx, String customer) {
    ctx.onQuery("stage", () -> stage);
    String card = ctx.step("ask for a card", () -> "card of " + customer);
    stage = "trying with " + card;
    boolean early =
        ctx.awaitSignal("buy", Boolean.class, Duration.ofDays(30)).orElse(Boolean.FALSE);
    String receipt = ctx.step("charge", () -> world.charge(customer));
    return new Ended(receipt, ctx.now(), early);
  }
}
