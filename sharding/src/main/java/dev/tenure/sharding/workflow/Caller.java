package dev.tenure.sharding.workflow;

import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.message.Answer;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.message.ReplyTo;
import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Asks a workflow's owner until it answers, within a limit: while a shard moves, there is no owner.
 * Requests that are sent this way may be sent twice.
 */
final class Caller {
  private static final Duration TRY_LIMIT = Duration.ofSeconds(3);
  private static final Duration PAUSE_FIRST = Duration.ofMillis(20);
  private static final Duration PAUSE_MAX = Duration.ofMillis(500);

  private final Host host;

  Caller(Host host) {
    this.host = host;
  }

  CompletionStage<Answer> ask(WorkflowId id, Function<ReplyTo, Message> message, Duration limit) {
    CompletableFuture<Answer> answer = host.futures.make();
    attempt(id, message, host.nanos.getAsLong() + limit.toNanos(), PAUSE_FIRST, answer);
    return answer;
  }

  private void attempt(
      WorkflowId id,
      Function<ReplyTo, Message> message,
      long deadline,
      Duration pause,
      CompletableFuture<Answer> answer) {
    long left = Math.max(1_000_000, deadline - host.nanos.getAsLong());
    host.transport
        .ask(id, message, Duration.ofNanos(Math.min(left, TRY_LIMIT.toNanos())))
        .whenComplete(
            (said, failure) -> {
              String why =
                  switch (said) {
                    case null -> String.valueOf(failure);
                    case Answer.Again(String reason) -> reason;
                    case Answer.Busy(int most) -> "more than " + most + " requests wait for it";
                    case Answer.Said s -> "";
                    case Answer.Queried q -> "";
                    case Answer.Described d -> "";
                    case Answer.Ended e -> "";
                    case Answer.AnotherRun r -> "";
                    case Answer.Updated u -> "";
                    case Answer.Unknown u -> "";
                    case Answer.NotNow n -> "";
                  };
              if (why.isEmpty()) answer.complete(said);
              else if (host.nanos.getAsLong() + pause.toNanos() >= deadline)
                answer.completeExceptionally(new WorkflowError.Unreachable(id, why));
              else {
                Duration twice = pause.multipliedBy(2);
                Duration longer = twice.compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : twice;
                host.timers.after(
                    pause,
                    () -> attempt(id, message, deadline, longer, answer),
                    () -> answer.completeExceptionally(new WorkflowError.Unreachable(id, why)));
              }
            });
  }
}
