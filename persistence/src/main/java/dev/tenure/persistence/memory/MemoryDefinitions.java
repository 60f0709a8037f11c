package dev.tenure.persistence.memory;

import dev.tenure.persistence.definition.Definition;
import dev.tenure.persistence.definition.Definitions;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.ProgramKind;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Definitions of a storage inside one process. */
final class MemoryDefinitions implements Definitions {
  private final Object lock;
  private final Map<WorkflowType, Definition> definitions = new HashMap<>();

  MemoryDefinitions(Object lock) {
    this.lock = lock;
  }

  @Override
  public Kept keep(Definition definition) {
    synchronized (lock) {
      Definition before = definitions.putIfAbsent(definition.type(), definition);
      if (before == null) return Kept.NEW;
      return before.equals(definition) ? Kept.SAME : Kept.TAKEN;
    }
  }

  @Override
  public Optional<Definition> find(WorkflowType type) {
    synchronized (lock) {
      return Optional.ofNullable(definitions.get(type));
    }
  }

  @Override
  public Optional<WorkflowType> newest(ProgramKind kind, String name) {
    synchronized (lock) {
      return definitions.values().stream()
          .filter(one -> one.kind().equals(kind) && one.type().name().equals(name))
          .map(Definition::type)
          .max(Comparator.comparingInt(WorkflowType::version));
    }
  }
}
