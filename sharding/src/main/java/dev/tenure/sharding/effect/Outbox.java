package dev.tenure.sharding.effect;

import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Effect;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.lifecycle.OperationPhase;
import dev.tenure.workflow.operation.MessageGuid;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.OperationSpec.Content;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The messages of a workflow to others that may not go out yet. Messages to one and the same
 * workflow must arrive in order: a message that was asked for after a start waits until the start
 * is acknowledged, and a start waits for the starts, the cancels and the terminates that were asked
 * for before it.
 */
final class Outbox {
  private List<Effect> waiting = new ArrayList<>(0);

  void add(Effect.StartChild start) {
    waiting.add(start);
  }

  void add(Effect.Send send) {
    waiting.add(send);
  }

  /** The messages that may go out now, in the order in which they were asked for. */
  List<Effect> release(WorkflowState state) {
    if (waiting.isEmpty()) return List.of();
    Oldest oldest = new Oldest(state);
    List<Effect> released = new ArrayList<>(waiting.size());
    List<Effect> held = new ArrayList<>(0);
    for (Effect effect : waiting) (oldest.isBefore(effect, state) ? held : released).add(effect);
    waiting = held;
    return released;
  }

  /** For each workflow, the oldest message that is on its way to it. */
  private static final class Oldest {
    /**
     * The place of a cancel or a terminate that names a child. Its start is acknowledged, while the
     * message may be asked for later than another start that still waits.
     */
    private static final long BEFORE_ALL = -1;

    private final Map<WorkflowId, Long> starts = new HashMap<>();
    private final Map<WorkflowId, Long> stops = new HashMap<>();

    Oldest(WorkflowState state) {
      for (Operation one : state.openOperations())
        if (one.phase() == OperationPhase.SENDING || one.phase() == OperationPhase.LET_GO)
          switch (one.spec()) {
            case OperationSpec.Child child -> starts.merge(child.id(), one.order(), Math::min);
            case OperationSpec.Message(WorkflowId target, Content content) ->
                stop(content, one.order())
                    .ifPresent(order -> stops.merge(target, order, Math::min));
            case OperationSpec.Step _,
                OperationSpec.Activity _,
                OperationSpec.Timer _,
                OperationSpec.SignalWait _,
                OperationSpec.Cycle _,
                OperationSpec.Value _ -> {}
          }
    }

    /** The place of a cancel or a terminate among the operations; empty for other messages. */
    private static Optional<Long> stop(Content content, long order) {
      boolean stops = content instanceof Content.Cancel || content instanceof Content.Terminate;
      if (!stops) return Optional.empty();
      return Optional.of(meantChild(content).isPresent() ? BEFORE_ALL : order);
    }

    private static Optional<MessageGuid> meantChild(Content content) {
      return switch (content) {
        case Content.Cancel(var reason, var child) -> child;
        case Content.Terminate(var reason, var child) -> child;
        case Content.Signal signal -> Optional.empty();
        case Content.ChildEnded ended -> Optional.empty();
      };
    }

    boolean isBefore(Effect effect, WorkflowState state) {
      return switch (effect) {
        // The start of the child that is named is acknowledged. Another start of that id does not
        // concern the message.
        case Effect.Send send when meantChild(send.spec().content()).isPresent() -> false;
        case Effect.Send send -> isBefore(starts, send.spec().target(), send.operation(), state);
        case Effect.StartChild start ->
            isBefore(starts, start.spec().id(), start.operation(), state)
                || isBefore(stops, start.spec().id(), start.operation(), state);
        case Effect.RunStep _,
            Effect.RunActivity _,
            Effect.StopAttempt _,
            Effect.LookForSignal _,
            Effect.AnswerUpdate _,
            Effect.AnnounceEnd _ ->
            throw new IllegalStateException(effect + " goes to no other workflow.");
      };
    }

    private static boolean isBefore(
        Map<WorkflowId, Long> oldest, WorkflowId target, OperationId id, WorkflowState state) {
      Long first = oldest.get(target);
      return first != null
          && state.operation(id).map(Operation::order).orElse(Long.MAX_VALUE) > first;
    }
  }
}
