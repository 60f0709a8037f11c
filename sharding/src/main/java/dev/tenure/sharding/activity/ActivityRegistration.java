package dev.tenure.sharding.activity;

import dev.tenure.workflow.ActivityCode;
import dev.tenure.workflow.ActivityDefinition;

/**
 * The code behind an activity, on one node.
 *
 * @param runningMax how many of it run on this node at the same time
 * @param waitingMax how many more may wait for one of these to end
 */
public record ActivityRegistration<I, O>(ActivityCode<I, O> code, int runningMax, int waitingMax) {
  public static final int RUNNING_MAX = 200;
  public static final int WAITING_MAX = 10_000;

  public ActivityRegistration {
    if (runningMax < 1 || waitingMax < 0)
      throw new IllegalArgumentException(
          "Activity %s: %d at once and %d waiting: use at least 1 and 0."
              .formatted(code.definition().name(), runningMax, waitingMax));
  }

  public static <I, O> ActivityRegistration<I, O> of(
      ActivityDefinition<I, O> definition, ActivityDefinition.Body<I, O> body) {
    return of(ActivityCode.of(definition, body), RUNNING_MAX, WAITING_MAX);
  }

  /** For a node that is set so; the code may say how many of it run at once. */
  public static <I, O> ActivityRegistration<I, O> of(
      ActivityCode<I, O> code, int runningMax, int waitingMax) {
    return new ActivityRegistration<>(code, code.atOnce().orElse(runningMax), waitingMax);
  }

  public ActivityDefinition<I, O> definition() {
    return code.definition();
  }

  /** What its code was loaded by. */
  ClassLoader loader() {
    return code.body().getClass().getClassLoader();
  }

  public ActivityRegistration<I, O> atOnce(int max) {
    return new ActivityRegistration<>(code, max, waitingMax);
  }

  public ActivityRegistration<I, O> waiting(int max) {
    return new ActivityRegistration<>(code, runningMax, max);
  }
}
