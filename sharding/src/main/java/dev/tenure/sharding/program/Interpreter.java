package dev.tenure.sharding.program;

import dev.tenure.persistence.definition.Definition;
import dev.tenure.workflow.kernel.Program;
import dev.tenure.workflow.kernel.ProgramKind;
import java.util.function.Supplier;

/** Makes programs of one kind out of documents. Called on any thread. */
public interface Interpreter {
  ProgramKind kind();

  /**
   * Reads a document.
   *
   * @return makes a program for each run, which computes for a moment at a time and never blocks:
   *     it runs in the turn of its workflow's owner
   * @throws InvalidDefinitionException when it is no program of this kind
   */
  Supplier<Program> read(Definition definition);
}
