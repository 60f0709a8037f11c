package dev.tenure.sharding.host;

import dev.tenure.sharding.activity.Activities;
import dev.tenure.sharding.deployment.ClusterCode;
import dev.tenure.workflow.kernel.Wish;
import dev.tenure.workflow.kernel.Wishes;
import dev.tenure.workflow.operation.OperationSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Decides where the calls of activities run that a program asks for: on their owner's node, or,
 * when only others have the code, through the queue of the nodes that do. The decision is recorded
 * with the call, so every later owner knows where it is.
 */
public final class CallRoutes {
  private final Activities activities;
  private final Supplier<ClusterCode> cluster;

  /**
   * @param cluster gives the code that the nodes have now
   */
  CallRoutes(Activities activities, Supplier<ClusterCode> cluster) {
    this.activities = activities;
    this.cluster = cluster;
  }

  /** The same wishes, with the calls that run elsewhere in their queues. */
  public Wishes routed(Wishes asked) {
    List<Wish> routed = null;
    for (int i = 0; i < asked.size(); i++) {
      if (!(asked.wishes().get(i) instanceof Wish.Schedule wish)
          || !(wish.spec() instanceof OperationSpec.Activity call)
          || !isElsewhere(call)) continue;
      if (routed == null) routed = new ArrayList<>(asked.wishes());
      routed.set(i, new Wish.Schedule(wish.operation(), call.onNodes(), wish.cause(), wish.kind()));
    }
    return routed == null ? asked : new Wishes(routed, asked.goesOn());
  }

  private boolean isElsewhere(OperationSpec.Activity call) {
    return !call.isQueued()
        && !activities.knows(call.activity())
        && cluster.get().hasActivity(call.activity());
  }
}
