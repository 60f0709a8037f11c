package dev.tenure.simulation;

import dev.tenure.workflow.kernel.Admission;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Decision;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Kernel;
import dev.tenure.workflow.kernel.Wishes;
import dev.tenure.workflow.kernel.WorkflowState;
import java.time.Instant;

/**
 * The same kernel, which is looked at: the world is told when a commit of that node does not hold
 * all that the workflow's code has asked for until then.
 */
record Portions(Kernel kernel, World world, String node) implements Kernel {
  @Override
  public Admission admit(WorkflowState state, Command command, Instant now) {
    return kernel.admit(state, command, now);
  }

  @Override
  public Decision decide(WorkflowState state, Command command, Wishes wishes, Instant now) {
    Decision decision = kernel.decide(state, command, wishes, now);
    if (state.exists()) world.decides(node, state.start().id().value(), wishes.goesOn());
    else
      for (Event event : decision.events())
        if (event instanceof Event.Started begins)
          world.decides(node, begins.start().id().value(), wishes.goesOn());
    return decision;
  }

  @Override
  public WorkflowState evolve(WorkflowState state, Event event) {
    return kernel.evolve(state, event);
  }
}
