package dev.tenure.sharding.message;

import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Sends messages to workflows, on whichever node their shards are. */
public interface WorkflowTransport {
  void tell(WorkflowId id, Message message);

  /**
   * Fails when there is no answer within the limit: then it is unknown whether the message arrived.
   */
  CompletionStage<Answer> ask(WorkflowId id, Function<ReplyTo, Message> message, Duration limit);

  /** Whether this node holds the workflow's shard, as far as it knows. */
  boolean isOurs(WorkflowId id);
}
