package dev.tenure.sharding.program;

import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.ProgramKind;
import java.util.OptionalInt;

/**
 * The programs of one kind, as a node has them. Owners ask it in their turn, so nothing blocks but
 * where it says so.
 */
public interface ProgramSource {
  ProgramKind kind();

  /** What became of the search for a program. */
  sealed interface Finding {
    record Found(ProgramDefinition definition) implements Finding {}

    /** A workflow of that type is blocked on this node. */
    sealed interface Absent extends Finding {
      /** Names what is missing, for people. */
      String why();
    }

    record Missing(String why) implements Absent {}

    /** Whether it is here shows when it was read; see {@link ProgramSource#read}. */
    record Unread(WorkflowType type) implements Absent {
      @Override
      public String why() {
        return "no-worker: the definition of " + type + " was not read yet.";
      }
    }
  }

  /** What runs of that type run, as far as it is in memory. */
  Finding find(WorkflowType type);

  /** As {@link #find}, and it is read when it is not in memory. May block. Never unread. */
  Finding read(WorkflowType type);

  /**
   * The version of a run that begins now and whose start names none; empty when there is no program
   * of that name. Of what has to be read, as of when it was.
   */
  OptionalInt versionOfStart(String name);

  /** Which node has a program that is missing here, for people. */
  String whereIs(WorkflowType type);

  /** Whether a workflow of that type that is blocked may go on here. May block. */
  boolean mayHave(WorkflowType type);
}
