package dev.tenure.sharding.commit;

import dev.tenure.persistence.activity.ActivityKey;
import dev.tenure.persistence.activity.ActivityStatus;
import dev.tenure.persistence.activity.InvocationKey;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.task.TaskId;
import dev.tenure.persistence.task.TaskOffer;
import dev.tenure.sharding.activity.ActivityTask;
import dev.tenure.sharding.activity.CanonicalArguments;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Effect;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Makes the rows of keyed calls and of tasks that go with one commit: claims and offers for what
 * goes out when the commit stands, and the outcomes of what its events end.
 */
public final class ActivityRows {
  private final WorkflowId id;
  private final Fence fence;
  private final Instant at;
  private List<SideRow> rows = List.of();

  /** What this commit asks for first: there is no record of it yet. */
  private Set<OperationId> fresh = Set.of();

  /** Of what this commit begins the next attempt. */
  private Set<OperationId> again = Set.of();

  ActivityRows(WorkflowId id, Fence fence, Instant at) {
    this.id = id;
    this.fence = fence;
    this.at = at;
  }

  List<SideRow> rows() {
    return rows;
  }

  private void add(SideRow row) {
    if (rows.isEmpty()) rows = new ArrayList<>();
    rows.add(row);
  }

  /**
   * An event of the commit.
   *
   * @param before the state without it
   */
  void of(Event event, WorkflowState before) {
    if (event instanceof Event.Scheduled e) {
      if (e.spec() instanceof OperationSpec.Activity one && hasRows(one)) isFresh(e.operation());
    } else if (event instanceof Event.AttemptStarted e) again(e.operation());
    else if (event instanceof Event.Completed e) ended(e.operation(), before, e.outcome());
    else if (event instanceof Event.AttemptFailed e) failed(e, before);
    else if (event instanceof Event.Abandoned e) ended(e.operation(), before, cancelled());
    // When the counters of the run are full, what is open leaves the state without events of its
    // own.
    else if (event instanceof Event.Ended)
      for (Operation one : before.openOperations()) ended(one.id(), before, cancelled());
  }

  private static boolean hasRows(OperationSpec.Activity spec) {
    return spec.isKeyed() || spec.isQueued();
  }

  private void isFresh(OperationId operation) {
    if (fresh.isEmpty()) fresh = new HashSet<>();
    fresh.add(operation);
  }

  private void again(OperationId operation) {
    if (again.isEmpty()) again = new HashSet<>();
    again.add(operation);
  }

  private static Outcome cancelled() {
    return new Outcome.Cancelled("The workflow does not want it any more.");
  }

  private void ended(OperationId operation, WorkflowState before, Outcome outcome) {
    Optional<OperationSpec.Activity> found = activity(operation, before);
    // What the same commit asks for and drops never went out, and has no row.
    if (found.isEmpty() || fresh.contains(operation)) return;
    OperationSpec.Activity spec = found.get();
    if (spec.isKeyed()) {
      ActivityKey key = key(operation, before, spec);
      add(settled(key, outcome));
    }
    if (spec.isQueued()) add(new SideRow.TaskRemoved(task(operation, before)));
  }

  private static Optional<OperationSpec.Activity> activity(
      OperationId operation, WorkflowState before) {
    return before
        .operation(operation)
        .map(Operation::spec)
        .filter(OperationSpec.Activity.class::isInstance)
        .map(OperationSpec.Activity.class::cast);
  }

  private SideRow settled(ActivityKey key, Outcome outcome) {
    return switch (outcome) {
      case Outcome.Succeeded(Payload result) ->
          settled(key, ActivityStatus.COMPLETED, Optional.of(result), Optional.empty());
      case Outcome.Failed(Failure failure) ->
          settled(
              key,
              failure.type().equals(Failure.RESULT_UNAVAILABLE)
                  ? ActivityStatus.COMPLETED
                  : ActivityStatus.FAILED,
              Optional.empty(),
              Optional.of(failure));
      case Outcome.TimedOut(String what) ->
          settled(
              key,
              ActivityStatus.TIMED_OUT,
              Optional.empty(),
              Optional.of(Failure.retryable(Failure.TIMEOUT, what)));
      case Outcome.Cancelled _, Outcome.Terminated _ ->
          settled(key, ActivityStatus.CANCELLED, Optional.empty(), Optional.empty());
    };
  }

