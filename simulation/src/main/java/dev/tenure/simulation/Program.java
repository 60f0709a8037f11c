package dev.tenure.simulation;

import java.util.List;

/**
 * What one simulated workflow does, as data: its input.
 *
 * @param run which run of the workflow it is, from 0
 * @param large whether its result is kept apart from the journal
 * @param poison whether it takes down the nodes that run it
 */
public record Program(int run, List<Part> parts, boolean large, boolean poison) {
  public Program {
    parts = List.copyOf(parts);
  }

  /** What is left behind that part. */
  Program after(int part) {
    return new Program(run + 1, parts.subList(part + 1, parts.size()), large, false);
  }

  boolean callsWithKeys() {
    return parts.stream().anyMatch(part -> part.kind() == Part.Kind.KEYED);
  }

  /** Whether it fails by its own code. */
  boolean fails() {
    return parts.stream().anyMatch(part -> part.kind() == Part.Kind.FAILURE);
  }
}
