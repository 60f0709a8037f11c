package dev.tenure.simulation;

import dev.tenure.persistence.definition.Definition;
import dev.tenure.sharding.program.Interpreter;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Accounting;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.WorkflowState;
import java.util.List;
import java.util.SplittableRandom;

/** A kind of program that a {@link StoredLife} draws, stores and runs. */
interface StoredKind extends Interpreter {
  /** A life begins: what was drawn for another one is forgotten. */
  default void begins() {}

  /** How many versions of each name are drawn. */
  default int versions() {
    return 1;
  }

  /** The definition of that type. */
  Definition drawn(WorkflowType type, SplittableRandom random);

  /**
   * How a run of that definition is accounted.
   *
   * @param name of one that was drawn
   */
  default Accounting accounting(String name) {
    return Accounting.CODE;
  }

  /**
   * A commit of a workflow stands.
   *
   * @param type what its start says that it runs
   * @param state after it
   * @param inPortions whether one commit may hold less than its program asked for
   */
  default void committed(
      String id, WorkflowType type, List<Event> events, WorkflowState state, boolean inPortions) {}
}
