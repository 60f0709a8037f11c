package dev.tenure.sharding.program;

import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.ProgramKind;
import java.util.OptionalInt;

/** The programs of one kind, as a node has them. Owners ask it in their turn: nothing blocks. */
public interface ProgramSource {
  ProgramKind kind();

  /** What became of the search for a program. */
  sealed interface Finding {
    record Found(ProgramDefinition definition) implements Finding {}

    /**
     * A workflow of that type is blocked on this node.
     *
     * @param why names what is missing, for people
     */
    record Missing(String why) implements Finding {}
  }

  /** What runs of that type run. */
  Finding find(WorkflowType type);

  /**
   * The version of a run that begins now and whose start names none; empty when there is no program
   * of that name.
   */
  OptionalInt versionOfStart(String name);

  /** Which node has a program that is missing here, for people. */
  String whereIs(WorkflowType type);

  /** Whether a workflow of that name that is blocked may go on here. May block. */
  boolean mayHave(String name);
}
