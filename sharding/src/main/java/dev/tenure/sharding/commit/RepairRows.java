package dev.tenure.sharding.commit;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.incident.IncidentRow;
import dev.tenure.sharding.recovery.Suspects;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.lifecycle.OperationPhase;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Makes the rows that tell people what to repair: the incident that a commit raises or ends, and
 * that a workflow made progress which was at work when a node was lost. For other commits there are
 * none.
 */
public final class RepairRows {
  private final WorkflowId id;
  private final int shard;
  private final BooleanSupplier atWorkWhenLost;
  private final Consumer<WorkflowId> progressed;
  private boolean suspected;
  private boolean clears;

  /** The rows say that no owner could own the workflow: the next commit corrects them. */
  private boolean stoodUnreadable;

  private Runnable whenTrue = () -> {};

  /**
   * The attempts that were under way when the node was lost: one of them may have brought it down.
   */
  private Map<OperationId, Integer> underWay = Map.of();

  /**
   * @param atWorkWhenLost whether it was at work when a node was lost, and made no progress since;
   *     asked when the owner begins, because the losses of its shard are counted until then
   * @param progressed told when a commit stands that is progress
   */
  public RepairRows(
      WorkflowId id, int shard, BooleanSupplier atWorkWhenLost, Consumer<WorkflowId> progressed) {
    this.id = id;
    this.shard = shard;
    this.atWorkWhenLost = atWorkWhenLost;
    this.progressed = progressed;
  }

  /** Of an owner with that fence. */
  public static RepairRows of(WorkflowId id, Fence fence, Suspects suspects) {
    RepairRows rows =
        new RepairRows(
            id,
            fence.shard(),
            () -> suspects.isKnown(id),
            progressed -> suspects.progressed(progressed, fence.epoch()));
    rows.look(suspects);
    return rows;
  }

  /** Finds out whether the rows say that no owner could own the workflow. */
  public void look(Suspects suspects) {
    if (!suspects.isUnreadable(id)) return;
    stoodUnreadable = true;
    whenTrue = () -> suspects.forgetUnreadable(id);
  }

  /** Whether a commit is needed to correct the rows. */
  boolean isBehind() {
    return stoodUnreadable;
  }

  /** The history is complete. */
  void begins(WorkflowState state) {
    suspected = atWorkWhenLost.getAsBoolean();
    if (!suspected) return;
    underWay = new HashMap<>();
    for (Operation one : state.openOperations())
      if (one.phase() == OperationPhase.IN_FLIGHT) underWay.put(one.id(), one.attemptThatCounts());
  }

  /**
   * @param state as these events leave it
   * @param version of the commit
   */
  public List<SideRow> of(
      List<Event> events, boolean hadIncident, WorkflowState state, long version) {
    if (!hadIncident && !suspected && !stoodUnreadable && state.incident().isEmpty())
      return List.of();
    List<SideRow> rows = new ArrayList<>(2);
    if (state.incident().isPresent()) {
      if (stoodUnreadable || events.stream().anyMatch(Event.IncidentRaised.class::isInstance))
        rows.add(new SideRow.IncidentRaised(row(state, state.incident().get(), version)));
    } else if (hadIncident || stoodUnreadable) rows.add(new SideRow.IncidentClosed(id));
    if (suspected && isProgress(events, state)) {
      clears = true;
      rows.add(new SideRow.WorkflowProgressed(id));
    }
    return rows;
  }

  /** The commit stands. */
  void stands() {
    if (stoodUnreadable) whenTrue.run();
    stoodUnreadable = false;
    if (!clears) return;
    clears = false;
    suspected = false;
    progressed.accept(id);
  }

  private IncidentRow row(WorkflowState state, Incident incident, long version) {
    return IncidentRow.of(
        id,
        state.start().runId(),
        state.start().type(),
        shard,
        version,
        state.at(),
        incident.kind(),
        incident.about().map(operation -> operation.value()),
        incident.message());
  }

  /**
   * Every lost node leaves a redelivery behind, so that is no progress. Nor is a commit beside a
   * running attempt: the next node may be lost by that attempt.
   */
  private boolean isProgress(List<Event> events, WorkflowState state) {
    if (!events.isEmpty() && events.stream().allMatch(Event.Redelivered.class::isInstance))
      return false;
    if (state.phase().isOver() || state.incident().isPresent()) return true;
    for (Operation one : state.openOperations())
      if (one.phase() == OperationPhase.IN_FLIGHT
          && Integer.valueOf(one.attemptThatCounts()).equals(underWay.get(one.id()))) return false;
    return true;
  }
}
