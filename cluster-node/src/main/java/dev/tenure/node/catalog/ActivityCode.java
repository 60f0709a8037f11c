package dev.tenure.node.catalog;

import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.workflow.ActivityDefinition;
import java.util.OptionalInt;

/**
 * An activity together with the code behind it.
 *
 * @param atOnce how many of it run on a node at the same time; what the node is set to when empty
 */
public record ActivityCode<I, O>(
    ActivityDefinition<I, O> definition, ActivityDefinition.Body<I, O> body, OptionalInt atOnce) {

  /** For a node that is set so. */
  public ActivityRegistration<I, O> on(int runningMax, int waitingMax) {
    return ActivityRegistration.of(definition, body)
        .atOnce(atOnce.orElse(runningMax))
        .waiting(waitingMax);
  }
}
