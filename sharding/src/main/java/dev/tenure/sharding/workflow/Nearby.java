package dev.tenure.sharding.workflow;

import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The short way: what is in this node's memory is told directly, without the two actors in between
 * that know where everything is; and whoever asks here is answered without an address. Whatever
 * this does not know goes the long way.
 */
record Nearby(Post everywhere, Residents residents) implements Post {
  /** Waits in this process. Continuations never run on an owner's thread, which they might hold. */
  record Here(CompletableFuture<Answer> answer) implements Asker {
    @Override
    public void tell(Answer said) {
      answer.completeAsync(() -> said);
    }
  }

  @Override
  public void tell(WorkflowId id, Message message) {
    if (!residents.tell(id, message)) everywhere.tell(id, message);
  }

  @Override
  public CompletionStage<Answer> ask(
      WorkflowId id, Function<Asker, Message> message, Duration limit) {
    if (!isOurs(id)) return everywhere.ask(id, message, limit);
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    tell(id, message.apply(new Here(answer)));
    return answer.orTimeout(limit.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public boolean isOurs(WorkflowId id) {
    return everywhere.isOurs(id);
  }
}
