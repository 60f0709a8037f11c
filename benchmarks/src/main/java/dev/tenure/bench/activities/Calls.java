package dev.tenure.bench.activities;

import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowRegistration;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * A workflow of ten calls of one kind, one after the other; each returns the number it is given.
 */
@Workflow(name = "calls")
public final class Calls {
  static final String TYPE = "calls";
  static final int EACH = 10;
  static final String QUEUE = "numbers";

  /** What the calls are. */
  enum Kind {
    STEP,
    UNKEYED,
    KEYED,
    QUEUED,
    QUEUED_KEYED
  }

  private static final ActivityDefinition<Integer, Integer> UNKEYED =
      ActivityDefinition.of("number", Integer.class, Integer.class);
  private static final ActivityDefinition<Integer, Integer> KEYED =
      ActivityDefinition.of("keyed-number", Integer.class, Integer.class).keyed();
  private static final ActivityDefinition<Integer, Integer> QUEUED =
      ActivityDefinition.of("queued-number", Integer.class, Integer.class).onQueue(QUEUE);
  private static final ActivityDefinition<Integer, Integer> QUEUED_KEYED =
      ActivityDefinition.of("queued-keyed-number", Integer.class, Integer.class)
          .keyed()
          .onQueue(QUEUE);

  private final LongConsumer done;

  private Calls(LongConsumer done) {
    this.done = done;
  }

  /**
   * @param done told of each call how many nanoseconds it took
   */
  static WorkflowRegistration<Calls> workflow(LongConsumer done) {
    return WorkflowRegistration.of(Calls.class, () -> new Calls(done));
  }

  /** The code of the calls that run on the node. */
  static List<ActivityRegistration<?, ?>> onNode() {
    return List.of(
        ActivityRegistration.of(UNKEYED, (call, number) -> number),
        ActivityRegistration.of(KEYED, (call, number) -> number));
  }

  /** The names of the calls that workers run. */
  static List<String> ofWorkers() {
    return List.of(QUEUED.name(), QUEUED_KEYED.name());
  }

  public int run(WorkflowContext ctx, Kind kind) {
    int sum = 0;
    long last = System.nanoTime();
    for (int i = 0; i < EACH; i++) {
      int number = i;
      sum +=
          switch (kind) {
            case STEP -> ctx.step("number", () -> number);
            case UNKEYED -> ctx.activity(UNKEYED, number);
            case KEYED -> ctx.activity(KEYED, number);
            case QUEUED -> ctx.activity(QUEUED, number);
            case QUEUED_KEYED -> ctx.activity(QUEUED_KEYED, number);
          };
      long now = System.nanoTime();
      done.accept(now - last);
      last = now;
    }
    return sum;
  }
}
