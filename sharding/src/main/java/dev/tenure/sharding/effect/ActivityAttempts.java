package dev.tenure.sharding.effect;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.sharding.activity.Activities;
import dev.tenure.sharding.activity.ActivityCapabilityError;
import dev.tenure.sharding.activity.ActivityTask;
import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.host.StartVersions;
import dev.tenure.sharding.mailbox.IncomingResults;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Effect;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The attempts at activities that one owner has handed out: to this node, or to a queue. When the
 * owner ends, what keyed calls have done and no commit of it holds is recorded for the next one.
 */
final class ActivityAttempts {
  private static final Logger log = LoggerFactory.getLogger(ActivityAttempts.class);

  private final Host host;
  private final WorkflowId id;
  private final Fence tenure;
  private final IncomingResults results;
  private final QueuedAttempts queued;

  /** Activities that the workflow asks for, and whose code is not on this node. */
  private final Set<String> lacking = new HashSet<>(0);

  /** The run whose activities this owner started; null before the first. An owner has one run. */
  private String runId;

  private record Attempt(OperationId operation, int attempt) {}

  private record Effected(ActivityTask task, Outcome outcome) {}

  /**
   * Activities that a full queue has refused so far. Offered and withdrawn under the lock of the
   * activity's key.
   */
  private final ConcurrentMap<Attempt, ActivityTask> refused = new ConcurrentHashMap<>(1);

  /** Keyed calls that came out, and whose outcome no commit that stands holds yet. */
  private final ConcurrentMap<OperationId, Effected> reported = new ConcurrentHashMap<>(1);

  /** What attempts said last with a heartbeat. */
  private final ConcurrentMap<OperationId, Payload> details = new ConcurrentHashMap<>(1);

  private volatile boolean over;

  ActivityAttempts(Host host, WorkflowId id, Fence tenure, IncomingResults results) {
    this.host = host;
    this.id = id;
    this.tenure = tenure;
    this.results = results;
    this.queued = new QueuedAttempts(host, tenure, results, () -> !over);
  }

  void run(Effect.RunActivity effect, WorkflowState state) {
    try {
      runId = state.start().runId();
      if (effect.spec().isKeyed() && !host.storage.capabilities().conditionalBatch())
        throw new ActivityCapabilityError(
            effect.spec().activity(), host.storage.getClass().getSimpleName());
      if (effect.spec().isQueued()) queued.run(effect, task(effect, state), state);
      else runHere(effect, state);
    } catch (RuntimeException defect) {
      // An attempt that cannot begin has failed: its retry policy decides about the next one.
      log.error("activity {} of workflow {} did not begin", effect.operation(), id, defect);
      results.add(
          new Command.AttemptEnded(effect.operation(), effect.attempt(), didNotBegin(defect)));
    }
  }

  private static Outcome didNotBegin(RuntimeException defect) {
    String why = "It did not begin: " + defect;
    String type = defect.getClass().getName();
    Failure failure =
        defect instanceof ActivityCapabilityError
            ? Failure.permanent(type, why)
            : Failure.retryable(type, why);
    return new Outcome.Failed(failure.with(Failure.OutsideEffect.NONE));
  }

  private ActivityTask task(Effect.RunActivity effect, WorkflowState state) {
    return new ActivityTask(
        id,
        runId,
        effect.operation(),
        effect.attempt(),
        effect.spec(),
        tenure,
        effect.proof(),
        state.operation(effect.operation()).flatMap(Operation::deadline),
        state.start().trace());
  }

  private void runHere(Effect.RunActivity effect, WorkflowState state) {
    String activity = effect.spec().activity();
    if (!host.activities.knows(activity)) {
      if (lacking.add(activity)) results.add(StartVersions.lacks(activity));
      return;
    }
    ActivityTask task = task(effect, state);
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
    boolean taken = host.activities.offer(task, new Asker(task)) == Activities.Taken.YES;
    // The deadline of a keyed call may come while it waits for its turn.
    if (taken && task.spec().isKeyed() && task.deadline().isPresent()) host.watchActivities();
    return taken;
  }

  /** The owner, as an attempt sees it. */
  private final class Asker implements Activities.Asker {
    private final ActivityTask task;

    private Asker(ActivityTask task) {
      this.task = task;
    }

    @Override
    public void isTimed() {
      host.watchActivities();
    }

    @Override
    public Payload detailsBefore() {
      return details.getOrDefault(task.operation(), Payload.NONE);
    }

    @Override
    public void said(Payload said) {
      details.put(task.operation(), said);
    }

    @Override
    public void ended(Outcome outcome) {
      if (task.spec().isKeyed()) {
        reported.put(task.operation(), new Effected(task, outcome));
        // The owner may have looked for the last time already.
        if (over) keep(task.operation());
      }
      host.failpoints.hit("activity.before-report");
      results.add(new Command.AttemptEnded(task.operation(), task.attempt(), outcome));
    }
  }

  private void keep(OperationId operation) {
    Effected effected = reported.remove(operation);
    if (effected != null) host.effects.keep(effected.task, effected.outcome);
  }

  /** A commit stands. What it says of an activity needs no other record. */
  void stands(Iterable<Event> events) {
    if (reported.isEmpty() && details.isEmpty()) return;
    for (Event event : events)
      if (event instanceof Event.OfOperation one
          && (event instanceof Event.Completed
              || event instanceof Event.AttemptFailed
              || event instanceof Event.Abandoned)) {
        reported.remove(one.operation());
        if (!(event instanceof Event.AttemptFailed)) details.remove(one.operation());
      }
  }

  /** The workflow does not want the attempt's result any more. */
  void stop(OperationId operation, int attempt) {
    refused.remove(new Attempt(operation, attempt));
    // Of the run that started it: the state may be that of the next run already.
    if (runId != null) host.activities.stop(id, runId, operation, attempt);
  }

  /** A worker may have told something that this owner did not hear. */
  void look(WorkflowState state) {
    if (!state.isWithWorkers()) return;
    runId = state.start().runId();
    for (Operation operation : state.openOperations())
      if (operation.isWithWorkers() && operation.spec() instanceof OperationSpec.Activity spec) {
        Effect.RunActivity again =
            new Effect.RunActivity(operation.id(), operation.attempt(), spec, Effect.Proof.NEEDED);
        queued.look(again, task(again, state), state);
      }
  }

  boolean isProving(WorkflowState state) {
    if (queued.isLooking()) return true;
    if (runId == null || !state.isWithWorkers()) return false;
    for (Operation operation : state.openOperations())
      if (operation.isWithWorkers()
          && host.activities.isUnderWay(id, runId, operation.id(), operation.attempt()))
        return true;
    return false;
  }

  /** The owner ends. The next one hands out again what was in flight. */
  void end(WorkflowState state) {
    over = true;
    for (OperationId operation : reported.keySet()) keep(operation);
    for (Operation operation : state.openOperations())
      if (operation.spec() instanceof OperationSpec.Activity && runId != null)
        host.activities.leave(id, runId, operation.id(), operation.attempt());
  }
}
