package dev.tenure.workflow;

/**
 * The name of one workflow, chosen by the caller that starts it: opaque, case-sensitive, never
 * trimmed.
 */
public record WorkflowId(String value) {
  public static final int BYTES_MAX = 512;

  public WorkflowId {
    Text.require("workflow id", value, BYTES_MAX);
  }

  public static WorkflowId of(String value) {
    return new WorkflowId(value);
  }

  @Override
  public String toString() {
    return value;
  }
}
