package dev.tenure.sharding.workflow;

import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The short way: what is in this node's memory is told directly, without the two actors in between
 * that know where everything is; and whoever asks here is answered without an address. Whatever
 * this does not know goes the long way.
 */
record Nearby(Post everywhere, Residents residents, LocalAsks asks) implements Post {
  @Override
  public void tell(WorkflowId id, Message message) {
    if (!residents.tell(id, message)) everywhere.tell(id, message);
  }

  @Override
  public CompletionStage<Answer> ask(
      WorkflowId id, Function<Asker, Message> message, Duration limit) {
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
