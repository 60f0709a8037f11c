package dev.tenure.sharding.effect;

import dev.tenure.sharding.activity.Activities;
import dev.tenure.sharding.activity.ActivityTask;
import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.host.RetryingSender;
import dev.tenure.sharding.host.StartVersions;
import dev.tenure.sharding.mailbox.Inbox;
import dev.tenure.sharding.mailbox.IncomingResults;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Trace;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Effect;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Performs the effects of a commit once it stands, except for steps, which run on the code's own
 * threads.
 */
public final class EffectRunner {
  private static final Logger log = LoggerFactory.getLogger(EffectRunner.class);

  private final Host host;
  private final WorkflowId id;
  private final PendingReplies replies;
  private final Inbox inbox;
  private final IncomingResults results;
  private final Deliveries deliveries;
  private final Outbox outbox = new Outbox();

  /** Activities that the workflow asks for, and whose code is not on this node. */
  private final Set<String> lacking = new HashSet<>(0);

  /** The run whose activities this owner started; null before the first. An owner has one run. */
  private String runId;

  private record Attempt(OperationId operation, int attempt) {}

  /**
   * Activities that a full queue has refused so far. Offered and withdrawn under the lock of the
   * activity's key.
   */
  private final ConcurrentMap<Attempt, ActivityTask> refused = new ConcurrentHashMap<>(1);

  private volatile boolean over;

  public EffectRunner(
      Host host, WorkflowId id, PendingReplies replies, Inbox inbox, IncomingResults results) {
    this.host = host;
    this.id = id;
    this.replies = replies;
    this.inbox = inbox;
    this.results = results;
    this.deliveries = new Deliveries(host);
  }

  public void perform(Effect effect, WorkflowState state) {
    switch (effect) {
      // Steps belong to the code: the owner hands them over.
      case Effect.RunStep step -> {}
      case Effect.RunActivity activity -> {
        try {
          run(activity, state);
        } catch (RuntimeException defect) {
          // An attempt that cannot begin has failed: its retry policy decides about the next one.
          log.error("activity {} of workflow {} did not begin", activity.operation(), id, defect);
          results.add(
              new Command.AttemptEnded(
                  activity.operation(), activity.attempt(), didNotBegin(defect)));
        }
      }
      case Effect.StopAttempt stop -> {
        refused.remove(new Attempt(stop.operation(), stop.attempt()));
        stop(stop.operation(), stop.attempt());
      }
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

  private static Outcome didNotBegin(RuntimeException defect) {
    return new Outcome.Failed(
        Failure.retryable(defect.getClass().getName(), "It did not begin: " + defect));
  }

  private void run(Effect.RunActivity effect, WorkflowState state) {
    Optional<Instant> deadline = state.operation(effect.operation()).flatMap(Operation::dueAt);
    String activity = effect.spec().activity();
    if (!host.activities.knows(activity)) {
      if (lacking.add(activity)) results.add(StartVersions.lacks(activity));
      return;
    }
    runId = state.start().runId();
    ActivityTask task =
        new ActivityTask(
            id,
            runId,
            effect.operation(),
            effect.attempt(),
            activity,
            effect.spec().input(),
            effect.spec().timeouts().attempt(),
            deadline,
            state.start().trace());
    Attempt attempt = new Attempt(task.operation(), task.attempt());
    refused.put(attempt, task);
    host.sender.until(
        () -> "the offer of activity %s of workflow %s".formatted(effect.operation(), id),
        () ->
            refused.computeIfPresent(attempt, (key, wanted) -> offer(wanted) ? null : wanted)
                == null,
        () -> !over && refused.containsKey(attempt));
  }

  private boolean offer(ActivityTask task) {
    Activities.Taken taken =
        host.activities.offer(
            task,
            host::activityBegins,
            outcome ->
                results.add(new Command.AttemptEnded(task.operation(), task.attempt(), outcome)));
    return taken == Activities.Taken.YES;
  }

  /** The owner ends. The next one hands out again what was in flight. */
  public void end(WorkflowState state) {
    over = true;
    for (Operation operation : state.openOperations())
      if (operation.spec() instanceof OperationSpec.Activity)
        stop(operation.id(), operation.attempt());
  }

  private void stop(OperationId operation, int attempt) {
    // Of the run that started it: the state may be that of the next run already.
    if (runId != null) host.activities.stop(id, runId, operation, attempt);
  }
}