  private SideRow settled(
      ActivityKey key, ActivityStatus status, Optional<Payload> result, Optional<Failure> error) {
    return new SideRow.ActivitySettled(key, fence.shard(), status, result, error, at);
  }

  private void failed(Event.AttemptFailed e, WorkflowState before) {
    Optional<OperationSpec.Activity> found = activity(e.operation(), before);
    if (found.isEmpty()) return;
    OperationSpec.Activity spec = found.get();
    if (spec.isKeyed())
      add(
          settled(
              key(e.operation(), before, spec),
              status(e.failure()),
              Optional.empty(),
              Optional.of(e.failure())));
    if (spec.isQueued()) add(new SideRow.TaskRemoved(task(e.operation(), before)));
  }

  private static ActivityStatus status(Failure failure) {
    return switch (failure.outside()) {
      case NONE -> ActivityStatus.FAILED;
      case UNPROVEN -> ActivityStatus.INDETERMINATE;
      case POSSIBLE ->
          failure.type().equals(Failure.TIMEOUT)
              ? ActivityStatus.TIMED_OUT
              : ActivityStatus.INDETERMINATE;
    };
  }

  /**
   * What goes out when the commit stands.
   *
   * @param after the state as the commit leaves it
   */
  void of(List<Effect> effects, WorkflowState after) {
    for (Effect effect : effects) if (effect instanceof Effect.RunActivity run) goesOut(run, after);
  }

  private void goesOut(Effect.RunActivity run, WorkflowState after) {
    OperationSpec.Activity spec = run.spec();
    if (spec.isKeyed()) {
      ActivityKey key = key(run.operation(), after, spec);
      boolean first = fresh.contains(run.operation());
      add(
          new SideRow.ActivityClaimed(
              key,
              fence.shard(),
              first,
              run.attempt(),
              fence.epoch(),
              // A large input is not loaded for that.
              first || spec.input().keptBy().isEmpty()
                  ? CanonicalArguments.invocation(key, spec.input())
                  : InvocationKey.RECORDED,
              at));
    }
    if (!spec.isQueued()) return;
    if (isOffered(run)) add(new SideRow.TaskOffered(offer(run, after, fence.shard())));
    // Its owner may be lost before it has looked, and the next one has to find it.
    else if (again.contains(run.operation()))
      add(new SideRow.TaskHeldBack(offer(run, after, fence.shard())));
  }

  /**
   * Whether this commit puts it into its queue. What an earlier owner handed out may be there. Of a
   * later attempt at a keyed call the record is read first: a result may have come in late.
   */
  private boolean isOffered(Effect.RunActivity run) {
    return fresh.contains(run.operation())
        || !run.spec().isKeyed() && again.contains(run.operation());
  }

  /** The attempt as it is put into its queue. */
  public static TaskOffer offer(Effect.RunActivity run, WorkflowState state, int shard) {
    OperationSpec.Activity spec = run.spec();
    return new TaskOffer(
        task(run.operation(), state),
        shard,
        run.attempt(),
        spec.activity(),
        spec.call().idempotencyKey(),
        !spec.isKeyed() || spec.call().idempotent(),
        spec.call().queueing().orElseThrow(),
        spec.input(),
        spec.call().heartbeatTimeout(),
        spec.timeouts().attempt(),
        state.operation(run.operation()).flatMap(Operation::deadline),
        state.start().trace());
  }

  public static TaskId task(OperationId operation, WorkflowState state) {
    return new TaskId(
        state.start().id(), ActivityKey.operationOf(state.start().runId(), operation));
  }

  private ActivityKey key(OperationId operation, WorkflowState state, OperationSpec.Activity spec) {
    return ActivityTask.recordOf(id, state.start().runId(), operation, spec);
  }
}
