package dev.tenure.workflow.operation;

import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.ActivityRouting;
import dev.tenure.workflow.Text;
import dev.tenure.workflow.Timeouts;
import java.time.Duration;
import java.util.Optional;

/**
 * What the call of an activity says beyond its input.
 *
 * @param idempotencyKey by which a repetition is recognised; without one the activity runs at least
 *     once, and claims nothing
 * @param idempotent whether it may be called again although it may have had its effect
 * @param heartbeatTimeout after how long without a heartbeat an attempt counts as failed
 * @param queueing how it waits for a worker; empty when it runs on its owner's node
 */
public record ActivityCall(
    Optional<String> idempotencyKey,
    boolean idempotent,
    Optional<Duration> heartbeatTimeout,
    Optional<Queueing> queueing) {
  public static final ActivityCall PLAIN =
      new ActivityCall(Optional.empty(), false, Optional.empty(), Optional.empty());

  /** Stands for the operation itself, where the call was given no key of its own. */
  public static final String OWN_KEY = "tenure:operation";

  /**
   * How a call waits for a worker.
   *
   * @param fairnessKey whose calls take turns with those of other keys; may be empty
   * @param resource what the two limits count by; may be empty
   */
  public record Queueing(
      String queue,
      int priority,
      String fairnessKey,
      Duration visibilityTimeout,
      String resource,
      Optional<Integer> atOnceMax,
      Optional<ActivityRouting.RateLimit> rate) {
    public Queueing {
      Text.require("queue", queue, ActivityRouting.QUEUE_BYTES_MAX);
      requireKey("fairness key", fairnessKey);
      requireKey("resource", resource);
    }

    private static void requireKey(String what, String key) {
      if (!key.isEmpty()) Text.require(what, key, ActivityRouting.KEY_BYTES_MAX);
    }
  }

  public ActivityCall {
    idempotencyKey.ifPresent(
        key -> Text.require("idempotency key", key, ActivityDefinition.KEY_BYTES_MAX));
    heartbeatTimeout.ifPresent(span -> Timeouts.requireSpan("heartbeat timeout", span));
  }

  /** The same call, through the queue of the nodes that have the code of that activity. */
  ActivityCall onNodes(String activity) {
    Queueing queue =
        new Queueing(
            nodeQueue(activity),
            0,
            "",
            ActivityRouting.VISIBILITY_DEFAULT,
            "",
            Optional.empty(),
            Optional.empty());
    return new ActivityCall(idempotencyKey, idempotent, heartbeatTimeout, Optional.of(queue));
  }

  /** The queue of nodes that have the code of an activity. */
  public static String nodeQueue(String activity) {
    return ActivityRouting.RESERVED + "activity." + activity;
  }
}
