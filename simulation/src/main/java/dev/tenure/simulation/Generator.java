package dev.tenure.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Draws programs. */
final class Generator {
  private static final String PLACE = "program";
  private static final int CHOICES = 4;
  private static final int PARTS_MAX = 6;
  private static final int DEPTH_MAX = 2;
  private static final int KEYED_ONE_IN = 3;

  /** What begins other workflows, or would in numbers never come to an end. */
  private static final Set<Part.Kind> OUTERMOST = Set.of(Part.Kind.CHILD, Part.Kind.BURST);

  private static final Set<Part.Kind> WITH_BRANCHES =
      Set.of(Part.Kind.SAGA, Part.Kind.BRANCHES, Part.Kind.SCOPE, Part.Kind.SHIELDED);

  private final Chance chance;

  /** Whether half of the parts are calls of activities with keys or queues. */
  private boolean keyed;

  Generator(Chance chance) {
    this.chance = chance;
  }

  Program root() {
    keyed = chance.below("keyed", KEYED_ONE_IN) == 1;
    List<Part> parts = parts(chance.below(PLACE, PARTS_MAX + 1), 0, 0);
    int renewals = chance.below(PLACE, 4) / 2 * (1 + chance.below(PLACE, 2));
    for (int i = 0; i < renewals; i++) renew(parts);
    if (chance.below(PLACE, 12) == 11) parts.add(plain(Part.Kind.FAILURE));
    return new Program(0, parts, chance.below(PLACE, 8) == 7, chance.below(PLACE, 10) == 9);
  }

  private void renew(List<Part> parts) {
    parts.add(chance.below(PLACE, parts.size() + 1), plain(Part.Kind.RENEWAL));
  }

  private Program child(int depth) {
    List<Part> parts = parts(1 + chance.below(PLACE, 3), 0, depth);
    if (chance.below(PLACE, 4) == 3) renew(parts);
    if (chance.below(PLACE, 8) == 7) parts.add(plain(Part.Kind.FAILURE));
    return new Program(0, parts, chance.below(PLACE, 4) == 3, false);
  }

  private Part plain(Part.Kind kind) {
    return new Part(kind, choices(), List.of());
  }

  private List<Integer> choices() {
    List<Integer> choices = new ArrayList<>();
    for (int i = 0; i < CHOICES; i++) choices.add(chance.below(PLACE, Part.CHOICE_BOUND));
    return choices;
  }

  /**
   * @param nesting how many branches are around them
   * @param depth how many parents
   */
  private List<Part> parts(int count, int nesting, int depth) {
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < count; i++) parts.add(part(kind(nesting, depth), nesting, depth));
    return parts;
  }

  private Part.Kind kind(int nesting, int depth) {
    if (keyed && chance.half("keyed")) return Part.Kind.KEYED;
    List<Part.Kind> all =
        Arrays.stream(Part.Kind.values())
            .filter(kind -> !OUTERMOST.contains(kind) || nesting == 0 && depth < DEPTH_MAX)
            .filter(kind -> !WITH_BRANCHES.contains(kind) || nesting < DEPTH_MAX)
            .toList();
    int roll = chance.below(PLACE, all.stream().mapToInt(Part.Kind::weight).sum());
    for (Part.Kind kind : all) {
      roll -= kind.weight();
      if (roll < 0) return kind;
    }
    throw new IllegalStateException("no kind has the weight " + roll);
  }

  private Part part(Part.Kind kind, int nesting, int depth) {
    List<List<Part>> inner = new ArrayList<>();
    if (WITH_BRANCHES.contains(kind)) {
      int branches = 1 + chance.below(PLACE, 3);
      for (int i = 0; i < branches; i++)
        inner.add(parts(chance.below(PLACE, 3), nesting + 1, depth));
    }
    if (kind == Part.Kind.CHILD) {
      Program child = child(depth + 1);
      inner.add(child.parts());
      inner.add(child.large() ? List.of(plain(Part.Kind.LARGE)) : List.of());
    }
    return new Part(kind, choices(), inner);
  }
}
