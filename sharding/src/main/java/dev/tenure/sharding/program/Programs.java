package dev.tenure.sharding.program;

import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.ProgramKind;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;

/** The kinds of program that a node runs, and its programs of each. */
public final class Programs {
  private final Map<ProgramKind, ProgramSource> sources = new HashMap<>();

  public Programs(Collection<? extends ProgramSource> all) {
    for (ProgramSource one : all)
      if (sources.putIfAbsent(one.kind(), one) != null)
        throw new IllegalArgumentException(
            "Two sources give programs of kind \"%s\": register one.".formatted(one.kind()));
  }

  /** The program of a run. A kind that this node does not have is missing like any program. */
  public ProgramSource.Finding find(ProgramKind kind, WorkflowType type) {
    ProgramSource source = sources.get(kind);
    return source == null ? missing(kind, type) : source.find(type);
  }

  /** See {@link ProgramSource#read}. May block. */
  public ProgramSource.Finding read(ProgramKind kind, WorkflowType type) {
    ProgramSource source = sources.get(kind);
    return source == null ? missing(kind, type) : source.read(type);
  }

  private static ProgramSource.Finding missing(ProgramKind kind, WorkflowType type) {
    return new ProgramSource.Finding.Missing(
        "no-worker: the node that owns it runs no programs of kind \"%s\", and %s is one."
            .formatted(kind, type.name()));
  }

  public boolean has(ProgramKind kind, WorkflowType type) {
    return find(kind, type) instanceof ProgramSource.Finding.Found;
  }

  /** See {@link ProgramSource#versionOfStart}. */
  public OptionalInt versionOfStart(ProgramKind kind, String name) {
    ProgramSource source = sources.get(kind);
    return source == null ? OptionalInt.empty() : source.versionOfStart(name);
  }

  /** See {@link ProgramSource#whereIs}. */
  public String whereIs(ProgramKind kind, WorkflowType type) {
    ProgramSource source = sources.get(kind);
    return source == null
        ? "It runs no programs of kind \"%s\".".formatted(kind)
        : source.whereIs(type);
  }

  /** Whether a blocked workflow of that type may go on here; all kinds are asked. May block. */
  public boolean mayHave(WorkflowType type) {
    for (ProgramSource one : sources.values()) if (one.mayHave(type)) return true;
    return false;
  }

  /** The kinds besides code, by name. */
  public SortedSet<String> kinds() {
    SortedSet<String> names = new TreeSet<>();
    for (ProgramKind kind : sources.keySet()) if (!kind.isCode()) names.add(kind.name());
    return names;
  }
}
