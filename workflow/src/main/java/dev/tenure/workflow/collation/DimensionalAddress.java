package dev.tenure.workflow.collation;

/**
 * Where in the tree of an execution an activity runs: one index per ancestor, 0 unless a cycle
 * re-entered it. State under one address is invisible under another.
 *
 * <pre>
 *   ,0,1,0
 *    | | +-- depth 2: a child of the re-entered activity
 *    | +---- depth 1: re-entered once
 *    +------ depth 0: the trigger
 * </pre>
 */
public record DimensionalAddress(String path) {
  /** The deepest an activity may stand below its trigger. */
  public static final int DEPTH_MAX = 4_096;

  /** The largest index: one less than the largest ordinal. */
  public static final int INDEX_MAX = 99_999_998;

  public static final DimensionalAddress ROOT = new DimensionalAddress(",0");

  public DimensionalAddress {
    int depth = -1;
    int at = 0;
    while (at < path.length()) {
      if (path.charAt(at) != ',') throw corrupt(path, "every index follows a comma");
      at = afterIndex(path, at + 1);
      if (++depth > DEPTH_MAX)
        throw corrupt(path, "it is deeper than DEPTH_MAX = " + DEPTH_MAX + ": flatten the graph");
    }
    if (depth < 0) throw corrupt(path, "it names at least the trigger");
  }

  /** Checks one index without making a string of it, and returns where it ends. */
  private static int afterIndex(String path, int start) {
    int at = start;
    int index = 0;
    while (at < path.length() && path.charAt(at) >= '0' && path.charAt(at) <= '9') {
      index = index * 10 + path.charAt(at) - '0';
      if (index > INDEX_MAX) throw corrupt(path, "an index is at most " + INDEX_MAX);
      at++;
    }
    if (at == start) throw corrupt(path, "an index is a decimal number");
    // One address has one spelling, because it is part of keys.
    if (at - start > 1 && path.charAt(start) == '0')
      throw corrupt(path, "an index has no leading zero");
    return at;
  }

  private static CorruptLedgerError corrupt(String path, String why) {
    String shown = path.length() <= 80 ? path : path.substring(0, 80) + "…";
    return new CorruptLedgerError("dimensional address", '"' + shown + '"', why);
  }

  /** How far below the trigger; the trigger itself is at 0. */
  public int depth() {
    int commas = 0;
    for (int at = 0; at < path.length(); at++) if (path.charAt(at) == ',') commas++;
    return commas - 1;
  }

  /** The activity's own index: which of its planes this is. */
  public int index() {
    return Integer.parseInt(path, path.lastIndexOf(',') + 1, path.length(), 10);
  }

  /** The same activity in another plane: that of the message being processed. */
  public DimensionalAddress inDimension(int dimension) {
    return new DimensionalAddress(path.substring(0, path.lastIndexOf(',') + 1) + dimension);
  }

  /** What the children of this activity receive: one level down, in the first plane. */
  public DimensionalAddress adjacent() {
    return new DimensionalAddress(path.concat(",0"));
  }

  /**
   * What a cycle sends its ancestor: this address cut at the ancestor's depth, its own index back
   * at 0. The re-entry's ordinal then says which plane it is. The indices above stay, so a cycle
   * within a cycle stays in its outer plane.
   */
  public DimensionalAddress reentryAt(int ancestorDepth) {
    int at = -1;
    for (int level = 0; level <= ancestorDepth; level++) {
      at = path.indexOf(',', at + 1);
      if (at < 0)
        throw new IllegalArgumentException(
            "depth %d is not above \"%s\": a cycle goes to an ancestor."
                .formatted(ancestorDepth, path));
    }
    if (at < 0)
      throw new IllegalArgumentException("depth " + ancestorDepth + ": count from 0, the trigger.");
    return new DimensionalAddress(path.substring(0, at).concat(",0"));
  }

  @Override
  public String toString() {
    return path;
  }
}
