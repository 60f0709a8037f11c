package dev.tenure.sharding.message;

import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** How workflows are reached, whoever holds their shards. */
public interface WorkflowTransport {
  void tell(WorkflowId id, Message message);

  /** Fails when nobody answers within the limit: whether it arrived is not known then. */
  CompletionStage<Answer> ask(WorkflowId id, Function<ReplyTo, Message> message, Duration limit);

  /** Whether this node holds the workflow's shard, as far as it knows. */
  boolean isOurs(WorkflowId id);
}
