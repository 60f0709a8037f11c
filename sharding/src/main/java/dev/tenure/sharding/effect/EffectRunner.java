package dev.tenure.sharding.effect;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.host.RetryingSender;
import dev.tenure.sharding.mailbox.Inbox;
import dev.tenure.sharding.mailbox.IncomingResults;
import dev.tenure.workflow.Trace;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Effect;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.WorkflowState;
import java.util.Optional;

/**
 * Performs the effects of a commit once it stands, except for steps, which run on the code's own
 * threads.
 */
public final class EffectRunner {
  private final Host host;
  private final PendingReplies replies;
  private final Inbox inbox;
  private final IncomingResults results;
  private final Deliveries deliveries;
  private final ActivityAttempts attempts;
  private final Outbox outbox = new Outbox();

  private volatile boolean over;

  public EffectRunner(
      Host host,
      WorkflowId id,
      Fence tenure,
      PendingReplies replies,
      Inbox inbox,
      IncomingResults results) {
    this.host = host;
    this.replies = replies;
    this.inbox = inbox;
    this.results = results;
    this.deliveries = new Deliveries(host);
    this.attempts = new ActivityAttempts(host, id, tenure, results);
  }

  public void perform(Effect effect, WorkflowState state) {
    switch (effect) {
      // Steps belong to the code: the owner hands them over.
      case Effect.RunStep step -> {}
      case Effect.RunActivity activity -> attempts.run(activity, state);
      case Effect.StopAttempt stop -> attempts.stop(stop.operation(), stop.attempt());
      case Effect.LookForSignal look -> inbox.lookFor(look.signal());
      case Effect.Deliver delivery -> outbox.add(delivery);
      case Effect.AnswerUpdate answer -> replies.updated(answer.updateId(), answer.outcome());
      case Effect.AnnounceEnd end -> replies.ended(end.status(), end.outcome());
    }
  }

  /** Sends the messages that need not wait for one that is still on its way. */
  public void release(WorkflowState state) {
    inbox.lookForTheRest();
    for (Effect.Deliver effect : outbox.release(state)) {
      Optional<Trace> trace = state.start().trace();
      switch (effect) {
        case Effect.StartChild child -> send(deliveries.startChild(child, trace));
        case Effect.Send send ->
            Deliveries.toNoChild(send, state)
                .ifPresentOrElse(results::add, () -> send(deliveries.send(send, trace)));
      }
    }
  }

  private void send(RetryingSender.Load load) {
    host.sender.send(load, () -> !over, results::add);
  }

  /** A commit stands. */
  public void stands(Iterable<Event> events) {
    attempts.stands(events);
  }

  /** The workflow was woken: something may have come that this owner did not hear of. */
  public void look(WorkflowState state) {
    attempts.look(state);
  }

  /** Whether the owner still finds out how calls came out that went to workers. */
  public boolean isProving(WorkflowState state) {
    return attempts.isProving(state);
  }

  /** The owner ends. The next one hands out again what was in flight. */
  public void end(WorkflowState state) {
    over = true;
    attempts.end(state);
  }
}
