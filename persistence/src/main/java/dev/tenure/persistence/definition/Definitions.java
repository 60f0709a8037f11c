package dev.tenure.persistence.definition;

import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.ProgramKind;
import java.util.Optional;

/** The definitions of a store. One of a name and version is kept once, and stays as it is. */
public interface Definitions {
  /** What became of a definition that was to be kept. */
  enum Kept {
    /** It is stored now. */
    NEW,
    /** The same was stored before. */
    SAME,
    /** The name and version belong to another document, which stays. */
    TAKEN
  }

  Kept keep(Definition definition);

  /**
   * The definition of that name and version.
   *
   * @throws DamagedDefinitionError when its content is not what was stored
   */
  Optional<Definition> find(WorkflowType type);

  /** The newest version of that name and kind; without its content. */
  Optional<WorkflowType> newest(ProgramKind kind, String name);
}
