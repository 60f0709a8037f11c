package dev.tenure.sharding.loop;

import dev.tenure.persistence.shard.ShardOf;
import dev.tenure.sharding.message.Answer;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.message.ReplyTo;
import dev.tenure.sharding.message.WorkflowTransport;
import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** The way to workflows from a {@link LoopNode}, there and back through what lies around it. */
record LoopTransport(LoopNode node) implements WorkflowTransport {
  private int shardOf(WorkflowId id) {
    return ShardOf.workflow(id.value(), node.shards);
  }

  @Override
  public void tell(WorkflowId id, Message message) {
    if (node.loop.isMuted()) return;
    node.around.carry(
        message.getClass().getSimpleName() + " to " + id,
        () -> node.around.holderOf(shardOf(id)).ifPresent(there -> there.arrived(id, message)));
  }

  @Override
  public CompletionStage<Answer> ask(
      WorkflowId id, Function<ReplyTo, Message> message, Duration limit) {
    CompletableFuture<Answer> said = node.around.future();
    ReplyTo asker =
        answer -> {
          if (node.loop.isMuted()) return;
          node.around.carry(
              answer.getClass().getSimpleName() + " of " + id,
              () -> {
                if (!node.isCrashed()) said.complete(answer);
              });
        };
    Message asked = message.apply(asker);
    Runnable silence =
        () ->
            said.completeExceptionally(
                new TimeoutException("no answer from " + id + " within " + limit));
    // An end may be long in coming, and nobody asks why; every other question is asked again.
    Runnable forget =
        asked instanceof Message.AwaitEnd
            ? node.limit(limit, "nobody waits for " + id, silence)
            : node.after(limit, "nobody answered for " + id, silence);
    said.whenComplete((answer, failure) -> forget.run());
    tell(id, asked);
    return said;
  }

  @Override
  public boolean isOurs(WorkflowId id) {
    return node.epochOf(shardOf(id)).isPresent();
  }
}
