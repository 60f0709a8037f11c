package dev.tenure.sharding.loop;

import dev.tenure.persistence.shard.ShardOf;
import dev.tenure.sharding.message.Answer;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.message.ReplyTo;
import dev.tenure.sharding.message.WorkflowTransport;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Command;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * Sends the messages of a {@link LoopNode} to workflows, and the answers back, through its {@link
 * LoopNode.Around}.
 */
record LoopTransport(LoopNode node) implements WorkflowTransport {
  private int shardOf(WorkflowId id) {
    return ShardOf.workflow(id.value(), node.shards);
  }

  @Override
  public void tell(WorkflowId id, Message message) {
    if (node.loop.isMuted()) return;
    if (message instanceof Message.Asked request) node.around.settled(request.replyTo());
    node.around.carry(
        message.getClass().getSimpleName() + " to " + id,
        () -> node.around.holderOf(shardOf(id)).ifPresent(there -> there.arrived(id, message)));
  }

  /**
   * Whether the owner answers this request soon. The answer to other requests comes when the
   * workflow or an update ends, and the caller may have gone by then.
   */
  static boolean isAnsweredSoon(Message.Asked request) {
    return switch (request) {
      case Message.Tell(Command command, var replyTo) -> !(command instanceof Command.Update);
      case Message.Query query -> true;
      case Message.Describe describe -> true;
      case Message.AwaitEnd end -> false;
      case Message.AwaitUpdate update -> false;
    };
  }

  @Override
  public CompletionStage<Answer> ask(
      WorkflowId id, Function<ReplyTo, Message> message, Duration limit) {
    CompletableFuture<Answer> said = node.around.future();
    Message asked = message.apply(new LoopReplyTo(id, said));
    Runnable silence =
        () ->
            said.completeExceptionally(
                new TimeoutException("no answer from " + id + " within " + limit));
    // A run may take long to end, so this caller does not ask again. The caller of any other
    // request does.
    Runnable forget =
        asked instanceof Message.AwaitEnd
            ? node.limit(limit, "the caller of " + id + " gives up", silence)
            : node.after(limit, "no answer from " + id, silence);
    said.whenComplete((answer, failure) -> forget.run());
    tell(id, asked);
    return said;
  }

  /** The caller, as the workflow's owner knows it. */
  private final class LoopReplyTo implements ReplyTo {
    private final WorkflowId id;
    private final CompletableFuture<Answer> said;

    LoopReplyTo(WorkflowId id, CompletableFuture<Answer> said) {
      this.id = id;
      this.said = said;
    }

    @Override
    public void tell(Answer answer) {
      if (node.loop.isMuted()) return;
      node.around.settled(this);
      if (answer instanceof Answer.Busy(int limit)) node.around.busy(limit);
      node.around.carry(
          answer.getClass().getSimpleName() + " of " + id,
          () -> {
            if (!node.isCrashed()) said.complete(answer);
          });
    }
  }

  @Override
  public boolean isOurs(WorkflowId id) {
    return node.fenceOf(shardOf(id)).isPresent();
  }
}
