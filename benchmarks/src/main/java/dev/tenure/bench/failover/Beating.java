package dev.tenure.bench.failover;

import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowRegistration;
import java.time.Duration;
import java.util.function.IntConsumer;

/** A workflow that never ends: a step that says its number, a sleep, and again. */
@Workflow(name = Beating.TYPE)
public final class Beating {
  static final String TYPE = "beating";

  /** From one step to the next. */
  static final Duration EVERY = Duration.ofSeconds(1);

  private static final int STEPS_OF_A_RUN = 200;

  private final IntConsumer beats;

  Beating(IntConsumer beats) {
    this.beats = beats;
  }

  /**
   * Ends only by beginning anew.
   *
   * @param round how many runs were before this one
   */
  public long run(WorkflowContext ctx, long round) {
    int number = Integer.parseInt(ctx.info().id().value().substring(TYPE.length() + 1));
    for (int i = 0; i < STEPS_OF_A_RUN; i++) {
      ctx.step("beat", () -> beats.accept(number));
      ctx.sleep(EVERY);
    }
    return ctx.continueAsNew(round + 1);
  }

  static WorkflowRegistration<Beating> registration(IntConsumer beats) {
    return WorkflowRegistration.of(Beating.class, () -> new Beating(beats));
  }

  static String id(int number) {
    return TYPE + "-" + number;
  }
}
