package dev.tenure.sharding.program;

import dev.tenure.persistence.definition.DamagedDefinitionError;
import dev.tenure.persistence.definition.Definition;
import dev.tenure.persistence.definition.Definitions;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Program;
import dev.tenure.workflow.kernel.ProgramKind;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The programs of one kind that are documents in the store. Every node has all of them: it reads
 * one when it needs it, and keeps it in memory, because it never changes.
 */
public final class StoredPrograms implements ProgramSource {
  private final Interpreter interpreter;
  private final Definitions definitions;
  private final int inMemoryMax;
  private final Map<WorkflowType, Finding.Found> inMemory =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<WorkflowType, Finding.Found> eldest) {
              return size() > inMemoryMax;
            }
          });

  /** The newest version of each name, as of the last read. */
  private final Map<String, Integer> newest = new ConcurrentHashMap<>();

  /**
   * @param inMemoryMax how many programs stay in memory; those that were not used for the longest
   *     time leave it first, and are read again when they are needed
   */
  public StoredPrograms(Interpreter interpreter, Definitions definitions, int inMemoryMax) {
    this.interpreter = interpreter;
    this.definitions = definitions;
    this.inMemoryMax = inMemoryMax;
  }

  @Override
  public ProgramKind kind() {
    return interpreter.kind();
  }

  @Override
  public Finding find(WorkflowType type) {
    Finding.Found found = inMemory.get(type);
    return found == null ? new Finding.Unread(type) : found;
  }

  /** For a type without a version: the newest. */
  @Override
  public Finding read(WorkflowType type) {
    Optional<WorkflowType> decided =
        type.isDecided() ? Optional.of(type) : definitions.newest(kind(), type.name());
    if (decided.isEmpty()) return missing(type);
    Finding known = find(decided.get());
    Finding found = known instanceof Finding.Found ? known : readOnce(decided.get());
    // A client may start a version that is not stored: no other start may get that version.
    if (!type.isDecided() || found instanceof Finding.Found)
      newest.merge(type.name(), decided.get().version(), Math::max);
    return found;
  }

  private Finding readOnce(WorkflowType type) {
    Optional<Definition> stored;
    try {
      stored = definitions.find(type);
    } catch (DamagedDefinitionError damaged) {
      return new Finding.Missing("no-worker: " + damaged.getMessage());
    }
    if (stored.isEmpty()) return missing(type);
    Definition definition = stored.get();
    if (!definition.kind().equals(kind()))
      return new Finding.Missing(
          "no-worker: %s is stored as a program of kind \"%s\", and not of kind \"%s\"."
              .formatted(type, definition.kind(), kind()));
    try {
      Finding.Found found = new Finding.Found(type, directly(interpreter.read(definition)));
      inMemory.put(type, found);
      return found;
    } catch (InvalidDefinitionException invalid) {
      return new Finding.Missing(
          "no-worker: the definition of %s cannot be read by its owner's node: %s"
              .formatted(type, invalid.getMessage()));
    }
  }

  private static ProgramDefinition directly(Supplier<Program> programs) {
    return (id, type, reports) -> new DirectRun(type, programs, reports);
  }

  private Finding missing(WorkflowType type) {
    return new Finding.Missing(
        "no-worker: no definition of %s, of kind \"%s\", is stored.".formatted(type, kind()));
  }

  @Override
  public OptionalInt versionOfStart(String name) {
    Integer version = newest.get(name);
    return version == null ? OptionalInt.empty() : OptionalInt.of(version);
  }

  @Override
  public String whereIs(WorkflowType type) {
    return "Definitions are in the store, where every node reads them.";
  }

  @Override
  public boolean mayHave(WorkflowType type) {
    return read(type) instanceof Finding.Found;
  }
}
