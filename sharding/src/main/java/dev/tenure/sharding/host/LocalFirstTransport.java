package dev.tenure.sharding.host;

import dev.tenure.sharding.message.Answer;
import dev.tenure.sharding.message.LocalAsks;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.message.ReplyTo;
import dev.tenure.sharding.message.WorkflowTransport;
import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Sends a message directly to a workflow that is in this node's memory, without Pekko's shard
 * region and shard. A client in this node is answered without an address. All other messages go
 * through the cluster.
 */
record LocalFirstTransport(WorkflowTransport everywhere, Residents residents, LocalAsks asks)
    implements WorkflowTransport {
  @Override
  public void tell(WorkflowId id, Message message) {
    if (!residents.tell(id, message)) everywhere.tell(id, message);
  }

  @Override
  public CompletionStage<Answer> ask(
      WorkflowId id, Function<ReplyTo, Message> message, Duration limit) {
    if (!isOurs(id)) return everywhere.ask(id, message, limit);
    LocalAsks.Ask ask = asks.begin(limit);
    tell(id, message.apply(ask));
    return ask.answer();
  }

  @Override
  public boolean isOurs(WorkflowId id) {
    return everywhere.isOurs(id);
  }
}
