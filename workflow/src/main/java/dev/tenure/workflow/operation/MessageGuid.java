package dev.tenure.workflow.operation;

import dev.tenure.workflow.WorkflowId;

/**
 * The identity of one message, the same however often it is sent: it derives from who sends it, for
 * which operation and in which attempt. Receivers recognise a repetition by it.
 */
public record MessageGuid(String value) {

  public static MessageGuid of(WorkflowId sender, OperationId operation, int attempt) {
    String escaped = sender.value().replace("%", "%25").replace("|", "%7C");
    return new MessageGuid(escaped + '|' + attempt + '|' + operation.value());
  }

  @Override
  public String toString() {
    return value;
  }
}
