package dev.tenure.simulation;

import dev.tenure.persistence.definition.Definition;
import dev.tenure.persistence.definition.Definitions;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.ProgramKind;
import java.util.Optional;

/** Definitions that cannot be read at times, as a journal cannot. */
record SimulatedDefinitions(Definitions inner, DatabaseLink link, Chance chance)
    implements Definitions {
  @Override
  public Kept keep(Definition definition) {
    return inner.keep(definition);
  }

  @Override
  public Optional<Definition> find(WorkflowType type) {
    mayBeAway();
    return inner.find(type);
  }

  @Override
  public Optional<WorkflowType> newest(ProgramKind kind, String name) {
    mayBeAway();
    return inner.newest(kind, name);
  }

  private void mayBeAway() {
    link.require();
    if (chance.strikes(Fault.JOURNAL_AWAY))
      throw new StorageException.Unavailable("simulated", null);
  }
}
