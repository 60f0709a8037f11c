package dev.tenure.workflow;

/** Which code a workflow runs. Several versions of one name can be registered side by side. */
public record WorkflowType(String name, int version) {
  public static final int NAME_BYTES_MAX = 256;

  public WorkflowType {
    Text.require("workflow type", name, NAME_BYTES_MAX);
    if (version < 1)
      throw new IllegalArgumentException(
          "Version %d of %s: count from 1.".formatted(version, name));
  }

  @Override
  public String toString() {
    return name + " v" + version;
  }
}
