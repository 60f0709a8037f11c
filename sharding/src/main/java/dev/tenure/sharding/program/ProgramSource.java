package dev.tenure.sharding.program;

import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.ProgramKind;
import java.util.OptionalInt;

/**
 * The programs of one kind on a node. Owners call it in their turn, so no method blocks unless it
 * says so.
 */
public interface ProgramSource {
  ProgramKind kind();

  /** What became of the search for a program. */
  sealed interface Finding {
    /**
     * @param type the program's own, with its version
     */
    record Found(WorkflowType type, ProgramDefinition definition) implements Finding {}

    /** The program is not here: a workflow of that type is blocked on this node. */
    sealed interface Absent extends Finding {
      /** Names what is missing, for people. */
      String why();
    }

    record Missing(String why) implements Absent {}

    /** The program has to be read first; see {@link ProgramSource#read}. */
    record Unread(WorkflowType type) implements Absent {
      @Override
      public String why() {
        return "no-worker: the definition of " + type + " was not read yet.";
      }
    }
  }

  /** The program of that type, if it is in memory. */
  Finding find(WorkflowType type);

  /**
   * As {@link #find}, but reads the program when it is not in memory. May block. Never answers
   * {@link Unread}.
   */
  Finding read(WorkflowType type);

  /**
   * The version for a run that begins now and whose start names none; empty when there is no
   * program of that name. For programs that have to be read: as of the last read.
   */
  OptionalInt versionOfStart(String name);

  /** Which node has a program that is missing here, for people. */
  String whereIs(WorkflowType type);

  /** Whether a workflow of that type that is blocked may go on here. May block. */
  boolean mayHave(WorkflowType type);
}
