package dev.tenure.workflow;

/**
 * Which code a workflow runs. Several versions of one name can be registered side by side.
 *
 * @param version counts from 1; {@link #UNDECIDED} as long as a start names none and no node has
 *     the type
 */
public record WorkflowType(String name, int version) {
  public static final int NAME_BYTES_MAX = 256;

  /** The version of a run that waits until a node has code of its type. */
  public static final int UNDECIDED = 0;

  public WorkflowType {
    Text.require("workflow type", name, NAME_BYTES_MAX);
    if (version < UNDECIDED)
      throw new IllegalArgumentException(
          "Version %d of %s: count from 1.".formatted(version, name));
  }

  /** The version that a start names; 0 and less are none. */
  public static int requireVersion(String name, int version) {
    if (version < 1)
      throw new IllegalArgumentException(
          "Version %d of %s: count from 1.".formatted(version, name));
    return version;
  }

  public boolean isDecided() {
    return version != UNDECIDED;
  }

  @Override
  public String toString() {
    return isDecided() ? name + " v" + version : name + " of any version";
  }
}
